"""A host of knowledge articles on loopback, which answers as it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str | Sequence[str]] = field(default_factory=dict)  # several of a name
    cut: int = 0  # bytes that the length promises and the body has not


@dataclass
class Host:
    """What was asked for, and what is answered."""

    url: str
    reply: Callable[[str, Mapping[str, str]], Reply]
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)


@contextmanager
def hosting(reply: Callable[[str, Mapping[str, str]], Reply]) -> Iterator[Host]:
    """Serve on a free port of this machine; `reply` is given the path and the headers."""
    host = Host("", reply)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            host.asked.append((self.path, headers))
            said = host.reply(self.path, headers)
            self.send_response(said.status)
            for name, value in said.headers.items():
                for each in [value] if isinstance(value, str) else value:
                    self.send_header(name, each)
            self.send_header("Content-Length", str(len(said.body) + said.cut))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(said.body)

        do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    host.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
