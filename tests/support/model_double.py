"""A language model on loopback: it answers, hangs, lies, breaks off and fails as it is told.

It also looks at what it is asked: each request has to be of the contract's size and form, and hold
no secret. `doubling` fails the test that sent one that is not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

JSON = Any
KEY = "sk-secret-of-the-tests"
LARGEST = 400_000  # bytes of a request


@dataclass(frozen=True)
class Request:
    """What the model is asked."""

    task: str  # the name of the wanted schema; "" for plain text
    system: str
    data: JSON  # what stands between <data> and </data>; None where there is nothing
    body: Mapping[str, JSON]
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Said:
    """An answer, and how it is sent."""

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0  # before it
    breaks_off: bool = False  # in the middle
    drips: float = 0.0  # seconds between its bytes
    body: bytes | None = None  # in place of an answer of the right form
    tokens: tuple[int, int] | None = (100, 10)  # None: it does not count


def as_json(value: JSON, **how: Any) -> Said:
    return Said(json.dumps(value), **how)


@dataclass
class Double:
    """What was asked, and what is answered; `gate` lets go of those that hang."""

    reply: Callable[[Request], Said]
    url: str = ""
    asked: list[Request] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    gate: Event = field(default_factory=Event)

    @property
    def environment(self) -> dict[str, str]:
        return {"LLM_BASE_URL": self.url, "LLM_API_KEY": KEY, "LLM_RETRIES": "0"}

    @property
    def tasks(self) -> list[str]:
        return [request.task for request in self.asked]

    def hang(self) -> Said:
        """Until the double is closed."""
        self.gate.wait(60)
        return Said("too late")


@contextmanager
def doubling(reply: Callable[[Request], Said]) -> Iterator[Double]:
    """Serve on a free port of this machine."""
    double = Double(reply)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # or the second half of an answer waits for 40 ms

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            request = _request(raw, {k.lower(): v for k, v in self.headers.items()})
            double.faults += _faults(raw, request)
            double.asked.append(request)
            said = double.reply(request)
            time.sleep(said.seconds)
            try:
                _send(self, request, said)
            except OSError:
                self.close_connection = True  # nobody waits any more

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    double.url = f"http://127.0.0.1:{server.server_port}/v1"
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield double
    finally:
        double.gate.set()
        server.shutdown()
        server.server_close()
    assert not double.faults


@contextmanager
def doubled(
    monkeypatch: pytest.MonkeyPatch, reply: Callable[[Request], Said], **named: str
) -> Iterator[Double]:
    """A double that the environment leads to, whose answers are waited for and not kept."""
    with doubling(reply) as made:
        waits = {"LLM_CACHE": "false", "LLM_TIMEOUT_MS": "60000"}
        for name, value in {**made.environment, **waits, **named}.items():
            monkeypatch.setenv(name, value)
        yield made


def _request(raw: bytes, headers: Mapping[str, str]) -> Request:
    body = json.loads(raw)
    texts = {message["role"]: message["content"] for message in body["messages"]}
    wanted = body.get("response_format", {}).get("json_schema", {})
    user = texts.get("user", "")
    inside = user.partition("<data>")[2].partition("</data>")[0]
    data = json.loads(inside) if inside.strip().startswith("{") else None
    return Request(wanted.get("name", ""), texts.get("system", ""), data, body, headers)


def _faults(raw: bytes, request: Request) -> Iterator[str]:
    if len(raw) > LARGEST:
        yield f"{len(raw)} bytes"
    if KEY.encode() in raw:
        yield "the key is in the request"
    if request.headers.get("authorization") != f"Bearer {KEY}":
        yield "the key does not come with it"
    if not {"model", "messages"} <= request.body.keys():
        yield "no model or no messages"
    wanted = request.body.get("response_format", {}).get("json_schema")
    if wanted and not (wanted["strict"] and _is_strict(wanted["schema"])):
        yield f"no strict schema: {wanted}"
    if request.data is not None and str(request.body["messages"]).count("</data>") > 2:
        yield "the data closes its own delimiter"


def _is_strict(schema: JSON) -> bool:
    """As strict answers want it: every object closed, and all of it required."""
    if schema.get("type") == "array":
        return _is_strict(schema["items"])
    if schema.get("type") != "object":
        return True
    inside = schema["properties"]
    is_closed = schema["additionalProperties"] is False and [*inside] == schema["required"]
    return is_closed and all(map(_is_strict, inside.values()))


def _send(handler: BaseHTTPRequestHandler, request: Request, said: Said) -> None:
    if request.body.get("stream") and said.status == 200 and said.body is None:
        _stream(handler, said)
        return
    body = said.body if said.body is not None else _answer(said)
    handler.send_response(said.status)
    for name, value in {"Content-Type": "application/json", **said.headers}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    for at in range(len(body) if said.drips else 0):
        handler.wfile.write(body[at : at + 1])
        time.sleep(said.drips)
    if not said.drips:
        handler.wfile.write(body[: len(body) // 2] if said.breaks_off else body)
    handler.close_connection = said.breaks_off


def _answer(said: Said) -> bytes:
    if said.status != 200:  # as some servers do, it quotes the key
        return json.dumps({"error": {"message": f"Wrong key {KEY}", "type": "x"}}).encode()
    message = {"role": "assistant", "content": said.text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps(_piece("chat.completion", choice, said.tokens)).encode()


def _piece(kind: str, choice: JSON, tokens: tuple[int, int] | None) -> JSON:
    whole = {"id": "1", "object": kind, "created": 0, "model": "double", "choices": [choice]}
    if choice is None:
        whole["choices"] = []
    if tokens:
        read, written = tokens
        usage = {"prompt_tokens": read, "completion_tokens": written}
        whole["usage"] = {**usage, "total_tokens": read + written}
    return whole


def _stream(handler: BaseHTTPRequestHandler, said: Said) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    words = said.text.split(" ")
    for at, word in enumerate(words[: len(words) // 2] if said.breaks_off else words):
        delta = {"content": f"{' ' * bool(at)}{word}"}
        _event(handler, {"index": 0, "delta": delta, "finish_reason": None}, None)
    if not said.breaks_off:
        _event(handler, {"index": 0, "delta": {}, "finish_reason": "stop"}, None)
        _event(handler, None, said.tokens)
        handler.wfile.write(b"data: [DONE]\n\n")
    handler.close_connection = True


def _event(handler: BaseHTTPRequestHandler, choice: JSON, tokens: tuple[int, int] | None) -> None:
    piece = json.dumps(_piece("chat.completion.chunk", choice, tokens))
    handler.wfile.write(f"data: {piece}\n\n".encode())
    handler.wfile.flush()
