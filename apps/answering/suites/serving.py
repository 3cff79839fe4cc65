"""A web server of its own for benches: the same program as in production, on the database that is being measured."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 90
_SERVE: Final = """
import sys, uvicorn
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
{prepare}
uvicorn.run("apps.config.asgi:application", host=sys.argv[2], port=int(sys.argv[3]), lifespan="on",
            log_level="critical", timeout_keep_alive=600, timeout_graceful_shutdown=3)
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A running web server."""

    port: int
    pid: int

    @property
    def base(self) -> str:
        """Return its address without a closing slash."""
        return f"http://{HOST}:{self.port}"

    def memory_mb(self) -> float:
        """Return what the process holds in memory."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024


@contextmanager
def serving(*, model: str = "", prepare: str = "") -> Iterator[Site]:
    """Serve the application from a process of its own.

    ``model`` is an ANSWER_MODEL for it, ``prepare`` are lines of Python that it runs first. No answer comes from the
    cache: readers ask the same questions again.
    """
    with socket.create_server((HOST, 0)) as free:
        port = int(free.getsockname()[1])
    environment = {
        **os.environ,
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
    program = _SERVE.format(prepare=prepare)
    arguments = [sys.executable, "-c", program, str(connection.settings_dict["NAME"]), HOST, str(port)]
    with subprocess.Popen(
        arguments, env=environment, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            _wait_for(server, port)
            yield Site(port, server.pid)
        finally:
            server.terminate()


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError("The web server of the bench did not start.")
        try:
            with socket.create_connection((HOST, port), timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("The web server of the bench did not answer in time.")
