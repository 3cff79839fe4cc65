"""The servers start once, live as long as somebody holds them, survive every kind of death and leave nothing."""

import os
import shutil
import signal
import stat
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import pytest
import redis

from apps.embedded import accounts, children, servers
from apps.embedded.addresses import addresses
from apps.embedded.errors import EmbeddedError
from tests.embedded.checkouts import (
    command_lines,
    log_of,
    processes_of,
    query,
    server_programs,
    supervisor_of,
    wait_for,
)

ANSWER = "SELECT 1"


def stop_and_wait(root: Path) -> None:
    assert wait_for(lambda: not processes_of(root)), processes_of(root)


def postmaster_of(root: Path) -> int:
    return int((addresses(root).postgres_data / "postmaster.pid").read_text().splitlines()[0])


def test_a_first_start_gives_both_servers_with_german_text_search(root):
    lease = servers.ensure(root)
    places = addresses(root)
    found = query(
        places,
        "SELECT datlocprovider, datlocale, lower('ÄÖÜ'), 'ÄPFEL' ILIKE 'äpfel', to_tsvector('german', 'Ärzte')::text"
        " FROM pg_database WHERE datname = current_database()",
    )
    assert found == [("b", "C.UTF-8", "äöü", True, "'arzt':1")]
    assert redis.from_url(places.cache_url).ping()
    assert stat.S_IMODE(places.sockets.stat().st_mode) == 0o700
    assert query(places, "SHOW listen_addresses") == [("",)]
    lease.release()
    stop_and_wait(root)
    assert not places.control.exists()
    assert list(places.sockets.iterdir()) == []


def test_a_second_start_finds_the_data_of_the_first(root):
    lease = servers.ensure(root)
    query(addresses(root), "CREATE TABLE kept AS SELECT 7 AS n")
    redis.from_url(addresses(root).cache_url).set("kept", "7")
    lease.release()
    stop_and_wait(root)
    again = servers.ensure(root)
    assert query(addresses(root), "SELECT n FROM kept") == [(7,)]
    assert redis.from_url(addresses(root).cache_url).get("kept") == b"7"
    again.release()


def test_a_process_has_one_lease_however_often_it_asks(used_root):
    found = []
    threads = [threading.Thread(target=lambda: found.append(servers.ensure(used_root))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(map(id, found))) == 1
    found[0].release()


def test_a_forked_child_keeps_the_servers_when_its_parent_leaves(used_root):
    lease = servers.ensure(used_root)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
    lease.release()
    assert not wait_for(lambda: not processes_of(used_root), 0.6)
    assert query(addresses(used_root), ANSWER) == [(1,)]
    os.close(reader)
    os.close(writer)
    os.waitpid(child, 0)
    stop_and_wait(used_root)


def test_a_forked_child_that_asks_gets_a_lease_of_its_own(used_root):
    lease = servers.ensure(used_root)
    child = os.fork()
    if child == 0:
        own = servers.ensure(used_root)
        os._exit(0 if own is not lease and own.is_live else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert lease.is_live
    lease.release()


def test_the_servers_outlive_all_but_the_last_holder_even_after_kill_9(used_root, hold):
    first, second = hold(used_root).wait_ready(), hold(used_root).wait_ready()
    first.kill()
    assert not wait_for(lambda: not processes_of(used_root), 0.6)
    assert query(addresses(used_root), ANSWER) == [(1,)]
    second.kill()
    stop_and_wait(used_root)
    assert "PostgreSQL has stopped with code 0" in log_of(used_root)


def test_four_first_starts_at_once_start_one_supervisor(root, hold):
    holders = [hold(root) for _ in range(4)]
    for holder in holders:
        holder.wait_ready()
    assert log_of(root).count("Creating the database") == 1
    assert sum(f"apps.embedded.supervisor {root}" in line for line in command_lines().values()) == 1
    assert [holder.leave() for holder in holders] == ["", "", "", ""]


def test_who_comes_while_the_servers_stop_gets_new_ones(used_root, hold):
    hold(used_root).wait_ready().kill()
    for _ in range(3):
        holder = hold(used_root).wait_ready()
        assert query(addresses(used_root), ANSWER) == [(1,)]
        holder.kill()
        wait_for(lambda: not addresses(used_root).control.exists())


def test_a_killed_supervisor_takes_the_servers_along_and_the_next_start_recovers(used_root):
    lease = servers.ensure(used_root)
    query(addresses(used_root), "CREATE TABLE kept AS SELECT 7 AS n")
    os.kill(supervisor_of(used_root), signal.SIGKILL)
    if children.die_with_parent(signal.SIGTERM) is not None:
        stop_and_wait(used_root)
    assert wait_for(lambda: not lease.is_live)
    again = servers.ensure(used_root)
    assert again is not lease
    assert query(addresses(used_root), "SELECT n FROM kept") == [(7,)]
    again.release()


def test_everything_killed_at_once_recovers(used_root):
    lease = servers.ensure(used_root)
    query(addresses(used_root), "CREATE TABLE kept AS SELECT 7 AS n")
    for pid in processes_of(used_root):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert wait_for(lambda: not lease.is_live)
    again = servers.ensure(used_root)
    assert query(addresses(used_root), "SELECT n FROM kept") == [(7,)]
    again.release()


def test_leftovers_of_a_killed_supervisor_are_stopped_by_the_next(used_root):
    """As on macOS, where the kernel does not end them: a server nobody owns is in the way."""
    places = addresses(used_root)
    programs = server_programs(places)
    account = accounts.server_account(places.postgres_data.stat().st_uid)
    left = subprocess.Popen(
        [programs.program("postgres"), "-D", str(places.postgres_data), "-k", str(places.sockets)],
        cwd=places.home,
        env=children.server_environment(),
        stderr=subprocess.DEVNULL,
        user=account.user if account else None,
    )
    assert wait_for(lambda: answers_sql(used_root))
    lease = servers.ensure(used_root)
    assert left.wait(5) == 0
    assert query(places, ANSWER) == [(1,)]
    lease.release()


def test_no_postmaster_pid_file_is_in_the_way(used_root):
    places = addresses(used_root)
    owner = places.postgres_data.stat().st_uid
    stranger = subprocess.Popen(["sleep", "60"], user=owner if os.geteuid() == 0 else None)
    contents = {
        "empty": "",
        "truncated": "123",
        "nonsense": "no number\n",
        "a dead process": f"999999\n{places.postgres_data}\n",
        "a reused process id": f"{stranger.pid}\n{places.postgres_data}\n0\n5432\n{places.sockets}\n\n 1 1\nready\n",
    }
    try:
        for name, content in contents.items():
            pid_file = places.postgres_data / "postmaster.pid"
            pid_file.write_text(content)
            os.chown(pid_file, owner, -1)
            lease = servers.ensure(used_root)
            assert query(places, ANSWER) == [(1,)], name
            lease.release()
            stop_and_wait(used_root)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_server_that_dies_is_started_again_and_given_up_when_it_keeps_dying(used_root):
    lease = servers.ensure(used_root)
    client = redis.from_url(addresses(used_root).cache_url)
    for _ in range(2):
        [valkey] = children.running_in("valkey-server", addresses(used_root).valkey_data)
        os.kill(valkey, signal.SIGKILL)

        def is_back(old: int = valkey) -> bool:
            return old not in children.running_in("valkey-server", addresses(used_root).valkey_data) and answers(client)

        assert wait_for(is_back)
    before = postmaster_of(used_root)
    os.kill(before, signal.SIGKILL)
    assert wait_for(lambda: log_of(used_root).count("is started again") == 3)
    assert wait_for(lambda: answers_sql(used_root) and postmaster_of(used_root) != before)
    os.kill(postmaster_of(used_root), signal.SIGKILL)
    stop_and_wait(used_root)
    assert "PostgreSQL ended again and again" in log_of(used_root)
    assert not lease.is_live
    # the next start recovers, and frees the shared memory of the killed server
    again = servers.ensure(used_root)
    assert query(addresses(used_root), ANSWER) == [(1,)]
    again.release()


def answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def answers_sql(root: Path) -> bool:
    try:
        return query(addresses(root), ANSWER) == [(1,)]
    except Exception:
        return False


def test_a_server_that_cannot_start_says_why_and_leaves_nothing(used_root):
    with (addresses(used_root).postgres_data / "postgresql.conf").open("a") as settings:
        settings.write("\nno_such_setting = 1\n")
    with pytest.raises(EmbeddedError, match=r"PostgreSQL did not start(?s:.*)no_such_setting"):
        servers.ensure(used_root)
    stop_and_wait(used_root)


def test_an_interrupted_first_start_is_begun_afresh(used_root):
    places = addresses(used_root)
    half = places.home / "postgres.new"
    shutil.move(places.postgres_data, half)
    (half / "PG_VERSION").unlink()
    lease = servers.ensure(used_root)
    assert query(places, ANSWER) == [(1,)]
    assert not half.exists()
    lease.release()


def test_failing_statements_keep_readers_words_out_of_the_log(used_root):
    lease = servers.ensure(used_root)
    query(addresses(used_root), "CREATE TABLE asked (question text UNIQUE)")
    query(addresses(used_root), "INSERT INTO asked VALUES ('Wen soll Erika wählen?')")
    for statement in (
        "INSERT INTO asked VALUES ('Wen soll Erika wählen?')",
        "SELECT 'Wen soll Erika wählen?' FROM nowhere",
    ):
        with pytest.raises(Exception, match=r"already exists|does not exist"):
            query(addresses(used_root), statement)
    lease.release()
    stop_and_wait(used_root)
    log = (used_root / "var/log/postgres.log").read_text()
    assert "does not exist" in log
    assert "Erika" not in log


def test_two_checkouts_do_not_disturb_each_other(used_root, hold):
    other = used_root / "other"
    other.mkdir()
    lease, neighbour = servers.ensure(used_root), hold(other).wait_ready()
    query(addresses(used_root), "CREATE TABLE here AS SELECT 1 AS n")
    assert query(addresses(other), "SELECT to_regclass('here')") == [(None,)]
    neighbour.kill()
    assert wait_for(lambda: not processes_of(other))
    assert query(addresses(used_root), ANSWER) == [(1,)]
    lease.release()
