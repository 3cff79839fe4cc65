"""Gives a process its lease on the embedded servers. Entry points (manage.py, asgi, celery, tests) call `ensure`."""

import fcntl
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from apps.embedded import folders
from apps.embedded.addresses import Addresses, addresses
from apps.embedded.errors import EmbeddedError
from apps.embedded.supervisor import LOCK_SECONDS, tail

Say = Callable[[str], None]

# the supervisor says something at least every few seconds while it starts
_SILENCE_SECONDS = 90.0
_START_SECONDS = LOCK_SECONDS + 30.0
_ATTEMPTS = 3

_leases: dict[Path, "Lease"] = {}
_guard = threading.RLock()


class Lease:
    """Keeps the servers running: an open connection to the supervisor, which the kernel closes with the process.

    A forked child shares it: the servers stay until parent and child have both gone or released it.
    """

    def __init__(self, root: Path, connection: socket.socket) -> None:
        self.root = root
        self._connection = connection

    @property
    def is_live(self) -> bool:
        """Whether the supervisor still holds the other end."""
        if self._connection.fileno() < 0:
            return False
        readable, _, _ = select.select([self._connection], [], [], 0)
        if not readable:
            return True
        try:
            # rest of the greeting, or the end
            return bool(self._connection.recv(4096, socket.MSG_DONTWAIT))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def release(self) -> None:
        """Give the lease back; the servers stop a few seconds after the last one."""
        with _guard:
            if _leases.get(self.root) is self:
                del _leases[self.root]
            # no shutdown(): that would also end the lease of a process forked from us
            self._connection.close()


def ensure(root: Path, say: Say | None = None) -> Lease:
    """Start the servers of the checkout at `root` unless they run, wait until both answer, and hold them.

    Calling it again in the same process gives the same lease; so does a forked child. `say` gets sentences about
    what takes time. Raises EmbeddedError with a sentence that says what to do.
    """
    root = Path(root).resolve()
    with _guard:
        lease = _leases.get(root)
        if lease is not None and lease.is_live:
            return lease
        places = addresses(root)
        folders.prepare(places)
        for notice in places.notices if say else ():
            say(notice) if say else None
        lease = _leases[root] = Lease(root, _connect(places, say or _ignore))
        return lease


def _connect(places: Addresses, say: Say) -> socket.socket:
    for _ in range(_ATTEMPTS):
        connection = _dial(places) or _start_supervisor(places)
        if _await_ready(places, connection, say):
            return connection
        connection.close()
    raise EmbeddedError(
        f"The embedded servers ended while they started.{tail(places.logs / 'supervisor.log')}"
    )


def _dial(places: Addresses) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(places.control))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    return connection


def _start_supervisor(places: Addresses) -> socket.socket:
    """Start one unless another process does so at this moment; returns a connection to it."""
    deadline = time.monotonic() + _START_SECONDS
    process: subprocess.Popen[bytes] | None = None
    handle = os.open(places.home / "start.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while time.monotonic() < deadline:
            if (connection := _dial(places)) is not None:
                return connection
            if process is None and _try_lock(handle):
                process = _spawn(places)
            elif process is not None and process.poll() is not None:
                break
            time.sleep(0.03)
    finally:
        os.close(handle)
    raise EmbeddedError(f"The embedded servers could not be started.{tail(places.logs / 'supervisor.log')}")


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _spawn(places: Addresses) -> subprocess.Popen[bytes]:
    """The supervisor in a session of its own: no Ctrl-C of our terminal reaches it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    with (places.logs / "supervisor.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "apps.embedded.supervisor", str(places.root)],
            cwd=Path(__file__).resolve().parents[2],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            start_new_session=True,
        )
    _supervisors.append(process)
    return process


def _await_ready(places: Addresses, connection: socket.socket, say: Say) -> bool:
    """Read what the supervisor says until it is ready; False when it hung up."""
    connection.settimeout(_SILENCE_SECONDS)
    try:
        with connection.makefile("r", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                word, _, text = line.rstrip("\n").partition(" ")
                if word == "ready":
                    return True
                if word == "failed":
                    raise EmbeddedError(text.replace("\\n", "\n"))
                say(text)
    except TimeoutError as error:
        raise EmbeddedError(
            f"The embedded servers are silent.{tail(places.logs / 'supervisor.log')}"
        ) from error
    except ConnectionError:
        return False
    return False


def _ignore(_text: str) -> None:
    return None


# kept so that an ended supervisor is reaped, and none is reported as a forgotten child
_supervisors: list[subprocess.Popen[bytes]] = []


def _after_fork_in_child() -> None:
    """A thread of the parent may have held the guard; here there is no such thread."""
    global _guard
    _guard = threading.RLock()


os.register_at_fork(after_in_child=_after_fork_in_child)
