"""Creates the folders of the embedded servers and refuses the ones that are not ours. Never changes an existing one."""

import os
import pwd
import stat
from pathlib import Path

from apps.embedded.addresses import Addresses
from apps.embedded.errors import EmbeddedError


def prepare(places: Addresses) -> None:
    """Create what the supervisor needs to be started: home, log folder, place of the sockets.

    Raises EmbeddedError when the data are another user's, or a folder cannot be made or written.
    """
    _refuse_foreign_data(places)
    # as root the servers' user must be able to walk through; its own folders inside are private
    mode = 0o755 if os.geteuid() == 0 else 0o700
    try:
        make(places.root / "var", 0o755)
        make(places.logs, 0o755)
        for folder in (places.home, places.place):
            if folder.parent != places.root / "var" and os.geteuid() == 0:
                make(folder.parent, 0o755)
            make(folder, mode)
        _check_private(places)
        _check_writable(places.home, places.logs)
    except OSError as error:
        raise EmbeddedError(
            f"The embedded servers need to write to {error.filename or places.home}: {error.strerror}. "
            "Make room or give yourself that folder, then start again."
        ) from error


def make(folder: Path, mode: int, *, user: int | None = None, group: int | None = None) -> None:
    """Create one folder with exactly this mode and owner; an existing one is left as it is."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
    if user is not None and group is not None and os.geteuid() == 0:
        os.chown(folder, user, group)
    folder.chmod(mode)


def owner_name(user: int) -> str:
    """The name of a user id, or the number when it has none."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def _refuse_foreign_data(places: Addresses) -> None:
    home = places.root / "var" / "embedded"
    me = os.geteuid()
    if home.exists() and (owner := home.stat().st_uid) != me:
        raise EmbeddedError(
            f"The data in {home} belong to {owner_name(owner)}, and you are {owner_name(me)}. "
            f"Run the command as {owner_name(owner)}"
            + (
                ", without sudo."
                if me == 0
                else f", or give the folder away: chown -R {owner_name(me)} {home}"
            )
        )
    sudoer = os.environ.get("SUDO_UID", "0")
    if me == 0 and sudoer != "0" and places.root.stat().st_uid != 0:
        name = owner_name(places.root.stat().st_uid)
        raise EmbeddedError(
            f"The checkout {places.root} belongs to {name}: run the command as {name}, without sudo."
        )


def _check_private(places: Addresses) -> None:
    """The moved place lies below /tmp, where anyone may have made a folder of that name before us."""
    state = places.place.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.geteuid() or state.st_mode & 0o022:
        raise EmbeddedError(
            f"{places.place} is not a folder that only you can write to. Remove it, or move the checkout to a shorter path."
        )


def _check_writable(*folders: Path) -> None:
    for folder in folders:
        probe = folder / f".probe-{os.getpid()}"
        try:
            # 64 KB: a full disk still has room for an empty file
            probe.write_bytes(b"\0" * 65536)
        finally:
            probe.unlink(missing_ok=True)
