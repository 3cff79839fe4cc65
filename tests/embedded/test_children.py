"""Servers are recognised by what they are and where they work, never by a bare process id."""

import shutil
import signal
import subprocess
import sys

import pytest

from apps.embedded import accounts, children, postgres, valkey
from apps.embedded.addresses import addresses
from tests.embedded.checkouts import server_programs, wait_for


@pytest.fixture(params=[True, False], ids=["by folder", "by command line"])
def way(request, monkeypatch):
    """Linux's way, and that of systems without /proc."""
    if request.param and sys.platform != "linux":
        pytest.skip("needs /proc")
    if not request.param and shutil.which("ps") is None:
        pytest.skip("needs ps")
    monkeypatch.setattr(children, "LINUX", request.param)


@pytest.fixture
def orphans(used_root, way):
    """Both servers without a supervisor, as a killed one leaves them on macOS."""
    places = addresses(used_root)
    programs = server_programs(places)
    account = accounts.server_account(postgres.data_owner(places))
    log = used_root / "var/log/orphans.log"
    found = [
        children.spawn(postgres.command(places, programs), places.home, log, signal.SIGINT, account),
        children.spawn(valkey.command(places, programs), places.valkey_data, log, signal.SIGTERM, account),
    ]
    assert wait_for(lambda: postgres.is_ready(places, programs) and valkey.is_ready(places))
    yield found
    for process in found:
        children.stop(process, ((signal.SIGINT, 20),))


def test_running_servers_are_found_and_strangers_are_not(used_root, orphans):
    places = addresses(used_root)
    # works in the same folder, and names a file in it
    file = str(places.postgres_data / "postgresql.conf")
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)", file], cwd=places.postgres_data)
    try:
        found = children.running_in("postgres", places.postgres_data)
        assert orphans[0].pid in found
        assert stranger.pid not in found
        assert children.running_in("valkey-server", places.valkey_data, places.sockets) == [orphans[1].pid]
        assert children.running_in("postgres", places.home / "elsewhere") == []
    finally:
        stranger.kill()
        stranger.wait()


def test_orphaned_servers_are_stopped_in_good_order(used_root, orphans):
    places = addresses(used_root)
    postgres.clear_leftovers(places)
    valkey.clear_leftovers(places)
    assert [process.wait(5) for process in orphans] == [0, 0]
    assert not places.valkey_socket.exists()
    assert not (places.postgres_data / "postmaster.pid").exists()


def test_a_zombie_is_not_running(tmp_path, way):
    argument = str(tmp_path / "x")
    child = subprocess.Popen(["tail", "-F", argument], cwd=tmp_path, stderr=subprocess.DEVNULL)
    assert wait_for(lambda: children.running_in("tail", tmp_path) == [child.pid])
    child.kill()
    assert wait_for(lambda: children.running_in("tail", tmp_path) == [])
    child.wait()


def test_a_process_that_ignores_its_signals_is_killed(tmp_path):
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE)
    child.stdout.readline()
    assert children.stop(child, ((signal.SIGTERM, 0.2),)) == -signal.SIGKILL
    child.stdout.close()
