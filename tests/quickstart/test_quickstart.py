"""What the README promises of quickstart: an answer, a clean end, a quick second start, nothing lost after kill -9."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST_SECONDS = 240


def _heed_ctrl_c() -> None:
    """Shells start what they put behind with the signal ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Quickstart:
    """A running quickstart and what it printed."""

    def __init__(self, folder: Path) -> None:
        ours = {"DATABASE_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE", "EMBEDDER", "DATABASE_POOL"}
        environment = {name: value for name, value in os.environ.items() if name not in ours}
        self.log = folder / "quickstart.log"
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "quickstart", "--port", "8731"],
            cwd=folder,
            env={**environment, "PYTHONUNBUFFERED": "1"},
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_heed_ctrl_c,
        )
        self.base = self.wait_for(r"Readers' page:\s+(\S+)")

    @property
    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_for(self, pattern: str) -> str:
        deadline = time.monotonic() + LONGEST_SECONDS
        while time.monotonic() < deadline:
            if match := re.search(pattern, self.output):
                return match[1]
            assert self.process.poll() is None, self.output[-3000:]
            time.sleep(0.2)
        raise AssertionError(self.output[-3000:])

    def ask(self, question: str) -> str:
        """Ask as a browser without scripts does and return the finished page."""
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)
        page = opener.open(self.base, timeout=30).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken"[^>]*value="([^"]+)"', page)
        assert token is not None
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], "question": question, "conversation": ""})
        request = urllib.request.Request(f"{self.base}ask/", body.encode(), {"Referer": self.base})
        return opener.open(request, timeout=60).read().decode()

    def stop(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


def left_behind(folder: Path) -> list[str]:
    """Return the command lines of processes that still name the folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if str(folder) in words:
                found.append(words)
    return found


def wait_until_gone(folder: Path) -> None:
    deadline = time.monotonic() + 40
    while left_behind(folder):
        assert time.monotonic() < deadline, left_behind(folder)
        time.sleep(0.5)


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "checkout"
    folder.mkdir()
    shutil.copy(ROOT / "manage.py", folder)
    for name in ("apps", "templates", "static"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    yield folder
    wait_until_gone(folder)


@pytest.mark.skipif(sys.platform != "linux", reason="Looks at /proc for what was left behind.")
def test_from_nothing_to_an_answer_and_back(checkout):
    first = Quickstart(checkout)
    password = first.wait_for(r"Password:\s+(\S+)")
    assert len(password) >= 12
    page = first.ask("Wie beantrage ich Briefwahl?")
    assert 'class="cite"' in page
    assert "/sources/" in page
    first.wait_for(r"(Ctrl-C stops everything)")
    assert first.stop(signal.SIGINT) == 0, first.output[-3000:]
    wait_until_gone(checkout)

    second = Quickstart(checkout)
    assert "Password:" not in second.output
    assert 'class="cite"' in second.ask("Wie beantrage ich Briefwahl?")
    second.stop(signal.SIGKILL)
    wait_until_gone(checkout)

    third = Quickstart(checkout)
    assert 'class="cite"' in third.ask("Wie beantrage ich Briefwahl?")
    assert third.stop(signal.SIGTERM) == 0, third.output[-3000:]
