"""Download one file from the web, within bounds and never from a private network."""

from __future__ import annotations

import re
import ssl
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import httpcore
import httpx

from core.deadline import Deadline
from core.errors import SpecError, UnreadableSpec, UnsafeSpec
from core.read.files.public_addresses import is_metadata, is_public, resolve
from core.read.limits import Limits

_INVALID = (httpx.InvalidURL, ValueError)  # ports below zero, hosts that are no Unicode
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = (
    (b"User-Agent", b"specloupe"),
    (b"Accept", b"application/json, application/yaml, text/yaml, */*;q=0.5"),
    (b"Accept-Encoding", b"gzip"),
)


def fetch(url: str, *, limits: Limits | None = None) -> bytes:
    """The bytes behind an http(s) URL, redirects followed.

    Every address on the way is looked up once, checked, and then connected to as checked, so that
    a name cannot lead elsewhere in between. Proxies of the environment are not used.
    Raises UnreadableSpec (no answer, a wrong one) or UnsafeSpec (a bound, a private address).
    """
    answer = ask(url, limits=limits)
    if answer.status != 200:
        raise UnreadableSpec(shown(url), f"the server answers {answer.status}.")
    return answer.body


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server says, redirects followed."""

    url: str
    status: int
    headers: Mapping[str, str]  # by name in lower case
    body: bytes  # of a GET with status 200; else nothing is read


def ask(
    url: str,
    *,
    limits: Limits | None = None,
    headers: Mapping[str, str] | None = None,
    secret: Mapping[str, str] | None = None,
    method: str = "GET",
) -> Answer:
    """The same with other statuses, and with headers; `secret` ones go to the host of the URL
    alone, and to no other that it redirects to."""
    download = _Download(url, limits or Limits(), headers or {}, secret or {}, method)
    try:
        return download.run()
    except (httpcore.TimeoutException, TimeoutError) as error:
        raise download.late() from error
    except (httpcore.ProtocolError, ValueError):  # quotes what the server said
        raise UnreadableSpec(
            download.shown, "it cannot be fetched: the server's answer is not valid HTTP."
        ) from None
    except (httpcore.NetworkError, ssl.SSLError, OSError) as error:
        reason = str(error).rstrip(".")
        raise UnreadableSpec(download.shown, f"it cannot be fetched: {reason}.") from error
    except zlib.error as error:
        raise UnreadableSpec(download.shown, "the server's answer is damaged.") from error


class _Download:
    def __init__(
        self,
        url: str,
        limits: Limits,
        headers: Mapping[str, str],
        secret: Mapping[str, str],
        method: str,
    ) -> None:
        self.shown = shown(url)
        self._url, self._limits, self._method = url, limits, method
        self._headers, self._secret = _encoded(headers), _encoded(secret)
        self._deadline = Deadline.after(limits.fetch_seconds)

    def run(self) -> Answer:
        backend = _CheckedBackend(self._limits, self._deadline, self.shown)
        # the default context of httpx knows the usual authorities; it reads no proxy settings
        context = httpx.create_ssl_context()
        with httpcore.ConnectionPool(ssl_context=context, network_backend=backend) as pool:
            return self._follow(pool)

    def late(self) -> SpecError:
        return UnsafeSpec(
            self.shown,
            f"it takes longer than {self._limits.fetch_seconds} seconds (SPECLOUPE_FETCH_SECONDS).",
        )

    def _follow(self, pool: httpcore.ConnectionPool) -> Answer:
        first = url = self._checked(self._url)
        for _ in range(self._limits.max_redirects + 1):
            asked = [*_HEADERS, *self._headers, _host(url)]
            if (url.scheme, url.netloc) == (first.scheme, first.netloc):
                asked += self._secret
            with pool.stream(self._method, str(url), headers=asked) as response:
                location = _header(response, b"location")
                if response.status not in _REDIRECTS or not location:
                    is_read = response.status == 200 and self._method == "GET"
                    body = self._body(response) if is_read else b""
                    return Answer(str(url), response.status, _headers_of(response), body)
            url = self._checked(location, base=url)
        raise UnsafeSpec(
            self.shown,
            f"it redirects more than {self._limits.max_redirects} times (SPECLOUPE_MAX_REDIRECTS).",
        )

    def _checked(self, text: str, base: httpx.URL | None = None) -> httpx.URL:
        try:
            url = base.join(text) if base else httpx.URL(text)
            url.host  # noqa: B018  # decoded when it is asked for
        except _INVALID as error:
            reason = str(error).rstrip(".")
            raise UnreadableSpec(self.shown, f"it is not a valid URL: {reason}.") from error
        if url.scheme not in ("http", "https"):
            raise UnsafeSpec(self.shown, f"only http and https are read, not {url.scheme!r}.")
        if not url.host or not 0 <= (url.port or 0) <= 65_535:
            raise UnreadableSpec(self.shown, "it is not a valid URL: invalid host or port.")
        if url.userinfo:
            raise UnsafeSpec(self.shown, "a URL must not hold a name or a password.")
        return url.copy_with(fragment=None)

    def _body(self, response: httpcore.Response) -> bytes:
        limit, body = self._limits.max_file_bytes, bytearray()
        gzip = _header(response, b"content-encoding").lower() in ("gzip", "x-gzip")
        unpack = zlib.decompressobj(wbits=31) if gzip else None
        for piece in response.iter_stream():
            body += unpack.decompress(piece, limit + 1) if unpack else piece
            if len(body) > limit:
                raise UnsafeSpec(
                    self.shown,
                    f"it is larger than {self._limits.max_file_mb} MB (SPECLOUPE_MAX_FILE_MB).",
                )
        if unpack and not unpack.eof:
            raise UnreadableSpec(self.shown, "the server's answer is cut off.")
        if unpack and unpack.unused_data:
            raise UnreadableSpec(self.shown, "the server's answer continues after its end.")
        return bytes(body)


def shown(url: str) -> str:
    """A URL as it may be shown: what may be secret in it, name, password and query, is left out."""
    try:
        parsed = httpx.URL(url)
    except _INVALID:
        return re.sub(r"//[^/]*@", "//", url.partition("?")[0])[:200]
    return str(parsed.copy_with(userinfo=b"", query=None, fragment=None))


def _host(url: httpx.URL) -> tuple[bytes, bytes]:
    return b"Host", url.netloc


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]


def _headers_of(response: httpcore.Response) -> dict[str, str]:
    """Of several of a name the first counts, but of links, which are a list however it is sent."""
    found: dict[str, str] = {}
    for key, value in response.headers:
        name, said = key.decode("latin-1").lower(), value.decode("latin-1")
        if name == "link" and name in found:
            found[name] += f", {said}"
        found.setdefault(name, said)
    return found


def _header(response: httpcore.Response, name: bytes) -> str:
    values = (value for key, value in response.headers if key.lower() == name)
    return next(values, b"").decode("latin-1").strip()


class _CheckedBackend(httpcore.NetworkBackend):
    """Connects only to addresses that were checked, and never waits beyond the deadline."""

    def __init__(self, limits: Limits, deadline: Deadline, shown: str) -> None:
        self._limits, self._deadline, self._shown = limits, deadline, shown
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        failure: Exception | None = None
        for address in self._addresses(host, port):
            try:
                stream = self._inner.connect_tcp(address, port, _left(self._deadline))
                return _BoundedStream(stream, self._deadline)
            except httpcore.ConnectError as error:
                failure = error
        raise failure or OSError(f"{host} has no address")

    def _addresses(self, host: str, port: int) -> list[str]:
        try:
            addresses = resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise UnreadableSpec(self._shown, f"there is no host {host!r}.") from error
        if any(map(is_metadata, addresses)):
            raise UnsafeSpec(
                self._shown,
                "it leads to a cloud's metadata service, which is never read.",
            )
        if not self._limits.allow_private_network and not all(map(is_public, addresses)):
            raise UnsafeSpec(
                self._shown,
                f"{host!r} is on this machine or in a private network; "
                "SPECLOUPE_ALLOW_PRIVATE_NETWORK=true allows that.",
            )
        return list(addresses)


class _BoundedStream(httpcore.NetworkStream):
    """A connection whose every step ends with the deadline, however slowly bytes drip."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner, self._deadline = inner, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(self._deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(self._deadline))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        secured = self._inner.start_tls(ssl_context, server_hostname, _left(self._deadline))
        return _BoundedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


def _left(deadline: Deadline) -> float:
    left = deadline.left
    if left <= 0:  # a time-out of 0 would mean not to wait at all, and a negative one is refused
        raise httpcore.ReadTimeout("out of time")
    return left
