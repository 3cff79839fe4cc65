"""A small site to measure: invented parties, a builder, a few documents, and a web server of its own on it."""

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
from django.core.management import call_command
from django.db import connection

from apps.documents.indexing import Outcome, index_version
from apps.documents.models import Collection, Party
from apps.documents.services import DocumentFacts, document_receive

HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 90
_SUBJECTS: Final = ("Mindestlohn", "Rente", "Wohnen", "Klima", "Steuern", "Pflege", "Bildung", "Verkehr")
# The same program as in production; its model keeps the time of a real one and has its faults.
_SERVE: Final = """
import sys, django, uvicorn
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from apps.answering import language_models
from apps.chat.suites.slow_model import timed_reply
language_models.quoting_reply = timed_reply
uvicorn.run("apps.config.asgi:application", host="127.0.0.1", port=int(sys.argv[2]), lifespan="off",
            log_level="critical", timeout_keep_alive=600)
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A running web server."""

    base: str
    pid: int

    def memory_mb(self) -> float:
        """Return what the process holds in memory."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024


def questions() -> list[str]:
    """Return questions that the documents answer."""
    return [
        f"Was plant die {name} beim Thema {subject}?" for subject in _SUBJECTS for name in ("Nordpartei", "Südpartei")
    ]


def fill() -> None:
    """Take in the documents and the question builder, in the throw-away database."""
    shelf = Collection.objects.create(slug="bench", name="Wahl")
    for slug, name in (("nord", "Nordpartei"), ("sued", "Südpartei")):
        party = Party.objects.create(slug=slug, name=f"Die {name}", short_name=name, colour="#1b7f3b")
        parts = [
            f"## {subject}\n\nDie {name} will beim Thema {subject} mehr tun. {subject} kostet 3 Milliarden im Jahr."
            f" Beim Thema {subject} entscheidet der Bund ab 2028."
            for subject in _SUBJECTS
        ]
        text = f"# Programm der {name}\n\n" + "\n\n".join(parts)
        facts = DocumentFacts(title=f"Programm der {name}", kind="programme", party=party)
        receipt = document_receive(
            data=text.encode(), filename=f"{slug}.md", collection=shelf, facts=facts, enqueue=False
        )
        if index_version(receipt.version.pk) is not Outcome.READY:
            raise RuntimeError("The documents of the bench could not be read.")
    call_command("demo_builder", verbosity=0)


@contextmanager
def serving(*, model: str = "") -> Iterator[Site]:
    """Serve the site from a process of its own. ``model`` is an ANSWER_MODEL; no answer comes from the cache."""
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
    arguments = [sys.executable, "-c", _SERVE, str(connection.settings_dict["NAME"]), str(port)]
    with subprocess.Popen(
        arguments, env=environment, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            _wait_for(server, port)
            yield Site(f"http://{HOST}:{port}", server.pid)
        finally:
            server.terminate()


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            with socket.create_connection((HOST, port), timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("The web server of the bench did not start in time.")
