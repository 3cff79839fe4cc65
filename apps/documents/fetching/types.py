"""What a download may cost, what it yields, and how it fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from socket import socket

# Host name to addresses as text; raises OSError when there are none.
Resolver = Callable[[str], Sequence[str]]
# Address as text, port, time-out in seconds to a connected socket; raises OSError.
Connector = Callable[[str, int, float], socket]


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds for one download: sizes in bytes, times in seconds, ``max_ratio`` of unpacked to sent bytes."""

    max_bytes: int = 50 * 1024 * 1024
    seconds: float = 60
    connect_seconds: float = 10
    redirects: int = 5
    max_ratio: int = 100


@dataclass(frozen=True, slots=True)
class Fetched:
    """A finished download. ``address`` is where the last redirect led.

    ``is_unchanged`` is the answer to the etag or date of an earlier download; it has no data, and a probe has none.
    """

    data: bytes
    content_type: str
    address: str
    etag: str = ""
    last_modified: str = ""
    is_unchanged: bool = False


class FetchError(Exception):
    """A download that did not happen. ``code`` is stable, ``reason`` a sentence for the editor.

    ``permanent`` says that trying again later cannot help. ``status`` is what the site answered, where it did.
    """

    def __init__(self, code: str, reason: str, *, permanent: bool = True, status: int | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.permanent = permanent
        self.status = status
