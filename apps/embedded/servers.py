"""Gives a process its lease on the embedded servers. Entry points (manage.py, ASGI, Celery, tests) call `ensure`."""

import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from apps.embedded import folders, locks
from apps.embedded.addresses import Addresses, addresses
from apps.embedded.errors import EmbeddedError
from apps.embedded.logs import tail

Say = Callable[[str], None]

# the supervisor says something every few seconds while it starts
_SILENCE_SECONDS = 60.0
_START_SECONDS = locks.SUPERVISOR_SECONDS + 30.0
_ATTEMPTS = 3


class Lease:
    """Keeps the servers running: an open connection to the supervisor, which the kernel closes with the process.

    A forked child shares it: the servers stay until parent and child have both gone or released it.
    """

    def __init__(self, root: Path, connection: socket.socket) -> None:
        self.root = root
        self.process = os.getpid()
        self._connection = connection

    @property
    def is_live(self) -> bool:
        """Whether the supervisor still holds the other end."""
        if self._connection.fileno() < 0:
            return False
        try:
            # what the supervisor said last comes before the end of the line
            while select.select([self._connection], [], [], 0)[0]:
                if not self._connection.recv(4096):
                    return False
        except OSError:
            return False
        return True

    def release(self) -> None:
        """Give the lease back; the servers stop a few seconds after the last one."""
        with _guard:
            if _leases.get(self.root) is self:
                del _leases[self.root]
            # no shutdown(): that would end the lease of a process forked from us too
            self._connection.close()


_guard = threading.RLock()
_leases: dict[Path, Lease] = {}
# never closed here: in a forked child the number of their descriptor may belong to something else by now
_inherited: list[Lease] = []
# kept so that an ended supervisor is reaped
_supervisors: list[subprocess.Popen[bytes]] = []


def ensure(root: Path, say: Say | None = None) -> Lease:
    """Start the servers of the checkout at `root` unless they run, wait until both answer, and hold them.

    Calling it again in the same process gives the same lease; a forked child that calls it gets one of its own.
    `say` gets sentences about what takes time. Raises EmbeddedError with a sentence that says what to do.
    """
    root = Path(root).resolve()
    say = say or _say_nothing
    with _guard:
        lease = _leases.get(root)
        if lease is not None and lease.process != os.getpid():
            _inherited.append(lease)
            lease = None
        if lease is None or not lease.is_live:
            places = addresses(root)
            folders.prepare(places)
            for notice in places.notices:
                say(notice)
            lease = _leases[root] = Lease(root, _connect(places, say))
        return lease


def _connect(places: Addresses, say: Say) -> socket.socket:
    for _ in range(_ATTEMPTS):
        connection = _dial(places) or _start_supervisor(places, say)
        try:
            if _hears_ready(places, connection, say):
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()
    raise EmbeddedError(f"The embedded servers ended while they started.{tail(_log(places))}")


def _dial(places: Addresses) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(places.control))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    return connection


def _start_supervisor(places: Addresses, say: Say) -> socket.socket:
    """A connection to a new supervisor, or to the one that another process is starting at this moment."""
    start = time.monotonic()
    process: subprocess.Popen[bytes] | None = None
    handle: int | None = None
    has_waited = False
    try:
        while time.monotonic() - start < _START_SECONDS:
            # the dial comes after the lock: whoever held it before us has started one
            handle = handle if handle is not None else locks.take(places.home / "start.lock")
            if (connection := _dial(places)) is not None:
                return connection
            if process is not None and process.poll() is not None:
                break
            if handle is not None and process is None:
                process = _spawn(places)
            if not has_waited and time.monotonic() - start > 3:
                has_waited = True
                say("Waiting for earlier servers to stop ...")
            time.sleep(0.03)
    finally:
        if handle is not None:
            os.close(handle)
    raise EmbeddedError(f"The embedded servers could not be started.{tail(_log(places))}")


def _spawn(places: Addresses) -> subprocess.Popen[bytes]:
    """The supervisor in a session of its own: no Ctrl-C of our terminal reaches it."""
    # -P would keep the interpreter from finding our package in its working folder
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    with _log(places).open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "apps.embedded.supervisor", str(places.root)],
            cwd=Path(__file__).resolve().parents[2],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment,
            start_new_session=True,
        )
    _supervisors[:] = [process, *(old for old in _supervisors if old.poll() is None)]
    return process


def _hears_ready(places: Addresses, connection: socket.socket, say: Say) -> bool:
    """Read what the supervisor says until it is ready; False when it hung up, which is worth another attempt."""
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
        raise EmbeddedError(f"The supervisor of the embedded servers is silent.{tail(_log(places))}") from error
    except ConnectionError:
        return False
    return False


def _log(places: Addresses) -> Path:
    return places.logs / "supervisor.log"


def _say_nothing(_text: str) -> None:
    return None


def _after_fork_in_child() -> None:
    """A thread of the parent may have held the guard; in the child there is no such thread."""
    global _guard
    _guard = threading.RLock()


os.register_at_fork(after_in_child=_after_fork_in_child)
