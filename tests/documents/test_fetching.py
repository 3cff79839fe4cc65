"""Not one byte is asked of a private address, whatever the spelling; sizes, times and redirects are bounded."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from apps.documents.fetching import FetchError, FetchLimits, fetch, read_address
from apps.documents.fetching.addresses import is_public

PUBLIC = "93.184.216.34"
PAGE = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nETag: "a"\r\n\r\nHallo'

PRIVATE_SPELLINGS = (
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://0.0.0.0/",
    "http://0/",
    "http://10.0.0.5/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://255.255.255.255/",
    "http://224.0.0.1/",
    "http://198.18.0.1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::a00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fc00::1]/",
    "http://[fd12:3456::1]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://127.0.0.1:80\\@example.org/",
    "http://example.org@127.0.0.1/",
    "http://127.0.0.1\t/",
)
PRIVATE_NAMES = {
    "http://localhost/": "127.0.0.1",
    "http://7f000001.nip.io/": "127.0.0.1",
    "http://10.0.0.5.sslip.io/": "10.0.0.5",
    "http://intern.example.org/": "192.168.0.10",
    "http://metadata.google.internal/": "169.254.169.254",
    "http://six.example.org/": "::1",
    "http://mapped.example.org/": "::ffff:10.0.0.1",
    "http://nat64.example.org/": "64:ff9b::a9fe:a9fe",
    "http://zone.example.org/": "fe80::1%eth0",
}
OTHER_REFUSALS = {
    "file": ("file:///etc/passwd", "scheme"),
    "ftp": ("ftp://example.org/", "scheme"),
    "gopher": ("gopher://127.0.0.1:6379/_x", "scheme"),
    "script": ("javascript:alert(1)", "scheme"),
    "no scheme": ("example.org/a", "scheme"),
    "other port": ("http://example.org:6379/", "port"),
    "port without sense": ("http://example.org:99999/", "bad_address"),
    "user name": ("https://user:secret@example.org/", "bad_address"),
    "line break": ("http://example.org/a\r\nX: y", "bad_address"),
    "blank inside": ("http://exa mple.org/", "bad_address"),
    "no host": ("http:///a", "bad_address"),
    "percent in the host": ("http://127%2e0.0.1/", "bad_address"),
    "empty": ("", "bad_address"),
    "endless": ("http://example.org/" + "a" * 3000, "bad_address"),
    "lone surrogate": ("http://example.org/\ud83d", "bad_address"),
    "broken brackets": ("http://[::1/", "bad_address"),
}


@dataclass
class Network:
    """A fake resolver and a fake server; remembers every look-up, connection and request."""

    names: dict[str, Sequence[str]] = field(default_factory=lambda: {"example.org": [PUBLIC]})
    answers: dict[str, bytes | Callable[[socket.socket], None]] = field(default_factory=dict)
    lookups: list[str] = field(default_factory=list)
    connections: list[tuple[str, int]] = field(default_factory=list)
    requests: list[bytes] = field(default_factory=list)

    def resolve(self, host: str) -> Sequence[str]:
        self.lookups.append(host)
        if host not in self.names:
            raise socket.gaierror("unknown")
        return self.names[host]

    def connect(self, address: str, port: int, seconds: float) -> socket.socket:
        self.connections.append((address, port))
        ours, theirs = socket.socketpair()
        threading.Thread(target=self._serve, args=(theirs,), daemon=True).start()
        return ours

    def _serve(self, stream: socket.socket) -> None:
        with stream:
            request = b""
            while b"\r\n\r\n" not in request:
                piece = stream.recv(4096)
                if not piece:
                    return
                request += piece
            self.requests.append(request)
            path = request.split(b" ")[1].decode()
            answer = self.answers.get(path, PAGE)
            try:
                if callable(answer):
                    answer(stream)
                else:
                    stream.sendall(answer)
            except OSError:
                return

    def fetch(self, address: str = "http://example.org/", **options: object) -> object:
        return fetch(address, resolver=self.resolve, connector=self.connect, **options)  # type: ignore[arg-type]

    def refusal(self, address: str = "http://example.org/", **options: object) -> FetchError:
        with pytest.raises(FetchError) as caught:
            self.fetch(address, **options)
        assert caught.value.reason.endswith(".")
        return caught.value


@pytest.fixture
def network() -> Network:
    return Network()


@pytest.mark.parametrize("address", PRIVATE_SPELLINGS)
def test_no_spelling_of_a_private_address_is_asked(network: Network, address: str):
    assert network.refusal(address).code in ("private", "bad_address")
    assert network.connections == []


@pytest.mark.parametrize("address", PRIVATE_NAMES)
def test_no_name_that_leads_inside_is_asked(network: Network, address: str):
    network.names = {read_address(address).host: [PRIVATE_NAMES[address]]}
    assert network.refusal(address).code == "private"
    assert network.connections == []


@pytest.mark.parametrize("address", [*PRIVATE_SPELLINGS, *PRIVATE_NAMES])
def test_no_redirect_leads_inside(network: Network, address: str):
    if address in PRIVATE_NAMES:
        network.names[read_address(address).host] = [PRIVATE_NAMES[address]]
    network.answers["/"] = f"HTTP/1.1 302 Found\r\nLocation: {address}\r\n\r\n".encode()
    assert network.refusal().code in ("private", "bad_address", "unresolved")
    assert network.connections == [(PUBLIC, 80)]


@pytest.mark.parametrize("case", OTHER_REFUSALS)
def test_other_addresses_are_refused_with_a_sentence(network: Network, case: str):
    address, code = OTHER_REFUSALS[case]
    assert network.refusal(address).code == code
    assert network.connections == []


def test_one_private_address_among_public_ones_refuses_all(network: Network):
    network.names["example.org"] = [PUBLIC, "10.0.0.5"]
    assert network.refusal().code == "private"
    assert network.connections == []


def test_a_name_is_resolved_once_and_the_connection_goes_there(network: Network):
    answers = iter([[PUBLIC], ["10.0.0.5"]])
    network.resolve = lambda host: next(answers)  # type: ignore[method-assign]
    fetched = network.fetch("http://example.org/a b?q=ü#x".replace(" ", "%20"))
    assert network.connections == [(PUBLIC, 80)]
    assert fetched.data == b"Hallo"
    assert (fetched.content_type, fetched.etag) == ("text/html", '"a"')
    head = network.requests[0].decode()
    assert head.startswith("GET /a%20b?q=%C3%BC HTTP/1.1\r\n")
    assert "\r\nHost: example.org\r\n" in head


def test_a_second_address_is_tried_when_the_first_is_silent(network: Network):
    network.names["example.org"] = ["2606:2800:220:1::1", PUBLIC]
    connect = network.connect

    def only_old(address: str, port: int, seconds: float) -> socket.socket:
        if ":" in address:
            raise OSError("no route")
        return connect(address, port, seconds)

    network.connect = only_old  # type: ignore[method-assign]
    assert network.fetch().data == b"Hallo"


def test_redirects_are_followed_and_counted(network: Network):
    network.names["www.example.org"] = [PUBLIC]
    network.answers["/"] = b"HTTP/1.1 301 M\r\nLocation: http://www.example.org/b\r\n\r\n"
    network.answers["/b"] = b"HTTP/1.1 302 F\r\nLocation: c?x=1\r\n\r\n"
    assert network.fetch().address == "http://www.example.org/c?x=1"
    network.answers["/b"] = b"HTTP/1.1 302 F\r\nLocation: /b\r\n\r\n"
    assert network.refusal().code == "redirects"


class NoEncryption:
    """Stands in for a TLS context; the bytes stay plain."""

    def wrap_socket(self, sock: socket.socket, **_: object) -> socket.socket:
        return sock


def test_a_secure_page_does_not_lead_to_an_insecure_one(network: Network):
    network.answers["/"] = b"HTTP/1.1 302 F\r\nLocation: http://example.org/b\r\n\r\n"
    assert network.refusal("https://example.org/", tls=NoEncryption()).code == "scheme"
    assert network.connections == [(PUBLIC, 443)]
    network.answers["/"] = b"HTTP/1.1 302 F\r\nLocation: /b\r\n\r\n"
    assert network.fetch("https://example.org/", tls=NoEncryption()).address == "https://example.org/b"


def test_hosts_on_the_list_may_be_private_but_never_metadata(network: Network):
    network.names = {"cms.intern": ["10.0.0.5"], "meta.intern": ["169.254.169.254"]}
    allowed = ("cms.intern:8080", "meta.intern")
    assert network.fetch("http://cms.intern:8080/", allowed_hosts=allowed).data == b"Hallo"
    assert network.connections == [("10.0.0.5", 8080)]
    assert network.refusal("http://meta.intern/", allowed_hosts=allowed).code == "private"


def test_a_foreign_page_cannot_redirect_to_a_host_on_the_list(network: Network):
    network.names["cms.intern"] = ["10.0.0.5"]
    network.answers["/"] = b"HTTP/1.1 302 F\r\nLocation: http://cms.intern/delete\r\n\r\n"
    assert network.refusal(allowed_hosts=("cms.intern",)).code == "private"
    assert network.connections == [(PUBLIC, 80)]


def _packed(body: bytes, encoding: str = "gzip") -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def test_a_probe_asks_whether_the_page_is_there_and_reads_no_body(network: Network):
    network.answers["/"] = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"
    assert network.fetch(is_probe=True).data == b""
    network.answers["/"] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    refusal = network.refusal(is_probe=True)
    assert (refusal.code, refusal.status) == ("status", 404)
    network.names["example.org"] = ["10.0.0.5"]
    assert network.refusal(is_probe=True).code == "private"


ANSWERS = {
    "too large by its header": (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "too_large"),
    "too large while reading": (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 3000, "too_large"),
    "too large when unpacked": (_packed(gzip.compress(bytes(range(256)) * 20)), "too_large"),
    "cut off": (b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nHallo", "protocol"),
    "cut off while packed": (_packed(gzip.compress(b"Hallo" * 99)[:-9]), "encoding"),
    "not packed as said": (_packed(b"Hallo"), "encoding"),
    "packed in an unknown way": (_packed(b"Hallo", "br"), "encoding"),
    "no HTTP": (b"+OK redis\r\n\r\n", "protocol"),
    "endless headers": (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n", "protocol"),
    "not found": (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "status"),
    "redirect to nowhere": (b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "protocol"),
    "nothing": (b"", "protocol"),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_bad_answers_are_refused_with_a_sentence(network: Network, case: str):
    network.answers["/"], code = ANSWERS[case]
    assert network.refusal(limits=FetchLimits(max_bytes=2000)).code == code


def test_a_packed_bomb_is_not_unfolded(network: Network):
    network.answers["/"] = _packed(gzip.compress(b"\0" * 30_000_000))
    assert network.refusal().code == "bomb"


def test_packed_pages_are_read(network: Network):
    network.answers["/"] = _packed(gzip.compress(b"Hallo" * 9))
    assert network.fetch().data == b"Hallo" * 9


def _trickle(stream: socket.socket) -> None:
    stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        stream.sendall(b"x")
        time.sleep(0.02)


def _trickled_head(stream: socket.socket) -> None:
    while True:
        stream.sendall(b"X")
        time.sleep(0.02)


@pytest.mark.parametrize("answer", [_trickle, _trickled_head, lambda stream: time.sleep(5)])
def test_a_server_that_trickles_or_is_silent_is_left(network: Network, answer: Callable[[socket.socket], None]):
    network.answers["/"] = answer
    error = network.refusal(limits=FetchLimits(seconds=0.3))
    assert (error.code, error.permanent) == ("timeout", False)


def test_server_errors_may_pass(network: Network):
    network.answers["/"] = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    assert network.refusal().permanent is False
    network.answers["/"] = b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"
    assert network.refusal().permanent is True


def test_an_unchanged_page_is_said_to_be_so(network: Network):
    network.answers["/"] = b"HTTP/1.1 304 Not Modified\r\n\r\n"
    fetched = network.fetch(etag='"a"\r\nX: y', last_modified="Fri, 31 Jan 2025 09:00:00 GMT")
    assert (fetched.is_unchanged, fetched.data) == (True, b"")
    head = network.requests[0].decode()
    assert 'If-None-Match: "a"X: y\r\n' in head
    assert "If-Modified-Since: Fri, 31 Jan 2025 09:00:00 GMT\r\n" in head


def test_https_checks_the_certificate_and_names_the_host(network: Network):
    seen: list[str | None] = []

    class Context(ssl.SSLContext):
        def wrap_socket(self, sock: socket.socket, *args: object, **options: object) -> ssl.SSLSocket:
            seen.append(str(options["server_hostname"]))
            return super().wrap_socket(sock, *args, **options)  # type: ignore[arg-type]

    context = Context(ssl.PROTOCOL_TLS_CLIENT)
    assert network.refusal("https://example.org/", tls=context, limits=FetchLimits(seconds=0.5)).code in (
        "tls",
        "timeout",
        "protocol",
    )
    assert seen == ["example.org"]
    assert network.connections == [(PUBLIC, 443)]
    assert network.requests == []
    assert ssl.create_default_context().verify_mode is ssl.CERT_REQUIRED


PUBLIC_ADDRESSES = ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
def test_the_public_internet_stays_open(address: str):
    assert is_public(address)


def test_names_with_umlauts_are_read():
    assert read_address("https://www.süd.example/").host == "www.xn--sd-xka.example"
