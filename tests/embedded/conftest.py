"""Real servers in throw-away checkouts, and the promise that no test leaves a process behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from apps.embedded import locks
from apps.embedded.addresses import Addresses, addresses, short_home, system_home

PROJECT = Path(__file__).resolve().parents[2]
HOLDER = """
import sys
from pathlib import Path
from apps.embedded.errors import EmbeddedError
from apps.embedded.servers import ensure
try:
    lease = ensure(Path(sys.argv[1]), say=lambda text: print("say", text, flush=True))
except EmbeddedError as error:
    sys.exit(str(error))
print("ready", flush=True)
sys.stdin.read()
"""


def wait_for(condition: Callable[[], object], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def processes_of(root: Path) -> list[str]:
    """Command lines of living processes that name the checkout or work in it."""
    listing = subprocess.run(["ps", "-axwwo", "pid=,stat=,command="], capture_output=True, text=True, check=True)
    homes = {str(root), str(system_home(root)), str(short_home(root))}
    found = []
    for line in listing.stdout.splitlines():
        pid, state, command = line.split(None, 2)
        with suppress(OSError):
            command += " in " + os.readlink(f"/proc/{pid}/cwd")
        if int(pid) != os.getpid() and not state.startswith("Z") and any(home in command for home in homes):
            found.append(line)
    return found


def fast_folder() -> str | None:
    """A folder in memory where there is one with room: these tests create a dozen databases."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > 2_000_000_000 else None


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty checkout that other users can reach (pytest's own folders are closed to them)."""
    monkeypatch.setenv("WEGWEISER_EMBEDDED_GRACE", "0.3")
    folder = Path(tempfile.mkdtemp(prefix="ww-", dir=fast_folder())).resolve()
    folder.chmod(0o755)
    yield folder
    remove(folder)


@pytest.fixture(scope="session")
def finished_checkout() -> Iterator[Path]:
    """A checkout that had its first start, to be copied: making a database takes longer than most tests."""
    folder = Path(tempfile.mkdtemp(prefix="ww-", dir=fast_folder())).resolve()
    folder.chmod(0o755)
    holder = Holder(folder, env={**os.environ, "WEGWEISER_EMBEDDED_GRACE": "0"}).wait_ready()
    holder.kill()
    wait_for(lambda: not processes_of(folder))
    yield folder
    remove(folder)


@pytest.fixture
def used_root(root: Path, finished_checkout: Path) -> Path:
    """A checkout that was started before and is at rest."""
    # -a keeps the owner, which PostgreSQL insists on
    subprocess.run(["cp", "-a", str(finished_checkout / "var"), str(root)], check=True)
    return root


def remove(folder: Path) -> None:
    """Delete a checkout, having made sure that nothing runs in it."""
    left = [] if wait_for(lambda: not processes_of(folder), 15) else processes_of(folder)
    for line in left:
        with suppress(ProcessLookupError):
            os.kill(int(line.split()[0]), signal.SIGKILL)
    for place in (folder, system_home(folder), short_home(folder)):
        shutil.rmtree(place, ignore_errors=True)
    with suppress(OSError):
        system_home(folder).parent.rmdir()
    assert not left, f"processes were left behind: {left}"


class Holder:
    """Another process with a lease."""

    def __init__(self, root: Path, **popen: object) -> None:
        self.process = subprocess.Popen(  # type: ignore[call-overload]
            [str(popen.pop("interpreter", sys.executable)), "-c", HOLDER, str(root)],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **popen,
        )
        self.said: list[str] = []

    def wait_ready(self) -> "Holder":
        for line in self.process.stdout:
            if line == "ready\n":
                return self
            self.said.append(line)
        raise AssertionError(self.process.stderr.read())

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def leave(self) -> str:
        return self.process.communicate()[1]


@pytest.fixture
def hold(root: Path) -> Iterator[Callable[..., Holder]]:
    """Starts holders, and ends those that the test did not."""
    holders: list[Holder] = []

    def start(where: Path = root, **popen: object) -> Holder:
        holders.append(Holder(where, **popen))
        return holders[-1]

    yield start
    for holder in holders:
        if holder.process.poll() is None:
            holder.kill()


def query(places: Addresses, statement: str) -> list[tuple[object, ...]]:
    settings = places.database
    with psycopg.connect(
        host=settings["HOST"], port=settings["PORT"], user=settings["USER"], dbname=settings["NAME"]
    ) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def supervisor_of(root: Path) -> int:
    pid = locks.supervisor(addresses(root).home)
    assert pid is not None
    return pid


def log_of(root: Path) -> str:
    return (root / "var/log/supervisor.log").read_text()
