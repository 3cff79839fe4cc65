"""A small detached process that runs PostgreSQL and Valkey for as long as anyone holds a lease.

`python -m apps.embedded.supervisor ROOT`, started by `servers.ensure`. A lease is an open connection to the control
socket: the kernel closes it even after kill -9. Over it the supervisor says lines: `say TEXT`, `ready`, `failed TEXT`.
"""

import contextlib
import fcntl
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from apps.embedded import accounts, binaries, children, folders, postgres, valkey
from apps.embedded.addresses import Addresses, addresses
from apps.embedded.children import Account
from apps.embedded.errors import EmbeddedError

GRACE_SECONDS = 5.0
LOCK_SECONDS = 90.0
# a server that dies more often than this in ten minutes is not restarted again
RESTARTS = 3
RESTART_WINDOW = 600.0
# recovery after a crash reads the whole data folder
READY_SECONDS = 1800.0
_PULSE_SECONDS = 5.0
_LOG_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Server:
    """One server: how it is started, known to be ready, and stopped (signal and seconds, in this order)."""

    name: str
    argv: list[str]
    folder: Path
    log: Path
    is_ready: Callable[[], bool]
    stop_signal: int
    stop_seconds: float


class Supervisor:
    """Owns the children and the leases of one checkout. Single-threaded: children die with the thread that made them."""

    def __init__(self, places: Addresses, grace: float) -> None:
        self.places = places
        self.grace = grace
        self.leases: set[socket.socket] = set()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.deaths: list[float] = []
        self.is_ready = False
        self.must_stop = False
        self.account: Account | None = None
        self.selector = selectors.DefaultSelector()
        self.listener: socket.socket | None = None

    def run(self) -> int:
        """Start, serve until the last lease has gone or a signal came, stop. Returns an exit code."""
        self._listen_for_signals()
        self._listen_for_leases()
        try:
            servers = self._start_all()
            self._serve(servers)
        except EmbeddedError as error:
            _log(str(error))
            self._tell(f"failed {error}")
            return 1
        finally:
            # nobody may take a lease on servers that are about to stop
            self._close_door()
            self._stop_all()
        return 0

    def _start_all(self) -> list[Server]:
        places = self.places
        postgres.check_version(places)
        self.account = accounts.server_account(postgres.account_of(places))
        programs = binaries.for_other_user(places.home) if self.account else binaries.find()
        if self.account:
            self._say(f"PostgreSQL and Valkey run as the user {self.account.name}.")
        self._make_folder(places.sockets)
        self._make_folder(places.valkey_data)
        postgres.clear_leftovers(places)
        valkey.clear_leftovers(places)
        if not places.postgres_data.exists():
            self._create_cluster(programs)
        servers = _servers(places, programs)
        for server in servers:
            self._start(server)
        for server in servers:
            self._await(server)
        postgres.create_database(places, programs)
        self.is_ready = True
        self._tell("ready")
        return servers

    def _serve(self, servers: list[Server]) -> None:
        empty_since = time.monotonic()
        while not self.must_stop:
            if self.leases:
                empty_since = time.monotonic()
            remaining = empty_since + self.grace - time.monotonic()
            if not self.leases and remaining <= 0:
                _log("The last lease has gone.")
                return
            self._pump(None if self.leases else remaining)
            for server in servers:
                if self.running[server.name].poll() is not None and not self.must_stop:
                    self._restart(server)

    def _restart(self, server: Server) -> None:
        now = time.monotonic()
        self.deaths = [moment for moment in self.deaths if now - moment < RESTART_WINDOW]
        code = self.running[server.name].returncode
        if len(self.deaths) >= RESTARTS:
            raise EmbeddedError(f"{server.name} ended again and again (last code {code}): see {server.log}.")
        self.deaths.append(now)
        _log(f"{server.name} ended with code {code} and is started again.")
        (postgres if server.name == "PostgreSQL" else valkey).clear_leftovers(self.places)
        self._start(server)
        self._await(server)

    def _create_cluster(self, programs: binaries.Binaries) -> None:
        self._say("Creating the database (once) ...")
        self._make_folder(postgres.new_data(self.places))
        log = self.places.logs / "postgres.log"
        process = self._spawn(
            postgres.init_command(self.places, programs), self.places.home, log, signal.SIGKILL
        )
        try:
            self._wait_until(lambda: process.poll() is not None, "The database is being created ...", 300)
        finally:
            children.stop(process, signal.SIGKILL, 5)
        if process.returncode:
            raise EmbeddedError(f"The database could not be created.{tail(log)}")
        postgres.new_data(self.places).rename(self.places.postgres_data)

    def _start(self, server: Server) -> None:
        death = signal.SIGINT if server.name == "PostgreSQL" else signal.SIGTERM
        self.running[server.name] = self._spawn(server.argv, server.folder, server.log, death)

    def _await(self, server: Server) -> None:
        process = self.running[server.name]
        self._wait_until(
            lambda: process.poll() is not None or server.is_ready(),
            f"Waiting for {server.name} ...",
            READY_SECONDS,
        )
        if process.poll() is not None:
            raise EmbeddedError(f"{server.name} did not start (code {process.returncode}).{tail(server.log)}")

    def _wait_until(self, condition: Callable[[], bool], text: str, seconds: float) -> None:
        start = pulse = time.monotonic()
        while not condition():
            now = time.monotonic()
            if self.must_stop or now - start > seconds:
                raise EmbeddedError(f"Stopped while waiting. {text} See {self.places.logs}.")
            if now - pulse > _PULSE_SECONDS:
                pulse = now
                self._say(text)
            self._pump(0.03)

    def _spawn(self, argv: list[str], folder: Path, log: Path, death: int) -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
                argv,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=children.server_environment(),
                preexec_fn=children.die_with_parent(death),
                **children.switch(self.account),
            )

    def _make_folder(self, folder: Path) -> None:
        account = self.account
        folders.make(
            folder, 0o700, user=account.user if account else None, group=account.group if account else None
        )

    def _stop_all(self) -> None:
        for name, steps in (
            ("Valkey", [(signal.SIGTERM, 10.0)]),
            ("PostgreSQL", [(signal.SIGINT, 60.0), (signal.SIGQUIT, 10.0)]),
        ):
            process = self.running.get(name)
            for number, seconds in steps if process else ():
                if process is not None and process.poll() is None:
                    process.send_signal(number)
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(seconds)
            if process is not None:
                code = children.stop(process, signal.SIGKILL, 5)
                _log(f"{name} has stopped with code {code}.")
        self.places.control.unlink(missing_ok=True)

    # the control socket

    def _listen_for_signals(self) -> None:
        """Any signal wakes the selector, so that waiting needs no polling."""
        reader, writer = socket.socketpair()
        reader.setblocking(False)
        writer.setblocking(False)
        self._signal_pair = (reader, writer)
        signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_stop_signal)
        self.selector.register(reader, selectors.EVENT_READ, self._drain)

    def _on_stop_signal(self, number: int, _frame: object) -> None:
        _log(f"Stopping on signal {number}.")
        self.must_stop = True

    def _listen_for_leases(self) -> None:
        self.places.control.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.places.control))
        listener.listen(128)
        listener.setblocking(False)
        self.selector.register(listener, selectors.EVENT_READ, self._accept)
        self.listener = listener

    def _pump(self, seconds: float | None) -> None:
        for key, _ in self.selector.select(seconds):
            key.data(key.fileobj)

    def _drain(self, reader: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError):
            reader.recv(4096)

    def _accept(self, listener: socket.socket) -> None:
        try:
            lease, _ = listener.accept()
        except OSError:
            return
        lease.setblocking(False)
        self.leases.add(lease)
        self.selector.register(lease, selectors.EVENT_READ, self._hear)
        if self.is_ready:
            self._send(lease, "ready")

    def _hear(self, lease: socket.socket) -> None:
        """Holders say nothing; readable means gone."""
        try:
            if lease.recv(4096):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._forget(lease)

    def _forget(self, lease: socket.socket) -> None:
        self.leases.discard(lease)
        with contextlib.suppress(KeyError, ValueError):
            self.selector.unregister(lease)
        lease.close()

    def _say(self, text: str) -> None:
        _log(text)
        self._tell(f"say {text}")

    def _tell(self, line: str) -> None:
        self._pump(0)
        for lease in list(self.leases):
            self._send(lease, line)

    def _send(self, lease: socket.socket, line: str) -> None:
        try:
            lease.sendall(line.replace("\n", "\\n").encode() + b"\n")
        except OSError:
            self._forget(lease)

    def _close_door(self) -> None:
        self.places.control.unlink(missing_ok=True)
        if self.listener is not None:
            self.listener.close()


def tail(log: Path, lines: int = 8) -> str:
    """The end of a log for an error message, with its path."""
    try:
        text = log.read_bytes()[-4000:].decode(errors="replace")
    except OSError:
        return f" See {log}."
    return "\n".join(["", f"The end of {log}:", *text.splitlines()[-lines:]])


def _servers(places: Addresses, programs: binaries.Binaries) -> list[Server]:
    return [
        Server(
            name="PostgreSQL",
            argv=postgres.command(places, programs),
            folder=places.home,
            log=places.logs / "postgres.log",
            is_ready=lambda: postgres.is_ready(places, programs),
            stop_signal=signal.SIGINT,
            stop_seconds=60,
        ),
        Server(
            name="Valkey",
            argv=valkey.command(places, programs),
            folder=places.valkey_data,
            log=places.logs / "valkey.log",
            is_ready=lambda: valkey.is_ready(places),
            stop_signal=signal.SIGTERM,
            stop_seconds=10,
        ),
    ]


def _log(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} [{os.getpid()}] {text}\n")
    sys.stderr.flush()


def _lock(path: Path) -> int | None:
    """The supervisor's lock, held until the process ends; waits for one that is still stopping its servers."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + LOCK_SECONDS
    while time.monotonic() < deadline:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except BlockingIOError:
            time.sleep(0.05)
    return None


def main(argv: list[str]) -> int:
    """Run the supervisor for the checkout named by the only argument."""
    os.umask(0o077)
    places = addresses(Path(argv[0]))
    if _lock(places.home / "supervisor.lock") is None:
        _log("Another supervisor did not end in time.")
        return 1
    for log in places.logs.glob("*.log"):
        if log.stat().st_size > _LOG_BYTES:
            shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)
    grace = float(os.environ.get("WEGWEISER_EMBEDDED_GRACE", GRACE_SECONDS))
    return Supervisor(places, grace).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
