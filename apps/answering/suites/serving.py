"""A web server of its own for benches: the same program as in production, on the database that is being measured."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from apps.core.processes import WORKER_PATIENCE, answers

HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 90
_SERVED: Final = """
from django.conf import settings
settings.DATABASES["default"]["NAME"] = {database!r}
{prepare}
from apps.config.asgi import application
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A running web server; ``pid`` is its first process, which answers alone or looks after those that do."""

    port: int
    pid: int

    @property
    def base(self) -> str:
        """Return its address without a closing slash."""
        return f"http://{HOST}:{self.port}"

    def memory_mb(self) -> float:
        """Return what its processes hold in memory together."""
        return sum(_memory_kb(pid) for pid in _family(self.pid)) / 1024


@contextmanager
def serving(*, model: str = "", prepare: str = "", processes: int | None = None) -> Iterator[Site]:
    """Serve the application from processes of its own, so many as in production.

    ``model`` is an ANSWER_MODEL for it, ``prepare`` are lines of Python that each runs first. No answer comes from the
    cache: readers ask the same questions again.
    """
    with socket.create_server((HOST, 0)) as free:
        port = int(free.getsockname()[1])
    program = _SERVED.format(database=str(connection.settings_dict["NAME"]), prepare=prepare)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "served.py").write_text(program, encoding="utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH")))),
            "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "apps.config.settings"),
            "DATABASE_POOL": "on",
            "DJANGO_HTTPS": "off",
            "DJANGO_ALLOWED_HOSTS": HOST,
            "MEDIA_ROOT": str(settings.MEDIA_ROOT),
            "OMP_NUM_THREADS": "1",
            "ANSWER_MODEL": model,
            "ANSWER_SECOND_MODEL": "",
            "ANSWER_CACHE": "off",
        }
        command = [
            *(sys.executable, "-m", "uvicorn", "served:application", "--host", HOST, "--port", str(port)),
            *("--workers", str(processes or settings.WEB_PROCESSES), *WORKER_PATIENCE),
            *("--lifespan", "on", "--log-level", "critical"),
            *("--timeout-keep-alive", "600", "--timeout-graceful-shutdown", "3"),
        ]
        with subprocess.Popen(
            command, env=environment, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as server:
            site = Site(port, server.pid)
            try:
                _wait_for(server, site)
                yield site
            finally:
                server.terminate()


def _family(pid: int) -> Iterator[int]:
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        yield from _family(int(child))


def _memory_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


def _wait_for(server: subprocess.Popen[bytes], site: Site) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError("The web server of the bench did not start.")
        if answers(f"{site.base}/health/"):
            return
        time.sleep(0.2)
    raise RuntimeError("The web server of the bench did not answer in time.")
