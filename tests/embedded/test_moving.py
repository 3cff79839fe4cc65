"""Data of another major version are recognised, and the two printed commands move them."""

import os
import subprocess

import pytest

from apps.embedded import accounts, children, servers
from apps.embedded.addresses import addresses
from apps.embedded.errors import EmbeddedError
from apps.embedded.moving import dump
from tests.embedded.checkouts import PROJECT, log_of, query, server_programs

OLD = 16


def run_as(account: children.Account | None, argv: list[str]) -> None:
    subprocess.run(
        argv,
        check=True,
        capture_output=True,
        env=children.server_environment(),
        user=account.user if account else None,
        group=account.group if account else None,
        extra_groups=[] if account else None,
    )


@pytest.fixture
def old_root(used_root):
    """A checkout whose database was made by PostgreSQL 16, in the locale that LANG happened to have."""
    places = addresses(used_root)
    programs = server_programs(places, OLD)
    account = accounts.server_account(places.postgres_data.stat().st_uid)
    places.postgres_data.rename(places.home / "postgres-18.unused")
    places.postgres_data.mkdir(mode=0o700)
    if account:
        os.chown(places.postgres_data, account.user, account.group)
    data = str(places.postgres_data)
    run_as(account, [programs.program("initdb"), "-A", "trust", "-U", "postgres", "--no-sync", "-D", data])
    control = [programs.program("pg_ctl"), "-D", data, "-w", "-l", f"{data}/first.log"]
    run_as(account, [*control, "-o", f"-k {places.sockets} -c listen_addresses=", "start"])
    try:
        run_as(
            account,
            [
                programs.program("psql"),
                *postgres_options(places),
                "-c",
                "CREATE DATABASE wegweiser ENCODING 'UTF8' TEMPLATE template0",
            ],
        )
        query(places, "CREATE EXTENSION vector")
        query(places, "CREATE TABLE kept AS SELECT '[1,2,3]'::vector AS v, 'Straße' AS t")
        query(places, "CREATE INDEX ON kept USING hnsw ((v::vector(3)) vector_cosine_ops)")
    finally:
        run_as(account, [*control, "stop"])
    return used_root


def postgres_options(places):
    return ["-XAtq", "-h", str(places.sockets), "-U", "postgres", "-d", "postgres"]


def test_the_two_printed_commands_move_the_data_of_an_older_version(old_root):
    with pytest.raises(EmbeddedError, match=r"are of PostgreSQL 16, the installed server is 18") as error:
        servers.ensure(old_root)
    commands = [line.strip() for line in str(error.value).splitlines()[1:]]
    assert len(commands) == 2
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=PROJECT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    lease = servers.ensure(old_root)
    places = addresses(old_root)
    assert query(places, "SELECT v::text, t, lower('Ä') FROM kept") == [("[1,2,3]", "Straße", "ä")]
    assert (places.home / "postgres-16.old" / "PG_VERSION").exists()
    lease.release()


@pytest.mark.parametrize("content", ["99", "", "sixteen"], ids=["newer", "empty", "nonsense"])
def test_data_of_an_unknown_version_are_left_alone(used_root, content):
    version = addresses(used_root).postgres_data / "PG_VERSION"
    version.write_text(content)
    with pytest.raises(EmbeddedError, match=r"of PostgreSQL 99|no PostgreSQL data folder"):
        servers.ensure(used_root)
    assert version.read_text() == content
    assert "is started again" not in log_of(used_root)


def test_there_is_nothing_to_dump_without_old_data(root):
    with pytest.raises(EmbeddedError, match="nothing to move"):
        dump(addresses(root))
