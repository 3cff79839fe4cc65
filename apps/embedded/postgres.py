"""How the supervisor creates, starts and asks PostgreSQL."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from apps.embedded import children
from apps.embedded.addresses import DATABASE, DATABASE_USER, PORT, Addresses
from apps.embedded.binaries import POSTGRES_MAJOR, Binaries
from apps.embedded.errors import EmbeddedError

# Parallel index builds of pgvector put their graph there; Docker gives it 64 MB
_SHARED_MEMORY = Path("/dev/shm")
_ENOUGH_SHARED_MEMORY = 512 * 1024 * 1024

_SETTINGS = {
    "listen_addresses": "",
    "port": PORT,
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "maintenance_work_mem": "256MB",
    "effective_cache_size": "1GB",
    "max_wal_size": "1GB",
    "wal_compression": "pglz",
    "random_page_cost": "1.1",
    "jit": "off",
    "lc_messages": "C",
    "logging_collector": "off",
    "log_destination": "stderr",
    # readers' words must not reach a log: no failing statement, no row in a DETAIL line
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}


def command(places: Addresses, binaries: Binaries) -> list[str]:
    """The server in the foreground, on a unix socket only."""
    argv = [binaries.program("postgres"), "-D", str(places.postgres_data), "-k", str(places.sockets)]
    for name, value in {**_SETTINGS, "dynamic_shared_memory_type": _shared_memory_type()}.items():
        argv += ["-c", f"{name}={value}"]
    return argv


def init_command(places: Addresses, binaries: Binaries) -> list[str]:
    """A new cluster under a passing name. Its locale never depends on LANG, else 'Ä' has no lower case."""
    return [
        *[
            binaries.program("initdb"),
            "-A",
            "trust",
            "-E",
            "UTF8",
            "-U",
            DATABASE_USER,
            "-D",
            str(new_data(places)),
        ],
        *["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
    ]


def new_data(places: Addresses) -> Path:
    """Where a cluster is built; it is renamed when whole, so that an interrupted initdb leaves nothing to trip over."""
    return places.home / "postgres.new"


def check_version(places: Addresses) -> None:
    """Raise EmbeddedError, with the commands that move the data, when another major version wrote them."""
    found = data_version(places)
    if found not in {None, POSTGRES_MAJOR}:
        command = f"{shlex.quote(sys.executable)} -m apps.embedded.moving"
        root = shlex.quote(str(places.root))
        raise EmbeddedError(
            f"The data in {places.postgres_data} are of PostgreSQL {found}, the installed server is "
            f"{POSTGRES_MAJOR}. Move them with these two commands, then start again:\n"
            f"  {command} dump {root}\n  {command} restore {root}"
        )


def data_version(places: Addresses) -> int | None:
    """The major version that wrote the data, None when there are none."""
    data = places.postgres_data
    if not data.exists():
        return None
    try:
        return int((data / "PG_VERSION").read_text())
    except (OSError, ValueError) as error:
        raise EmbeddedError(
            f"{data} is no PostgreSQL data folder: its file PG_VERSION cannot be read. "
            "Restore the folder from a backup, or move it away to begin with an empty database."
        ) from error


def clear_leftovers(places: Addresses) -> None:
    """Stop what an earlier supervisor left running in our data folder, then remove its lock files.

    PostgreSQL refuses to start when postmaster.pid is empty or its process id is alive again as something else.
    Only the holder of the supervisor's lock may call this.
    """
    data = places.postgres_data

    def everyone() -> list[int]:
        return children.running_in("postgres", data, new_data(places))

    def masters() -> list[int]:
        return [pid for pid in everyone() if children.has_argument(pid, "-D")]

    # SIGINT means something else to the processes below the postmaster
    children.end(masters, [(signal.SIGINT, 30)])
    is_quiet = children.end(everyone, [(signal.SIGQUIT, 10), (signal.SIGKILL, 10)])
    if not is_quiet:
        raise EmbeddedError(f"An old PostgreSQL still works in {data} and cannot be stopped: end it, then start again.")
    socket = places.sockets / f".s.PGSQL.{PORT}"
    for path in (socket, socket.with_name(f"{socket.name}.lock")):
        path.unlink(missing_ok=True)
    # orphaned backends cannot be seen without /proc: there PostgreSQL's own check must stay
    if children.LINUX or not _names_dead_process(data / "postmaster.pid"):
        (data / "postmaster.pid").unlink(missing_ok=True)
    shutil.rmtree(new_data(places), ignore_errors=True)


def is_ready(places: Addresses, binaries: Binaries) -> bool:
    """Whether the server takes connections."""
    argv = [binaries.program("pg_isready"), "-q", "-t", "3", *connection(places, "postgres")]
    return subprocess.run(argv, env=children.server_environment(), check=False).returncode == 0


def connection(places: Addresses, database: str) -> list[str]:
    """The options that point PostgreSQL's own programs at our server."""
    return ["-h", str(places.sockets), "-p", PORT, "-U", DATABASE_USER, "-d", database]


def create_database(places: Addresses, binaries: Binaries) -> None:
    """Create our database unless it is there, with the cluster's locale spelt out."""
    if query(places, binaries, f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'") == "1":
        return
    query(
        places,
        binaries,
        f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' "
        "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'",
    )


def data_owner(places: Addresses) -> int | None:
    """The user id that owns the data, or None when there are none."""
    return places.postgres_data.stat().st_uid if places.postgres_data.exists() else None


def query(places: Addresses, binaries: Binaries, statement: str, database: str = "postgres") -> str:
    """Run one statement through psql; its bare answer. Raises EmbeddedError with the server's message."""
    argv = [binaries.program("psql"), "-XAtq", *connection(places, database), "-c", statement]
    answer = subprocess.run(argv, env=children.server_environment(), capture_output=True, text=True, check=False)
    if answer.returncode:
        raise EmbeddedError(f"PostgreSQL refuses: {answer.stderr.strip()}")
    return answer.stdout.strip()


def _names_dead_process(pid_file: Path) -> bool:
    try:
        os.kill(int(pid_file.read_text().splitlines()[0]), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, IndexError):
        return False
    return False


def _shared_memory_type() -> str:
    try:
        state = os.statvfs(_SHARED_MEMORY)
    except OSError:
        return "posix"
    return "posix" if state.f_bavail * state.f_frsize >= _ENOUGH_SHARED_MEMORY else "mmap"
