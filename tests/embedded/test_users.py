"""Root, ordinary users and sudo: who runs the servers, what is refused, and that no permission is changed."""

import os
import pwd
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from apps.embedded import accounts, binaries, servers
from apps.embedded.addresses import addresses, is_reachable, system_home
from apps.embedded.errors import EmbeddedError
from tests.embedded.checkouts import PROJECT, command_lines, processes_of, query, wait_for

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
ORDINARY = "nobody"


def modes_above(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mode for path in (folder, *folder.parents)}


def as_ordinary_user() -> dict[str, object]:
    """What starts a holder as somebody else; skips where no interpreter is open to other users."""
    user = pwd.getpwnam(ORDINARY)
    wheels = binaries.find().postgres.parents[2]
    for interpreter in (Path(sys.executable), Path(shutil.which("python3", path="/usr/bin") or "/none")):
        is_open = is_reachable(interpreter.resolve()) and is_reachable(PROJECT) and is_reachable(wheels)
        probe = [str(interpreter), "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if is_open and interpreter.exists() and subprocess.run(probe, check=False).returncode == 0:
            return {
                "interpreter": interpreter,
                "env": {"PATH": os.defpath, "PYTHONPATH": str(wheels), "WEGWEISER_EMBEDDED_GRACE": "0.3"},
                "user": user.pw_uid,
                "group": user.pw_gid,
                "extra_groups": [],
            }
    pytest.skip("no interpreter is open to other users")


@as_root
def test_as_root_the_servers_run_as_another_user(root):
    before = modes_above(root)
    said = []
    lease = servers.ensure(root, say=said.append)
    places = addresses(root)
    owner = places.postgres_data.stat().st_uid
    assert owner != 0
    assert places.sockets.stat().st_uid == places.valkey_data.stat().st_uid == owner
    assert f"run as the user {pwd.getpwuid(owner).pw_name}" in said[0]
    assert modes_above(root) == before
    lease.release()


@as_root
def test_a_checkout_closed_to_others_keeps_its_data_and_binaries_below_var_lib(root, hold, tmp_path, monkeypatch):
    closed = root / "home"
    closed.mkdir(mode=0o700)
    checkout = closed / "checkout"
    checkout.mkdir()
    packages = closed / "packages"
    copy_wheels(packages)
    monkeypatch.setenv("PYTHONPATH", str(packages))
    try:
        holder = hold(checkout).wait_ready()
        places = addresses(checkout)
        assert places.home == system_home(checkout)
        assert f"say {places.notices[0]}\n" in holder.said
        assert any(str(places.home / "binaries") in line for line in command_lines().values())
        assert query(places, "SELECT 1") == [(1,)]
        assert stat.S_IMODE(closed.stat().st_mode) == 0o700
        assert not (checkout / "var/embedded").exists()
        holder.kill()
        assert wait_for(lambda: not processes_of(checkout))
        closed.chmod(0o755)
        assert addresses(checkout).home == places.home, "data that are there stay in use"
    finally:
        shutil.rmtree(system_home(checkout), ignore_errors=True)


def copy_wheels(target: Path) -> None:
    """The installed wheels once more, where the servers' user cannot read them."""
    found = binaries.find()
    package = found.postgres.parents[1]
    shutil.copytree(package, target / package.name, ignore=shutil.ignore_patterns("pginstall"))
    shutil.copytree(package.with_name(f"{package.name}.libs"), target / f"{package.name}.libs")
    shutil.copytree(found.valkey.parents[2], target / found.valkey.parents[2].name)


@as_root
def test_data_are_not_left_behind_when_a_checkout_is_closed_later(root):
    checkout = root / "checkout"
    (checkout / "var/embedded/postgres").mkdir(parents=True)
    root.chmod(0o700)
    with pytest.raises(EmbeddedError, match=r"no longer be reached.* mv "):
        servers.ensure(checkout)
    assert stat.S_IMODE(root.stat().st_mode) == 0o700


@as_root
def test_root_is_refused_on_an_ordinary_users_data(root):
    data = root / "var/embedded"
    data.mkdir(parents=True)
    os.chown(data, pwd.getpwnam(ORDINARY).pw_uid, -1)
    with pytest.raises(EmbeddedError, match=rf"belong to {ORDINARY}, you are root.*without sudo"):
        servers.ensure(root)
    assert list(data.iterdir()) == []


@as_root
def test_sudo_is_refused_in_an_ordinary_users_checkout_before_there_are_data(root, monkeypatch):
    os.chown(root, pwd.getpwnam(ORDINARY).pw_uid, -1)
    monkeypatch.setenv("SUDO_UID", str(pwd.getpwnam(ORDINARY).pw_uid))
    with pytest.raises(EmbeddedError, match="without sudo"):
        servers.ensure(root)
    assert list(root.iterdir()) == []


@as_root
def test_an_ordinary_user_needs_no_root(root, hold):
    """The same start as another user: own data, own sockets, no second account."""
    identity = as_ordinary_user()
    os.chown(root, identity["user"], identity["group"])
    holder = hold(**identity).wait_ready()
    assert not any("because you are root" in line for line in holder.said)
    assert (root / "var/embedded/postgres").stat().st_uid == identity["user"]
    assert stat.S_IMODE((root / "var/embedded").stat().st_mode) == 0o700
    assert hold(**identity).wait_ready().said == []
    stranger = hold()
    assert "without sudo" in stranger.leave()


@as_root
def test_an_ordinary_user_is_told_about_a_folder_that_cannot_be_written(root, hold):
    holder = hold(**as_ordinary_user())
    assert f"cannot work in {root}/var: Permission denied" in holder.leave()


def test_the_account_that_owns_the_data_stays(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    user = pwd.getpwnam(ORDINARY)
    account = accounts.server_account(user.pw_uid)
    assert account is not None
    assert account.user == user.pw_uid


def test_a_missing_account_is_created_or_its_command_is_named(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(accounts, "_SUITABLE", ("no-such-account",))
    asked = []

    def refuse(argv: list[str], **_: object) -> None:
        asked.append(argv)
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", refuse)
    with pytest.raises(EmbeddedError, match=r"useradd --system .*wegweiser"):
        accounts.server_account(None)
    assert len(asked) == 1


def test_an_ordinary_user_runs_the_servers_as_itself(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert accounts.server_account(None) is None
