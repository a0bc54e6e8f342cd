"""Bytes on a connection: what is no request, or could be read as two, reaches nobody.

A proxy that reads such bytes in another way than the server lets a client hide a request in another
(RFC 9112, section 11.2).
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from core.service.guard import Guard, Rules
from core.service.patience import MOST_HEAD_BYTES, UVICORN

POST = b"POST /a HTTP/1.1\r\nHost: localhost\r\n"
GET = b"GET /a HTTP/1.1\r\nHost: localhost\r\n"
HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"

NOT_REQUESTS = {
    "length and chunked": POST
    + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    + HIDDEN,
    "chunked and length": POST
    + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
    + HIDDEN,
    "two lengths": POST + b"Content-Length: 3\r\nContent-Length: 50\r\n\r\nabc" + HIDDEN,
    "a length twice": POST + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "a list of lengths": POST + b"Content-Length: 3, 3\r\n\r\nabc",
    "a signed length": POST + b"Content-Length: +3\r\n\r\nabc",
    "a negative length": POST + b"Content-Length: -1\r\n\r\nabc",
    "a hexadecimal length": POST + b"Content-Length: 0x3\r\n\r\nabc",
    "a length without end": POST + b"Content-Length: %d\r\n\r\nabc" % 10**30,
    "no length": POST + b"Content-Length: \r\n\r\nabc",
    "another coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked is not last": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "two codings": POST
    + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "identity and length": POST + b"Transfer-Encoding: identity\r\nContent-Length: 3\r\n\r\nabc",
    "a space before the colon": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a control character": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "a folded header": POST + b"X-A: b\r\n c\r\nContent-Length: 3\r\n\r\nabc",
    "a folded coding": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "bare line feeds": POST.replace(b"\r", b"") + b"Content-Length: 3\n\nabc",
    "one bare line feed": POST + b"X: y\nContent-Length: 3\r\n\r\nabc",
    "a bare carriage return": POST + b"X: y\rContent-Length: 3\r\n\r\nabc",
    "a zero byte": POST + b"X: y\0z\r\nContent-Length: 3\r\n\r\nabc",
    "a space in a name": GET + b"Content Length: 3\r\n\r\n",
    "no name": GET + b": x\r\n\r\n",
    "a space in the target": b"GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "another version": b"GET /a HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "encrypted": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a tunnel": b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "two hosts": GET + b"Host: elsewhere.example\r\n\r\n",
    "a head without end": GET + b"X: " + b"y" * 3 * MOST_HEAD_BYTES,
    "a target without end": b"GET /" + b"y" * 3 * MOST_HEAD_BYTES,
}
NOT_BODIES = {  # what is wrong follows a head that is well-formed
    "a size that is none": CHUNKED + b"0x3\r\nabc\r\n0\r\n\r\n",
    "a size without end": CHUNKED + b"f" * 17 + b"\r\nabc\r\n0\r\n\r\n",
    "bare line feeds between chunks": CHUNKED + b"3\nabc\n0\n\n",
    "a chunk longer than it says": CHUNKED + b"3\r\nabcX0\r\n\r\n" + HIDDEN,
}


class Running:
    """A server whose one page says what arrived there."""

    def __init__(self) -> None:
        self.arrived: list[str] = []
        page = Route("/{path:path}", self._page, methods=["GET", "POST"])
        app = Guard(Starlette(routes=[page]), Rules(hosts=("localhost",)))
        config = uvicorn.Config(app, port=0, **{**UVICORN, "log_level": "critical"})
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)

    async def _page(self, request: Request) -> JSONResponse:
        self.arrived.append(request.url.path)
        body = (await request.body()).decode()
        return JSONResponse({"body": body, "headers": [*request.headers]})

    def __enter__(self) -> Running:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()

    def sent(self, *pieces: bytes, answers: int = 1) -> bytes:
        """All that comes back until the server closes, or has begun so many answers and says
        nothing more."""
        self.arrived.clear()
        port = self._server.servers[0].sockets[0].getsockname()[1]
        found = b""
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.settimeout(10)  # a busy machine takes a while to begin
            with contextlib.suppress(OSError):  # it may close before all is sent
                for piece in pieces:
                    connection.sendall(piece)
            with contextlib.suppress(OSError):
                while more := connection.recv(100_000):
                    found += more
                    if len(statuses(found)) >= answers:
                        connection.settimeout(0.3)
        return found


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with Running() as running:
        yield running


def statuses(said: bytes) -> list[int]:
    return [int(each) for each in re.findall(rb"HTTP/1\.1 (\d+)", said)]


def bodies(said: bytes) -> list[Any]:
    return [json.loads(each) for each in re.findall(rb"\{.*?\}", said)]


@pytest.mark.parametrize("sent", [pytest.param(v, id=k) for k, v in NOT_REQUESTS.items()])
def test_what_is_no_request_reaches_nobody(server: Running, sent: bytes) -> None:
    assert statuses(server.sent(sent)) in ([400], [431])
    assert server.arrived == []
    assert statuses(server.sent(GET + b"Connection: close\r\n\r\n")) == [200]


@pytest.mark.parametrize("sent", [pytest.param(v, id=k) for k, v in NOT_BODIES.items()])
def test_what_is_no_body_reaches_nobody(server: Running, sent: bytes) -> None:
    said = server.sent(sent)
    assert statuses(said) == [400]
    assert server.arrived == []


@pytest.mark.parametrize(
    "head",
    [
        GET + b"X: " + b"y" * 70_000 + b"\r\n\r\n",
        GET + b"".join(b"X%d: y\r\n" % number for number in range(10_000)) + b"\r\n",
    ],
    ids=["a header", "many headers"],
)
def test_a_whole_head_that_is_too_large_is_told_so(server: Running, head: bytes) -> None:
    said = server.sent(head)
    assert statuses(said) == [431]
    assert b"64,000 bytes" in said
    assert server.arrived == []


def test_a_head_may_come_in_pieces(server: Running) -> None:
    head = GET + b"X: " + b"y" * 50_000 + b"\r\n\r\n"
    pieces = [head[at : at + 9_000] for at in range(0, len(head), 9_000)]
    assert statuses(server.sent(*pieces)) == [200]


def test_requests_sent_at_once_are_answered_in_order_each_by_itself(server: Running) -> None:
    first = POST + b"Content-Length: 1\r\n\r\n1"
    second = CHUNKED.replace(b"/a", b"/b") + b"1\r\n2\r\n0\r\n\r\n"
    refused = b"GET /c HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"
    last = b"GET /d HTTP/1.1\r\nHost: localhost\r\n\r\n"
    said = server.sent(first + second + refused + last, answers=4)
    assert statuses(said) == [200, 200, 403, 200]
    assert server.arrived == ["/a", "/b", "/d"]
    assert [each.get("body") for each in bodies(said)] == ["1", "2", None, ""]


def test_a_large_body_and_the_next_request_behind_it(server: Running) -> None:
    size = 2 * MOST_HEAD_BYTES
    first = POST + b"Content-Length: %d\r\n\r\n" % size + b"1" * size
    said = server.sent(first + GET[:20], GET[20:] + b"\r\n", answers=2)
    assert statuses(said) == [200, 200]


def test_the_body_of_a_request_that_has_none_is_not_the_next_request(server: Running) -> None:
    said = server.sent(GET + b"Content-Length: %d\r\n\r\n" % len(HIDDEN) + HIDDEN)
    assert statuses(said) == [200]
    assert server.arrived == ["/a"]


def test_what_follows_a_body_is_no_header(server: Running) -> None:
    trailers = b"Host: elsewhere.example\r\nAuthorization: Bearer one\r\n"
    said = server.sent(CHUNKED + b"1\r\n2\r\n0\r\n" + trailers + b"\r\n")
    assert statuses(said) == [200]
    assert bodies(said) == [{"body": "2", "headers": ["host", "transfer-encoding"]}]


def test_a_connection_stays_one_of_requests(server: Running) -> None:
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    said = server.sent(GET + upgrade + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    assert statuses(said) == [200]


def test_a_target_with_a_host_of_its_own_is_asked_for_by_the_header(server: Running) -> None:
    absolute = b"GET http://localhost/a HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"
    assert statuses(server.sent(absolute)) == [403]
