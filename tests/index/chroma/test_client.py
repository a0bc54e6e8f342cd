"""What a server's refusals come to: a sentence each, with what to do."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import httpx
import pytest

from core.errors import StoreError
from core.index.chroma.client import ServerChroma, server_error
from core.index.chroma.remote.address import parse_address


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed"), "SSL_CERT_FILE"),
        (httpx.ConnectError("Connection refused"), "Check that it is running"),
        (httpx.ReadTimeout("timed out"), "did not answer in time"),
        (httpx.ConnectError("[SSL: WRONG_VERSION_NUMBER] wrong"), "address with http://."),
        (json.JSONDecodeError("expected a value", "<html>", 0), "not look like a Chroma server"),
        (ValueError("Could not connect to a Chroma server."), "Check that it is running"),
    ],
    ids=["certificate", "refused", "slow", "no-tls", "page", "chroma's own"],
)
def test_what_went_wrong_and_what_to_do(error: Exception, says: str) -> None:
    sentence = str(server_error(parse_address("https://chroma.example.com", {}), error))
    assert says in sentence
    assert "https://chroma.example.com:443" in sentence


class Another(BaseHTTPRequestHandler):
    """A server that answers everything with JSON of its own."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


def test_another_server_is_told_from_its_json() -> None:
    with HTTPServer(("127.0.0.1", 0), Another) as server:
        Thread(target=server.handle_request).start()
        address = parse_address(f"http://127.0.0.1:{server.server_port}", {})
        with pytest.raises(StoreError, match="does not look like a Chroma server"):
            ServerChroma(address, seconds=60)(lambda client: client.heartbeat())
