"""Where things are: short enough for sockets, plain enough for URLs, private enough for `trust`."""

import contextlib
import os
import socket
import stat
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from kombu import Connection

from apps.embedded import folders, servers
from apps.embedded.addresses import SOCKET_PATH_BYTES, addresses, short_home, system_home
from apps.embedded.errors import EmbeddedError
from tests.embedded.checkouts import query, remove

ODD_NAMES = {
    "a long path": "x" * 120,
    "a space": "my news",
    "umlauts": "Prüfung",
    "a comma": "a,b",
    "URL signs": "50%20?#&",
}


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES.keys())
def test_unsuitable_paths_move_the_sockets_and_not_the_data(root, name):
    checkout = root / name
    places = addresses(checkout)
    assert places.postgres_data == checkout / "var/embedded/postgres"
    assert places.sockets.parent in {system_home(checkout), short_home(checkout)}
    assert len(os.fsencode(places.sockets / ".s.PGSQL.5432")) <= SOCKET_PATH_BYTES
    assert len(places.notices) == 1


def test_a_plain_path_keeps_everything_below_var(root):
    places = addresses(root)
    assert places.sockets == root / "var/embedded/run"
    assert places.notices == ()
    assert not (root / "var").exists()


@pytest.mark.parametrize("extra", [0, 1], ids=["the longest", "one byte longer"])
def test_the_sockets_move_at_the_byte_that_does_not_fit(root, extra):
    rest = SOCKET_PATH_BYTES - len(os.fsencode(addresses(root).sockets / ".s.PGSQL.5432"))
    places = addresses(root / ("x" * (rest - 1 + extra)))
    assert bool(places.notices) == bool(extra)


def test_addresses_are_the_same_however_the_checkout_is_named(root):
    (root / "link").symlink_to(root)
    with contextlib.chdir(root):
        assert addresses(root / "link") == addresses(root) == addresses(Path())


def test_two_checkouts_have_different_short_places(root):
    assert addresses(root / ("x" * 120)).place != addresses(root / ("y" * 120)).place


@pytest.mark.parametrize("name", ["long" * 30, "Prüfung, 50 %?"], ids=["long", "odd"])
def test_both_servers_can_be_reached_through_the_urls_of_an_unsuitable_path(root, name):
    checkout = root / name
    checkout.mkdir()
    said = []
    lease = servers.ensure(checkout, say=said.append)
    places = addresses(checkout)
    try:
        assert places.notices[0] in said
        assert query(places, "SELECT 1") == [(1,)]
        assert redis.from_url(places.cache_url).ping()
        with Connection(places.broker_url) as connection:
            connection.ensure_connection(max_retries=1)
        assert urlsplit(places.broker_url).query == "virtual_host=0"
        assert stat.S_IMODE(places.sockets.stat().st_mode) == 0o700
        assert (checkout / "var/embedded/postgres/PG_VERSION").exists()
    finally:
        lease.release()
        remove(checkout)


def test_a_place_that_somebody_else_prepared_is_refused(root, monkeypatch):
    monkeypatch.setattr("apps.embedded.addresses.SHORT_HOME", root)
    monkeypatch.setattr("apps.embedded.addresses.SYSTEM_HOME", root)
    checkout = root / ("x" * 120)
    checkout.mkdir()
    place = addresses(checkout).place
    elsewhere = root / "elsewhere"
    elsewhere.mkdir()
    place.symlink_to(elsewhere)
    with pytest.raises(EmbeddedError, match="must be a folder that only"):
        folders.prepare(addresses(checkout))
    place.unlink()
    place.mkdir()
    place.chmod(0o777)
    with pytest.raises(EmbeddedError, match="must be a folder that only"):
        folders.prepare(addresses(checkout))
    assert stat.S_IMODE(place.stat().st_mode) == 0o777


def test_the_folder_of_the_sockets_is_made_afresh(root):
    run = root / "run"
    run.mkdir()
    run.chmod(0o777)
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(run / "valkey.sock"))
    folders.renew_private(run, None)
    assert stat.S_IMODE(run.stat().st_mode) == 0o700
    assert list(run.iterdir()) == []


def test_a_file_in_the_way_is_named_in_a_sentence(root):
    (root / "var").write_text("")
    with pytest.raises(EmbeddedError, match=rf"cannot work in {root}/var: File exists"):
        servers.ensure(root)
