"""Under which user the servers run when we are root: PostgreSQL refuses to run as root."""

import os
import pwd
import subprocess

from apps.embedded.children import Account
from apps.embedded.errors import EmbeddedError

OWN_NAME = "wegweiser"
# made by the distribution for exactly this; `nobody` is not: anything may run as it and would be let in by `trust`
_SUITABLE = (OWN_NAME, "postgres", "_postgres")


def server_account(data_owner: int | None) -> Account | None:
    """The account for the servers, None when we are an ordinary user.

    The owner of existing data stays; else a suitable account of the system; else a system user is created.
    """
    if os.geteuid() != 0:
        return None
    if data_owner:
        return _by_id(data_owner)
    for name in _SUITABLE:
        if (account := _by_name(name)) is not None:
            return account
    return _create()


def _by_name(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(name=entry.pw_name, user=entry.pw_uid, group=entry.pw_gid)


def _by_id(user: int) -> Account:
    try:
        entry = pwd.getpwuid(user)
    except KeyError as error:
        raise EmbeddedError(
            f"The data belong to user id {user}, which this machine does not know. "
            "Give them to a user that exists: chown -R."
        ) from error
    return Account(name=entry.pw_name, user=entry.pw_uid, group=entry.pw_gid)


def _create() -> Account:
    argv = [
        "useradd",
        "--system",
        "--user-group",
        "--no-create-home",
        "--shell",
        "/usr/sbin/nologin",
        OWN_NAME,
    ]
    try:
        subprocess.run(argv, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise EmbeddedError(
            f"PostgreSQL must not run as root, and the user {OWN_NAME} could not be created. "
            f"Create it ({' '.join(argv)}), or start as an ordinary user."
        ) from error
    account = _by_name(OWN_NAME)
    if account is None:
        raise EmbeddedError(f"The user {OWN_NAME} was created but is not known: start again.")
    return account
