"""Servers that answer 200 with something else: one sentence, without the token."""

from __future__ import annotations

import gzip
import importlib.util
import json
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from core.errors import StoreError
from core.index.chroma.client import ServerChroma, server_error
from core.index.chroma.remote.address import parse_address
from core.index.chroma.remote.lease import is_leased
from core.index.chroma.remote.meta import Records
from core.index.chroma.remote.narrow import NarrowCollection
from core.index.disk.bounded import bounded

TOKEN = "sk-very-secret-token"
COLLECTION = {
    "id": "00000000-0000-0000-0000-000000000001",
    "name": "rows",
    "metadata": {"embedder": "e"},
    "configuration_json": {},
    "dimension": 4,
    "tenant": "default_tenant",
    "database": "default_database",
    "version": 0,
    "log_position": 0,
}


class Liar(BaseHTTPRequestHandler):
    """Says what a Chroma server says until it is asked for rows."""

    body = b"{}"
    status = 200

    def do_GET(self) -> None:
        if self.path.endswith("/pre-flight-checks"):
            self.give({"max_batch_size": 100})
        elif "collections" in self.path:
            self.lie() if self.path.endswith("count") else self.give(COLLECTION)
        elif self.path.endswith("/auth/identity"):
            self.give({"user_id": "u", "tenant": "t", "databases": ["d"]})
        else:
            self.give({"tenant": "t", "name": "n", "id": COLLECTION["id"]})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.lie()

    def lie(self) -> None:
        self.give_bytes(self.body, self.status)

    def give(self, value: object) -> None:
        self.give_bytes(json.dumps(value).encode())

    def give_bytes(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def chroma() -> Iterator[ServerChroma]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Liar) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        url = f"http://127.0.0.1:{server.server_port}"
        asking = ServerChroma(parse_address(url, {"CHROMA_TOKEN": TOKEN}), seconds=60)
        yield asking
        asking.close()
        server.shutdown()


BODIES = {
    "nothing": b"{}",
    "null": b"null",
    "a list": b"[]",
    "a text": json.dumps(TOKEN).encode(),
    "a page": b"<html>" + TOKEN.encode() + b"</html>",
    "other types": b'{"ids": 7, "distances": "x", "documents": {}, "metadatas": 1}',
    "uneven": b'{"ids": ["a"], "documents": [], "metadatas": [], "embeddings": null,'
    b' "distances": [[1, 2]], "uris": null, "data": null, "include": []}',
    "no text": b'{"ids": [["a"]], "documents": [null], "metadatas": [null], "embeddings": null,'
    b' "distances": [[null]], "uris": null, "data": null, "include": []}',
}


@pytest.mark.thorough
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("status", [200, 500, 429])
def test_whatever_it_answers_is_one_error_without_the_token(
    chroma: ServerChroma, monkeypatch: pytest.MonkeyPatch, body: bytes, status: int
) -> None:
    import numpy as np

    monkeypatch.setattr(Liar, "body", body)
    monkeypatch.setattr(Liar, "status", status)
    rows = NarrowCollection(chroma, "rows", embedder="e")
    calls: list[Callable[[], object]] = [
        lambda: rows.get(["a"]),
        lambda: list(rows.of_file("a")),
        lambda: rows.nearest(np.ones(4, np.float32), limit=3, where=None),
        lambda: is_leased(Records(chroma)),
        lambda: list(Records(chroma).ids("file")),
    ]
    for call in calls:
        with pytest.raises(StoreError) as told:
            call()
        assert TOKEN not in str(told.value)
        assert str(told.value).count("\n") == 0


def test_a_server_that_gives_the_same_rows_again_and_again_is_left(
    chroma: ServerChroma, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = {"kind": "file"}
    body = {
        "ids": ["a"],
        "metadatas": [record],
        "documents": None,
        "embeddings": None,
        "uris": None,
        "data": None,
        "include": ["metadatas"],
    }
    monkeypatch.setattr(Liar, "body", json.dumps(body).encode())
    with pytest.raises(StoreError, match="keeps returning"):
        list(Records(chroma).ids("file"))


def test_the_token_is_not_in_a_message_that_repeats_it() -> None:
    address = parse_address("http://localhost:1", {"CHROMA_TOKEN": TOKEN})
    said = str(server_error(address, ValueError(f"no access for Bearer {TOKEN}\x1b[2J")))
    assert TOKEN not in said
    assert "\x1b" not in said


def test_a_metadata_address_is_no_store() -> None:
    address = parse_address("http://169.254.169.254:80", {})
    with pytest.raises(StoreError, match="cloud's metadata service"):
        ServerChroma(address, seconds=5)(lambda client: client.heartbeat())


# openai's client is one of httpx2 from its version 3 on; before, and Chroma's, of httpx
LIBRARIES = [name for name in ("httpx", "httpx2") if importlib.util.find_spec(name)]


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Any:
    return importlib.import_module(request.param)


def answered(library: Any, pieces: Iterator[bytes], *, seconds: float = 60, **headers: str) -> Any:
    answer = library.Response(200, content=pieces, headers=headers)
    transport = library.MockTransport(lambda _: answer)
    hook = bounded(size=1_000, seconds=seconds)
    return library.Client(transport=transport, event_hooks={"response": [hook]})


def test_an_answer_is_read_within_its_bounds(library: Any) -> None:
    def drip() -> Iterator[bytes]:
        for _ in range(20):
            time.sleep(0.05)
            yield b" "

    packed = gzip.compress(b"ab")
    bomb = gzip.compress(b" " * 100_000)
    zipped = {"content-encoding": "gzip"}
    assert answered(library, iter([b"a", b"b"])).get("http://a/").content == b"ab"
    assert answered(library, iter([packed]), **zipped).get("http://a/").text == "ab"
    for pieces, headers in (([b" " * 2_000], {}), ([bomb], zipped)):
        with pytest.raises(library.ReadError, match="larger than 1,000 bytes"):
            answered(library, iter(pieces), **headers).get("http://a/")
    with pytest.raises(library.ReadTimeout):
        answered(library, drip(), seconds=0.2).get("http://a/")
