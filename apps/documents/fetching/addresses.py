"""Which web addresses may be fetched, and which network addresses are public. No network here."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from apps.documents.fetching.types import FetchError

_PORTS = {"http": 80, "https": 443}
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\\u00a0\u2000-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ud800-\udfff]")
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\Z")
# A browser reads a host that ends in such a label as an IPv4 number in decimal, octal or hexadecimal.
_NUMBER_LABEL = re.compile(r"(?:\d+|0x[0-9a-f]*)\Z")
_DOTTED_QUAD = re.compile(r"(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}\Z")
_SPECIAL_V4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
            "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        ),
    )
)  # fmt: skip
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_SPECIAL_V6 = tuple(
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"))
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Never, not even for a host on the list: cloud metadata lives here, and nothing that serves documents does.
_NEVER = tuple(
    map(ipaddress.ip_network, ("169.254.0.0/16", "fe80::/10", "0.0.0.0/8", "::/128", "224.0.0.0/4", "ff00::/8"))
)


@dataclass(frozen=True, slots=True)
class Target:
    """A checked web address in its parts. ``host`` is in ASCII; ``path`` includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def address(self) -> str:
        """Return the address as text."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"


def read_address(text: str, *, allowed_hosts: Collection[str] = ()) -> Target:
    """Return the parts of a web address, or raise FetchError with a sentence.

    Only http and https, only their own ports unless ``allowed_hosts`` names "host:port", no user name in it.
    """
    text = text.strip()
    if not text or len(text) > 2000 or _FORBIDDEN.search(text):
        raise FetchError("bad_address", "This is not a web address.")
    try:
        parts = urlsplit(text)
        host, port, user = parts.hostname or "", parts.port, parts.username
    except ValueError as error:
        raise FetchError("bad_address", "This is not a web address.") from error
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        raise FetchError("scheme", "Only addresses that begin with https:// or http:// are fetched.")
    if user is not None or parts.password is not None:
        raise FetchError("bad_address", "An address with a user name or password in it is not fetched.")
    name = _host(host)
    number = _PORTS[scheme] if port is None else port
    if number not in _PORTS.values() and f"{name}:{number}" not in allowed_hosts:
        raise FetchError("port", f"Port {number} is not fetched from, only 80 and 443.")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = f"?{quote(parts.query, safe='/%:@!$&()*+,;=~-._?[]')}" if parts.query else ""
    return Target(scheme, name, number, path + query)


def is_allowed(target: Target, allowed_hosts: Collection[str]) -> bool:
    """Return whether the operator's list names this host (or host and port)."""
    return target.host in allowed_hosts or f"{target.host}:{target.port}" in allowed_hosts


def is_public(address: str) -> bool:
    """Return whether a network address lies in the public internet; everything unknown does not."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv4Address):
        return not any(parsed in network for network in _SPECIAL_V4)
    if parsed.scope_id is not None:
        return False
    if parsed in _NAT64:
        return is_public(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    return parsed in _GLOBAL_V6 and not any(parsed in network for network in _SPECIAL_V6)


def check_addresses(target: Target, addresses: Sequence[str], *, is_vouched: bool) -> None:
    """Raise FetchError unless every resolved address may be connected to.

    One private address among public ones refuses them all: the name's owner chooses the order. ``is_vouched`` lifts
    the rule for a host on the operator's list, but never for link-local and similar ranges.
    """
    for address in addresses:
        if not is_vouched and not is_public(address):
            raise FetchError("private", f"{target.host} does not lead to the public internet and is not fetched.")
        if _is_never(address):
            raise FetchError("private", f"{target.host} leads to an address that is never fetched.")


def _is_never(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return True
    mapped = getattr(parsed, "ipv4_mapped", None)
    parsed = mapped or parsed
    return any(parsed.version == network.version and parsed in network for network in _NEVER)


def _host(host: str) -> str:
    """Return the host in ASCII. Raises FetchError for number tricks, zones and names that are none."""
    if ":" in host:
        try:
            return str(ipaddress.IPv6Address(host))
        except ValueError as error:
            raise FetchError("bad_address", "This is not a web address.") from error
    try:
        name = host.encode("idna").decode("ascii").lower().rstrip(".")
    except UnicodeError as error:
        raise FetchError("bad_address", "This is not a web address.") from error
    if not _NAME.match(name) or len(name) > 253:
        raise FetchError("bad_address", "This is not a web address.")
    if _NUMBER_LABEL.match(name.rpartition(".")[2]):
        if not _DOTTED_QUAD.match(name) or any(int(part) > 255 for part in name.split(".")):
            raise FetchError("private", "An address that hides its host in a number is not fetched.")
        return name
    return name
