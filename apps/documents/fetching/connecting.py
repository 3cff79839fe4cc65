"""One HTTP connection to exactly the address that was checked, with the name in SNI, certificate and Host."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping, Sequence

from apps.documents.fetching.addresses import Target
from apps.documents.fetching.types import Connector, FetchError, FetchLimits

_MAX_TRIES = 3


def resolve(host: str) -> list[str]:
    """Return a name's addresses in the system's order. Raises OSError."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def connect(address: str, port: int, seconds: float) -> socket.socket:
    """Return a connected socket. ``address`` is a number, so nothing is resolved here."""
    return socket.create_connection((address, port), timeout=seconds)


class _PinnedConnection(http.client.HTTPConnection):
    """Speaks HTTP over a socket that is already open: http.client would resolve the name again."""

    def __init__(self, target: Target, opened: socket.socket) -> None:
        super().__init__(target.host, target.port)
        self.default_port = 443 if target.scheme == "https" else 80
        self.sock = opened
        self.auto_open = 0


@contextlib.contextmanager
def open_response(
    target: Target,
    addresses: Sequence[str],
    *,
    headers: Mapping[str, str],
    seconds: float,
    limits: FetchLimits,
    connector: Connector,
    tls: ssl.SSLContext | None,
) -> Iterator[http.client.HTTPResponse]:
    """Yield the response with its body unread. After ``seconds`` the socket is shut, whatever trickles in.

    Raises FetchError ``unreachable``, ``tls``, ``timeout`` or ``protocol``, also for errors inside the block.
    """
    opened = _connect_first(target, addresses, min(seconds, limits.connect_seconds), connector)
    opened.settimeout(seconds)
    stream = opened
    if target.scheme == "https":
        context = tls or ssl.create_default_context()
        # The handshake waits until the guard holds the socket.
        stream = context.wrap_socket(opened, server_hostname=target.host, do_handshake_on_connect=False)
    has_expired = threading.Event()
    # A time-out per read lets a server send one byte a second for ever; this ends the whole exchange.
    guard = threading.Timer(seconds, _expire, (stream, has_expired))
    guard.daemon = True
    guard.start()
    try:
        if isinstance(stream, ssl.SSLSocket):
            stream.do_handshake()
        connection = _PinnedConnection(target, stream)
        connection.request("GET", target.path, headers=dict(headers))
        yield connection.getresponse()
        if has_expired.is_set():
            raise _timeout(target)
    except ssl.SSLCertVerificationError as error:
        raise FetchError("tls", f"The certificate of {target.host} is not valid.") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        if has_expired.is_set() or isinstance(error, TimeoutError):
            raise _timeout(target) from error
        if isinstance(error, ssl.SSLError):
            raise FetchError("tls", f"No secure connection to {target.host} was possible.") from error
        raise FetchError("protocol", f"{target.host} broke off or did not answer in HTTP.", permanent=False) from error
    finally:
        guard.cancel()
        stream.close()


def _connect_first(target: Target, addresses: Sequence[str], seconds: float, connector: Connector) -> socket.socket:
    last: OSError | None = None
    for address in addresses[:_MAX_TRIES]:
        try:
            return connector(address, target.port, seconds)
        except OSError as error:
            last = error
    raise FetchError("unreachable", f"{target.host} cannot be reached.", permanent=False) from last


def _expire(stream: socket.socket, has_expired: threading.Event) -> None:
    has_expired.set()
    with contextlib.suppress(OSError):
        # Not SSLSocket's own: it drops its state under a read that goes on in the other thread.
        socket.socket.shutdown(stream, socket.SHUT_RDWR)


def _timeout(target: Target) -> FetchError:
    return FetchError("timeout", f"{target.host} took too long.", permanent=False)
