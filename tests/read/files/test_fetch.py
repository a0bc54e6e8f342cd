"""Downloads from a real server on this machine."""

import gzip
import io
import threading
import time
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.errors import SpecError, UnreadableSpec, UnsafeSpec
from core.read.document import SourceFile
from core.read.files import fetch as fetching
from core.read.files.fetch import fetch, shown
from core.read.files.find import discover
from core.read.files.public_addresses import is_metadata, is_public, resolve
from core.read.limits import Limits

API = b'{"openapi": "3.0.0"}'
OPEN = Limits(allow_private_network=True, fetch_seconds=30, max_file_mb=1, max_redirects=3)


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("a.json", API)
    return buffer.getvalue()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hosts: list[str]

    def do_GET(self) -> None:
        self.hosts.append(self.headers["Host"])
        name = self.path.strip("/").partition("?")[0]
        getattr(self, f"answer_{name.partition('.')[0]}", self.answer_missing)()

    def give(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_api(self) -> None:
        self.give(API)

    def answer_zip(self) -> None:
        self.give(archive())

    def answer_missing(self) -> None:
        self.give(b"no", 404)

    def answer_packed(self) -> None:
        self.give(gzip.compress(API), Content_Encoding="gzip")

    def answer_bomb(self) -> None:
        self.give(gzip.compress(b" " * 50_000_000), Content_Encoding="gzip")

    def answer_half(self) -> None:
        self.give(gzip.compress(API)[:-9], Content_Encoding="gzip")

    def answer_twice(self) -> None:
        self.give(gzip.compress(API[:9]) + gzip.compress(API[9:]), Content_Encoding="gzip")

    def answer_damaged(self) -> None:
        self.give(b"no gzip at all", Content_Encoding="gzip")

    def answer_large(self) -> None:
        self.give(b" " * 1_000_001)

    def answer_moved(self) -> None:
        self.give(b"", 302, Location="/api.json")

    def answer_loop(self) -> None:
        self.give(b"", 302, Location="/loop")

    def answer_inward(self) -> None:
        self.give(b"", 302, Location="http://10.0.0.1/secret")

    def answer_metadata(self) -> None:
        self.give(b"", 302, Location="http://169.254.169.254/latest/meta-data")

    def answer_noise(self) -> None:
        self.close_connection = True
        self.wfile.write(b"You asked for " + self.path.encode() + b"\r\n\r\n")

    def answer_file(self) -> None:
        self.give(b"", 302, Location="file:///etc/passwd")

    def answer_nonsense(self) -> None:
        self.give(b"", 302, Location="http://[::1")

    def answer_drip(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        self.drip(b"X: y\r\n")

    def answer_dripbody(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        self.drip(b" ")

    def drip(self, piece: bytes) -> None:
        self.close_connection = True
        try:
            for _ in range(600):  # a minute
                self.wfile.write(piece)
                time.sleep(0.1)
        except OSError:
            pass  # the reader has gone away, as it should

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A reader that goes away is what the tests are about."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    Handler.hosts = []
    with Server(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.mark.parametrize("name", ["api.json", "packed", "moved", "api.json?key=1#part"])
def test_a_file_is_fetched(server: str, name: str) -> None:
    assert fetch(f"{server}/{name}", limits=OPEN) == API


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("nothing", UnreadableSpec, "the server answers 404."),
        ("large", UnsafeSpec, "it is larger than 1 MB (SPECLOUPE_MAX_FILE_MB)."),
        ("bomb", UnsafeSpec, "it is larger than 1 MB (SPECLOUPE_MAX_FILE_MB)."),
        ("half", UnreadableSpec, "the server's answer is cut off."),
        ("twice", UnreadableSpec, "the server's answer continues after its end."),
        ("damaged", UnreadableSpec, "the server's answer is damaged."),
        ("loop", UnsafeSpec, "it redirects more than 3 times (SPECLOUPE_MAX_REDIRECTS)."),
        ("file", UnsafeSpec, "only http and https are read, not 'file'."),
        ("nonsense", UnreadableSpec, "it is not a valid URL: Invalid port: ':1'."),
    ],
)
def test_what_is_not_fetched_is_told(
    server: str, name: str, kind: type[SpecError], reason: str
) -> None:
    with pytest.raises(kind) as refused:
        fetch(f"{server}/{name}", limits=OPEN)
    assert str(refused.value) == f"{server}/{name}: {reason}"


@pytest.mark.parametrize("name", ["drip", "dripbody"])
def test_a_server_that_drips_is_left(server: str, name: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(UnsafeSpec, match="longer than 1 seconds"):
        fetch(f"{server}/{name}", limits=Limits(allow_private_network=True, fetch_seconds=1))
    assert time.perf_counter() - begin < 30  # of the minute that it drips


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "10.1.2.3",
        "192.168.0.1",
        "[fd00::1]",
    ],
)
def test_private_addresses_are_refused(host: str) -> None:
    with pytest.raises(UnsafeSpec, match="SPECLOUPE_ALLOW_PRIVATE_NETWORK"):
        fetch(f"http://{host}:9/api.json")


METADATA = (
    *("169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192"),
    *("fd00:ec2::254", "fd20:ce::254", "fe80::a9fe:a9fe", "::ffff:169.254.169.254"),
)


@pytest.mark.parametrize("address", METADATA)
def test_metadata_is_refused_even_where_private_networks_are_allowed(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    assert is_metadata(address)
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(UnsafeSpec, match="is never read"):
        fetch(f"http://{host}/latest/meta-data", limits=OPEN)
    monkeypatch.setattr(fetching, "resolve", lambda host, port: ["127.0.0.1", address])
    with pytest.raises(UnsafeSpec, match="is never read"):
        fetch("http://metadata.example/", limits=OPEN)


def test_metadata_behind_a_redirect_is_refused(server: str) -> None:
    with pytest.raises(UnsafeSpec, match="is never read"):
        fetch(f"{server}/metadata", limits=OPEN)


def test_what_a_server_says_instead_of_http_is_not_repeated(server: str) -> None:
    with pytest.raises(UnreadableSpec, match="answer is not valid HTTP") as told:
        fetch(f"{server}/noise?key=SECRET", limits=OPEN)
    assert "SECRET" not in str(told.value)


@pytest.fixture
def loopback_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "is_public", lambda a: a == "127.0.0.1" or is_public(a))


@pytest.mark.usefixtures("loopback_is_public")
def test_a_redirect_to_a_private_address_is_refused(server: str) -> None:
    assert fetch(f"{server}/api") == API
    with pytest.raises(UnsafeSpec, match=r"'10\.0\.0\.1' is on this machine or in a private"):
        fetch(f"{server}/inward")


@pytest.mark.usefixtures("loopback_is_public")
def test_the_address_that_was_checked_is_the_one_connected_to(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answers(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    monkeypatch.setattr(fetching, "resolve", answers)
    url = server.replace("127.0.0.1", "api.example")
    assert fetch(f"{url}/api") == API
    assert asked == ["api.example"]
    assert Handler.hosts[-1] == url.removeprefix("http://")


@pytest.mark.usefixtures("loopback_is_public")
def test_one_private_answer_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "resolve", lambda host, port: ["127.0.0.1", "10.0.0.1"])
    with pytest.raises(UnsafeSpec, match="private network"):
        fetch("http://api.example/")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("gopher://example.com/", "only http and https are read"),
        ("http://user:word@example.com/", "must not hold a name or a password"),
        ("http:///api.json", "invalid host or port"),
        ("http://10.0.0.1:99999/", "invalid host or port"),
        ("http://10.0.0.1:-1/", "invalid host or port"),
        ("http://xn--a/", "it is not a valid URL"),
        ("http://" + "a" * 300 + ".example/", "there is no host"),
    ],
)
def test_urls_that_make_no_sense(url: str, reason: str) -> None:
    with pytest.raises(SpecError, match=reason):
        fetch(url)


def test_nobody_listens() -> None:
    with pytest.raises(UnreadableSpec, match="cannot be fetched"):
        fetch("http://127.0.0.1:9/", limits=OPEN)


def test_proxies_of_the_environment_are_not_used(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert fetch(f"{server}/api", limits=OPEN) == API


def test_secrets_are_not_shown() -> None:
    assert shown("https://user:word@example.com/a?key=1#x") == "https://example.com/a"
    assert "word" not in shown("https://user:word@[::1/a?key=1")


def test_host_and_path_name_what_was_fetched(server: str) -> None:
    host = server.removeprefix("http://")
    [source] = discover(f"{server}/api.json?key=1", limits=OPEN)
    assert isinstance(source, SourceFile)
    assert (source.file, source.root, source.read()) == (f"{host}/api.json", server, API)
    [member] = discover(f"{server}/zip", limits=OPEN)
    assert member.file == f"{host}/zip/a.json"
    [refused] = discover(f"{server}/nothing", limits=OPEN)
    assert isinstance(refused, UnreadableSpec)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("::ffff:8.8.8.8", True),
        ("64:ff9b::808:808", True),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("240.0.0.1", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("192.0.0.192", False),
        ("fec0::1", False),
        ("::ffff:0:7f00:1", False),
        ("64:ff9b:1::7f00:1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("::127.0.0.1", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_number_is_its_own_address() -> None:
    assert resolve("2130706433", 80) == ["127.0.0.1"]
