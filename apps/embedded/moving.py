"""Moves the data to another major version of PostgreSQL: `python -m apps.embedded.moving dump|restore ROOT`.

A dump, because the old cluster may have another locale, and pg_upgrade would keep it.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path

from apps.embedded import accounts, binaries, children, folders, locks, postgres
from apps.embedded.addresses import DATABASE, Addresses, addresses
from apps.embedded.binaries import POSTGRES_MAJOR, Binaries
from apps.embedded.errors import EmbeddedError
from apps.embedded.logs import tail
from apps.embedded.servers import ensure

_LOCK_SECONDS = 10.0


def dump(places: Addresses) -> str:
    """Write the database to a file with the old server's help and set its folder aside; says what was done."""
    folders.prepare(places)
    version = postgres.data_version(places)
    if version is None or version == POSTGRES_MAJOR:
        raise EmbeddedError(f"There is nothing to move in {places.postgres_data}.")
    if not locks.hold_supervisor(places.home, _LOCK_SECONDS):
        raise EmbeddedError("The servers are running: stop what uses them first.")
    account = accounts.server_account(postgres.data_owner(places))
    programs = binaries.for_other_user(places.home, version) if account else binaries.find(version)
    postgres.clear_leftovers(places)
    folders.renew_private(places.sockets, account)
    log = places.logs / "postgres.log"
    server = children.spawn(postgres.command(places, programs), places.home, log, signal.SIGINT, account)
    file = places.home / f"postgres-{version}.dump"
    try:
        while not postgres.is_ready(places, programs):
            if server.poll() is not None:
                raise EmbeddedError(f"PostgreSQL {version} did not start.{tail(log)}")
            time.sleep(0.1)
        passing = file.with_suffix(".partial")
        _run(programs, "pg_dump", "-Fc", "-f", str(passing), *postgres.connection(places, DATABASE))
        passing.rename(file)
    finally:
        children.stop(server, ((signal.SIGINT, 60.0),))
    aside = places.home / f"postgres-{version}.old"
    places.postgres_data.rename(aside)
    return f"The data are in {file}, the old folder is now {aside}. Next: restore."


def restore(places: Addresses) -> str:
    """Read the newest dump into an empty database of the installed version; says what was done."""
    dumps = sorted(places.home.glob("postgres-*.dump"), key=lambda path: path.stat().st_mtime)
    if not dumps:
        raise EmbeddedError(f"There is no dump in {places.home}: run dump first.")
    lease = ensure(places.root)
    try:
        programs = binaries.find()
        tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        if postgres.query(places, programs, tables, DATABASE) != "0":
            raise EmbeddedError(f"The database {DATABASE} is not empty: nothing was restored.")
        options = ["--no-owner", "--exit-on-error", "--single-transaction", *postgres.connection(places, DATABASE)]
        _run(programs, "pg_restore", *options, str(dumps[-1]))
    finally:
        lease.release()
    return f"Restored from {dumps[-1]}. When all is well, remove it and {places.home}/postgres-*.old."


def _run(programs: Binaries, name: str, *options: str) -> None:
    argv = [programs.program(name), *options]
    done = subprocess.run(argv, env=children.server_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise EmbeddedError(f"{name} failed: {done.stderr.strip()}")


def main(argv: list[str]) -> int:
    """Run one of the two steps."""
    steps = {"dump": dump, "restore": restore}
    if len(argv) != 2 or argv[0] not in steps:
        sys.stderr.write("Say: python -m apps.embedded.moving dump|restore ROOT\n")
        return 2
    try:
        sys.stdout.write(f"{steps[argv[0]](addresses(Path(argv[1])))}\n")
    except (EmbeddedError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
