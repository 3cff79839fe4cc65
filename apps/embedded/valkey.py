"""How the supervisor starts and asks Valkey."""

import signal
import socket

from apps.embedded import children
from apps.embedded.addresses import Addresses
from apps.embedded.binaries import Binaries
from apps.embedded.errors import EmbeddedError

_SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "dir": ".",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "maxmemory": "128mb",
    "maxmemory-policy": "noeviction",
    "loglevel": "warning",
}


def command(places: Addresses, binaries: Binaries) -> list[str]:
    """The server in the foreground, on a unix socket only; it must be started in its data folder."""
    argv = [str(binaries.valkey), "--unixsocket", str(places.valkey_socket)]
    for name, value in _SETTINGS.items():
        argv += [f"--{name}", value]
    return argv


def clear_leftovers(places: Addresses) -> None:
    """Stop what an earlier supervisor left running in our data folder and remove its socket."""
    is_quiet = children.end(
        lambda: children.running_in("valkey-server", places.valkey_data, places.sockets),
        [(signal.SIGTERM, 10), (signal.SIGKILL, 10)],
    )
    if not is_quiet:
        raise EmbeddedError(f"An old Valkey still works in {places.valkey_data}: end it, then start again.")
    places.valkey_socket.unlink(missing_ok=True)


def is_ready(places: Addresses) -> bool:
    """Whether the server answers, its data loaded."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(3)
        try:
            connection.connect(str(places.valkey_socket))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
