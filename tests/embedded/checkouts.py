"""Throw-away checkouts for tests of the embedded servers: who runs in them, holders of leases, removal."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from apps.embedded import binaries, locks
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


def server_programs(places: Addresses, version: int = binaries.POSTGRES_MAJOR) -> binaries.Binaries:
    """Return programs that the servers' user can run: root's environment may be closed to it."""
    return binaries.find(version) if os.geteuid() else binaries.for_other_user(places.home, version)


def wait_for(condition: Callable[[], object], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def processes_of(root: Path) -> list[int]:
    """Living processes, ourselves left out, that name the checkout in their command line or work in it."""
    homes = [str(root), str(system_home(root)), str(short_home(root))]
    return [pid for pid, line in command_lines().items() if any(home in line for home in homes)]


def command_lines() -> dict[int, str]:
    """The command line and working folder of every living process but ours."""
    if not sys.platform.startswith("linux"):
        listing = subprocess.run(["ps", "-axwwo", "pid=,command="], capture_output=True, text=True, check=True)
        pairs = (line.split(None, 1) for line in listing.stdout.splitlines())
        return {int(pid): command for pid, command in pairs if int(pid) != os.getpid()}
    found = {}
    for folder in Path("/proc").iterdir():
        # no working folder: a zombie, or gone
        with suppress(OSError):
            if folder.name.isdigit() and int(folder.name) != os.getpid():
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[int(folder.name)] = f"{command} in {os.readlink(folder / 'cwd')}"
    return found


def fast_folder() -> str | None:
    """A folder in memory where there is one with room: these tests create a dozen databases."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > 2_000_000_000 else None


def remove(folder: Path) -> None:
    """Delete a checkout, having made sure that nothing runs in it."""
    left = [] if wait_for(lambda: not processes_of(folder), 15) else processes_of(folder)
    lines = [command_lines().get(pid, "gone") for pid in left]
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for place in (folder, system_home(folder), short_home(folder)):
        shutil.rmtree(place, ignore_errors=True)
    with suppress(OSError):
        system_home(folder).parent.rmdir()
    assert not left, f"processes were left behind: {lines}"


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
