"""Makes the folders of the embedded servers, refuses what is not ours, never changes an existing folder."""

import os
import pwd
import stat
from pathlib import Path

from apps.embedded.addresses import Addresses
from apps.embedded.children import Account
from apps.embedded.errors import EmbeddedError


def prepare(places: Addresses) -> None:
    """Make what the supervisor needs before it can be started: home, log folder, place of the sockets.

    Raises EmbeddedError when the data are another user's, or a folder cannot be made or written.
    """
    _refuse_foreign_data(places)
    _refuse_to_leave_data_behind(places)
    is_root = os.geteuid() == 0
    try:
        make(places.root / "var", 0o755)
        make(places.logs, 0o755)
        for folder in (places.home, places.place):
            if is_root and folder.parent != places.root / "var":
                make(folder.parent, 0o755)
            # the user of root's servers must be able to walk through; its own folders inside are private
            make(folder, 0o755 if is_root else 0o700)
        _check_ours(places.place)
        _check_writable(places.home, places.logs)
    except OSError as error:
        raise EmbeddedError(sentence(error, places)) from error


def make(folder: Path, mode: int) -> None:
    """Make one folder with exactly this mode, whatever the umask; an existing one is left as it is."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise
        return
    folder.chmod(mode)


def make_private(folder: Path, account: Account | None) -> None:
    """Make a folder that only the servers' user can read; an existing one is left as it is."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
    if account is not None:
        os.chown(folder, account.user, account.group)


def renew_private(folder: Path, account: Account | None) -> None:
    """Make the folder of the sockets afresh, so that its owner and mode are certain: `trust` rests on them."""
    if folder.is_dir() and not folder.is_symlink():
        for path in folder.iterdir():
            if not path.is_dir():
                path.unlink()
        folder.rmdir()
    make_private(folder, account)
    state = folder.lstat()
    owner = account.user if account else os.geteuid()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != owner or state.st_mode & 0o077:
        raise EmbeddedError(f"{folder} must be a folder that only {owner_name(owner)} can read: remove it.")


def owner_name(user: int) -> str:
    """The name of a user id, or the number when it has none."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def sentence(error: OSError, places: Addresses) -> str:
    """An operating system's refusal as a sentence with the folder in it."""
    return (
        f"The embedded servers cannot work in {error.filename or places.home}: {error.strerror or error}. "
        "Free some room or make the folder writable for you, then start again."
    )


def _refuse_foreign_data(places: Addresses) -> None:
    home, me = places.root / "var" / "embedded", os.geteuid()
    if home.exists() and (owner := home.stat().st_uid) != me:
        name = owner_name(owner)
        remedy = ", without sudo" if me == 0 else f", or let root give you the folder: chown -R {owner_name(me)}"
        raise EmbeddedError(
            f"The data in {home} belong to {name}, you are {owner_name(me)}. Run the command as {name}{remedy}."
        )
    checkout_owner = places.root.stat().st_uid
    if me == 0 and checkout_owner != 0 and os.environ.get("SUDO_UID", "0") != "0":
        name = owner_name(checkout_owner)
        raise EmbeddedError(f"The folder {places.root} belongs to {name}. Run the command as {name}, without sudo.")


def _refuse_to_leave_data_behind(places: Addresses) -> None:
    """A checkout that was closed to others after its first start must not begin with an empty database elsewhere."""
    old = places.root / "var" / "embedded"
    if places.home != old.resolve() and (old / "postgres").exists():
        raise EmbeddedError(
            f"The data in {old} can no longer be reached by the user of PostgreSQL. Let other users walk through "
            f"{places.root} again, or move the data: mkdir -p {places.home.parent} && mv {old} {places.home}"
        )


def _check_ours(place: Path) -> None:
    """A moved place lies below /tmp, where anyone may have made a folder of its name before us."""
    state = place.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.geteuid() or state.st_mode & 0o022:
        raise EmbeddedError(
            f"{place} must be a folder that only {owner_name(os.geteuid())} can write to: remove it, "
            "or move the checkout to a shorter path."
        )


def _check_writable(*folders: Path) -> None:
    for folder in folders:
        probe = folder / f".probe-{os.getpid()}"
        try:
            # on a full disk an empty file can still be made
            probe.write_bytes(b"\0" * 65536)
        finally:
            probe.unlink(missing_ok=True)
