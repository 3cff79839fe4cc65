"""The download itself: every hop is checked like the first, size and unpacking are bounded while reading."""

from __future__ import annotations

import http.client
import re
import ssl
import time
import zlib
from collections.abc import Collection, Iterator
from urllib.parse import urljoin

from apps.documents.fetching.addresses import Target, check_addresses, is_allowed, read_address
from apps.documents.fetching.connecting import connect, open_response, resolve
from apps.documents.fetching.types import Connector, Fetched, FetchError, FetchLimits, Resolver

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_PIECE = 64 * 1024
_RATIO_MATTERS_FROM = 1024 * 1024
_USER_AGENT = "Wegweiser/1.0 (newsroom document fetcher)"
_STATUS_REASONS = {
    401: "The page asks for a password.",
    403: "The page refuses to be fetched.",
    404: "There is no page at this address.",
    410: "The page no longer exists.",
    429: "The site asks to be fetched less often.",
}


def fetch(
    address: str,
    *,
    allowed_hosts: Collection[str] = (),
    limits: FetchLimits | None = None,
    etag: str = "",
    last_modified: str = "",
    is_probe: bool = False,
    resolver: Resolver = resolve,
    connector: Connector = connect,
    tls: ssl.SSLContext | None = None,
) -> Fetched:
    """Download one address and return it, or raise FetchError.

    ``allowed_hosts`` are "host" or "host:port" that the operator vouches for: they may be private. All other hosts
    must lead to public addresses, on every hop; a foreign page cannot redirect to a host on the list. Each name is
    resolved once per hop, and the connection goes to exactly that address. ``etag`` and ``last_modified`` of an earlier
    download make the request conditional. ``is_probe`` only asks whether the page is there: its body is not read.
    """
    limits = limits or FetchLimits()
    deadline = time.monotonic() + limits.seconds
    target = read_address(address, allowed_hosts=allowed_hosts)
    may_vouch = is_allowed(target, allowed_hosts)
    headers = _headers(etag, last_modified)
    for _ in range(limits.redirects + 1):
        vouched = allowed_hosts if may_vouch else ()
        addresses = _resolved(target, resolver)
        check_addresses(target, addresses, is_vouched=is_allowed(target, vouched))
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            raise FetchError("timeout", f"{target.host} took too long.", permanent=False)
        with open_response(
            target, addresses, headers=headers, seconds=seconds, limits=limits, connector=connector, tls=tls
        ) as response:
            if response.status not in _REDIRECTS:
                return _fetched(response, target, limits, is_probe=is_probe)
            following = _following(response, target, vouched)
        may_vouch = may_vouch and is_allowed(following, allowed_hosts)
        target = following
    raise FetchError("redirects", f"The address redirects more than {limits.redirects} times.")


def _resolved(target: Target, resolver: Resolver) -> list[str]:
    if ":" in target.host or target.host.replace(".", "").isdigit():
        return [target.host]
    try:
        addresses = list(resolver(target.host))
    except (OSError, UnicodeError) as error:
        raise FetchError("unresolved", f"The host {target.host} is not known.", permanent=False) from error
    if not addresses:
        raise FetchError("unresolved", f"The host {target.host} is not known.", permanent=False)
    return addresses


def _headers(etag: str, last_modified: str) -> dict[str, str]:
    headers = {
        "User-Agent": _USER_AGENT,
        "Accept": "text/html,application/xhtml+xml,application/pdf,application/rss+xml,*/*;q=0.5",
        "Accept-Encoding": "gzip",
        "Connection": "close",
    }
    if etag:
        headers["If-None-Match"] = _one_line(etag)
    if last_modified:
        headers["If-Modified-Since"] = _one_line(last_modified)
    return headers


def _following(response: http.client.HTTPResponse, target: Target, vouched: Collection[str]) -> Target:
    location = response.headers.get("Location") or ""
    if not location:
        raise FetchError("protocol", f"{target.host} redirects without saying where.")
    following = read_address(urljoin(target.address, location), allowed_hosts=vouched)
    if target.scheme == "https" and following.scheme == "http":
        raise FetchError("scheme", "The page redirects from a secure to an insecure address.")
    return following


def _fetched(response: http.client.HTTPResponse, target: Target, limits: FetchLimits, *, is_probe: bool) -> Fetched:
    is_unchanged = response.status == 304
    if not is_unchanged and response.status != 200:
        is_permanent = response.status < 500 and response.status not in (408, 425, 429)
        reason = _STATUS_REASONS.get(response.status, f"The site answered with error {response.status}.")
        raise FetchError("status", reason, permanent=is_permanent, status=response.status)
    return Fetched(
        data=b"" if is_unchanged or is_probe else _body(response, limits),
        content_type=_one_line(response.headers.get("Content-Type") or ""),
        address=target.address,
        etag=_one_line(response.headers.get("ETag") or ""),
        last_modified=_one_line(response.headers.get("Last-Modified") or ""),
        is_unchanged=is_unchanged,
    )


def _body(response: http.client.HTTPResponse, limits: FetchLimits) -> bytes:
    if response.length is not None and response.length > limits.max_bytes:
        raise _too_large(limits)
    encoding = (response.headers.get("Content-Encoding") or "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        raise FetchError("encoding", "The site sends the page packed in a way that is not read.")
    pieces = _pieces(response) if encoding == "identity" else _unpacked(_pieces(response), limits)
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > limits.max_bytes:
            raise _too_large(limits)
    return bytes(body)


def _pieces(response: http.client.HTTPResponse) -> Iterator[bytes]:
    while piece := response.read(_PIECE):
        yield piece
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)


def _unpacked(pieces: Iterator[bytes], limits: FetchLimits) -> Iterator[bytes]:
    """Yield gunzipped data in small pieces, so that a bomb is seen before it has unfolded."""
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    sent = unpacked = 0
    for piece in pieces:
        sent += len(piece)
        while piece and not unpacker.eof:
            try:
                data = unpacker.decompress(piece, _PIECE)
            except zlib.error as error:
                raise FetchError("encoding", "The page arrived damaged.", permanent=False) from error
            piece = unpacker.unconsumed_tail
            unpacked += len(data)
            if unpacked > _RATIO_MATTERS_FROM and unpacked > limits.max_ratio * sent:
                raise FetchError("bomb", f"The page grows more than {limits.max_ratio} times when unpacked.")
            yield data
    if not unpacker.eof:
        raise FetchError("encoding", "The page arrived damaged.", permanent=False)


def _too_large(limits: FetchLimits) -> FetchError:
    return FetchError("too_large", f"The file is larger than {limits.max_bytes // 1024 // 1024} MB.")


def _one_line(text: str) -> str:
    return re.sub(r"[^\x20-\x7e]", "", text)[:300]
