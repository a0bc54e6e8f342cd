"""A loopback server that embeds as OpenAI does."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

KEY = "sk-very-secret-0123456789"


class FakeOpenAI:
    """A loopback server that speaks as much of the protocol as is needed."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.failures: list[int] = []  # statuses to answer first
        self.dimensions = 1536
        self.retry_after = "1"  # milliseconds; "": the client chooses
        self.last_key = ""
        self.hook: Callable[[dict[str, Any]], None] = lambda request: None  # before an answer
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.last_key = self.headers["Authorization"]
                status = outer.failures.pop(0) if outer.failures else 200
                body = outer.answer(request) if status == 200 else outer.error()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                if outer.retry_after:
                    self.send_header("retry-after-ms", outer.retry_after)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def answer(self, request: dict[str, Any]) -> bytes:
        self.requests.append(request)
        self.hook(request)
        size = request.get("dimensions", self.dimensions)
        data = [
            {
                "object": "embedding",
                "index": i,
                "embedding": self.vector(text, size),
            }
            for i, text in enumerate(request["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        reply = {"object": "list", "model": request["model"], "usage": usage, "data": data[::-1]}
        return json.dumps(reply).encode()

    def vector(self, text: str, size: int) -> list[float]:
        return [float(len(text))] + [1.0] * (size - 1)

    def error(self) -> bytes:
        return json.dumps({"error": {"message": f"bad key {KEY}", "code": "nope"}}).encode()


@contextmanager
def serving(fake: FakeOpenAI) -> Iterator[FakeOpenAI]:
    thread = threading.Thread(target=fake.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield fake
    finally:
        fake.server.shutdown()
        thread.join()
        fake.server.server_close()
