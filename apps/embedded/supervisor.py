"""A small detached process that runs PostgreSQL and Valkey for as long as anyone holds a lease.

`python -m apps.embedded.supervisor ROOT`, started by `servers.ensure`. A server that dies is started again, up to
three times in ten minutes; after that everything stops, with the reason in var/log/supervisor.log.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from apps.embedded import accounts, binaries, children, folders, locks, postgres, valkey
from apps.embedded.addresses import Addresses, addresses
from apps.embedded.children import Account
from apps.embedded.door import Door
from apps.embedded.errors import EmbeddedError
from apps.embedded.logs import log, rotate, tail

GRACE_SECONDS = 5.0
RESTARTS = 3
RESTART_WINDOW = 600.0
# recovery after a crash reads the whole data folder
READY_SECONDS = 1800.0
_PULSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Server:
    """One server: how it is started and known to be ready, and how it stops (signals with seconds to wait)."""

    name: str
    argv: list[str]
    folder: Path
    log: Path
    is_ready: Callable[[], bool]
    clear_leftovers: Callable[[], None]
    stops: tuple[tuple[int, float], ...]


class Supervisor:
    """Owns the servers of one checkout. Single-threaded: children die with the thread that made them."""

    def __init__(self, places: Addresses, grace: float) -> None:
        self.places = places
        self.grace = grace
        self.must_stop = False
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_stop_signal)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.door = Door(places.control)
        self.account: Account | None = None
        self.running: list[tuple[Server, subprocess.Popen[bytes]]] = []
        self.deaths: list[float] = []

    def run(self) -> int:
        """Start, serve until the last lease has gone or a signal came, stop. Returns an exit code."""
        try:
            self._start_all()
            self._serve()
        except (EmbeddedError, OSError) as error:
            log(f"{error}")
            self.door.tell_failure(_sentence(error, self.places))
            return 1
        finally:
            # nobody may take a lease on servers that are about to stop
            self.door.close()
            self._stop_all()
        return 0

    def _start_all(self) -> None:
        places = self.places
        postgres.check_version(places)
        self.account = accounts.server_account(postgres.data_owner(places))
        programs = binaries.for_other_user(places.home) if self.account else binaries.find()
        if self.account:
            self._say(f"PostgreSQL and Valkey run as the user {self.account.name}, because you are root.")
        servers = _servers(places, programs)
        for server in servers:
            server.clear_leftovers()
        folders.renew_private(places.sockets, self.account)
        folders.make_private(places.valkey_data, self.account)
        if not places.postgres_data.exists():
            self._create_cluster(programs)
        for server in servers:
            self.running.append((server, self._spawn(server)))
        for server, process in self.running:
            if not self._is_up(server, process):
                raise EmbeddedError(f"{server.name} did not start (code {process.returncode}).{tail(server.log)}")
        postgres.create_database(places, programs)
        self.door.tell_ready()

    def _serve(self) -> None:
        empty_since = time.monotonic()
        while not self.must_stop:
            # a restart hears signals while it waits: another server may have died meanwhile
            if self._has_restarted():
                continue
            if self.door.leases:
                empty_since = time.monotonic()
            remaining = empty_since + self.grace - time.monotonic()
            if remaining <= 0:
                log("The last lease has gone.")
                return
            self.door.wait(None if self.door.leases else remaining)

    def _has_restarted(self) -> bool:
        for index, (server, process) in enumerate(self.running):
            if process.poll() is not None:
                self.running[index] = (server, self._restart(server, process.returncode))
                return True
        return False

    def _restart(self, server: Server, code: int) -> subprocess.Popen[bytes]:
        """Start a dead server until it answers; EmbeddedError when it has died too often."""
        while True:
            now = time.monotonic()
            self.deaths = [moment for moment in self.deaths if now - moment < RESTART_WINDOW]
            if len(self.deaths) >= RESTARTS:
                raise EmbeddedError(f"{server.name} ended again and again (code {code}).{tail(server.log)}")
            self.deaths.append(now)
            log(f"{server.name} ended with code {code} and is started again.")
            server.clear_leftovers()
            process = self._spawn(server)
            if self._is_up(server, process):
                return process
            code = process.returncode

    def _create_cluster(self, programs: binaries.Binaries) -> None:
        self._say("Creating the database (once) ...")
        new = postgres.new_data(self.places)
        folders.make_private(new, self.account)
        output = self.places.logs / "postgres.log"
        argv = postgres.init_command(self.places, programs)
        process = children.spawn(argv, self.places.home, output, signal.SIGKILL, self.account)
        try:
            self._wait_until(lambda: process.poll() is not None, "The database is being created ...")
        finally:
            children.stop(process, ())
        if process.returncode:
            raise EmbeddedError(f"The database could not be created.{tail(output)}")
        new.rename(self.places.postgres_data)

    def _spawn(self, server: Server) -> subprocess.Popen[bytes]:
        return children.spawn(server.argv, server.folder, server.log, server.stops[0][0], self.account)

    def _is_up(self, server: Server, process: subprocess.Popen[bytes]) -> bool:
        """Wait until a server answers or has ended; whether it answers."""
        self._wait_until(lambda: process.poll() is not None or server.is_ready(), f"Waiting for {server.name} ...")
        return process.poll() is None

    def _wait_until(self, condition: Callable[[], bool], text: str) -> None:
        start = pulse = time.monotonic()
        while not condition():
            now = time.monotonic()
            if self.must_stop or now - start > READY_SECONDS:
                raise EmbeddedError(f"Stopped while waiting. {text} See {self.places.logs}.")
            if now - pulse > _PULSE_SECONDS:
                pulse = now
                self._say(text)
            self.door.wait(0.03)

    def _stop_all(self) -> None:
        """Valkey first, then PostgreSQL: the other way round than they were started."""
        for server, process in reversed(self.running):
            code = children.stop(process, server.stops)
            log(f"{server.name} has stopped with code {code}.")

    def _say(self, text: str) -> None:
        log(text)
        self.door.tell(f"say {text}")

    def _on_stop_signal(self, number: int, _frame: object) -> None:
        log(f"Stopping on signal {number}.")
        self.must_stop = True


def _servers(places: Addresses, programs: binaries.Binaries) -> list[Server]:
    return [
        Server(
            name="PostgreSQL",
            argv=postgres.command(places, programs),
            folder=places.home,
            log=places.logs / "postgres.log",
            is_ready=lambda: postgres.is_ready(places, programs),
            clear_leftovers=lambda: postgres.clear_leftovers(places),
            # fast, then immediate; never SIGTERM, which waits for every client
            stops=((signal.SIGINT, 60.0), (signal.SIGQUIT, 10.0)),
        ),
        Server(
            name="Valkey",
            argv=valkey.command(places, programs),
            folder=places.valkey_data,
            log=places.logs / "valkey.log",
            is_ready=lambda: valkey.is_ready(places),
            clear_leftovers=lambda: valkey.clear_leftovers(places),
            stops=((signal.SIGTERM, 10.0),),
        ),
    ]


def _sentence(error: EmbeddedError | OSError, places: Addresses) -> str:
    return str(error) if isinstance(error, EmbeddedError) else folders.sentence(error, places)


def main(argv: list[str]) -> int:
    """Run the supervisor for the checkout named by the only argument."""
    os.umask(0o077)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    places = addresses(Path(argv[0]))
    try:
        grace = float(os.environ.get("WEGWEISER_EMBEDDED_GRACE") or GRACE_SECONDS)
    except ValueError:
        log("WEGWEISER_EMBEDDED_GRACE must be a number of seconds.")
        return 1
    if not locks.hold_supervisor(places.home):
        log(f"Another supervisor does not end: process {locks.supervisor(places.home)}. End it, then start again.")
        return 1
    for path in places.logs.glob("*.log"):
        if path.stem in {"postgres", "valkey", "supervisor"}:
            rotate(path)
    return Supervisor(places, grace).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
