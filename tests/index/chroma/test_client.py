"""What a server's refusals come to: a sentence each, with what to do."""

from __future__ import annotations

import json

import httpx
import pytest

from core.index.chroma.address import parse_address
from core.index.chroma.client import server_error


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed"), "SSL_CERT_FILE"),
        (httpx.ConnectError("Connection refused"), "Check that it is running"),
        (httpx.ReadTimeout("timed out"), "did not answer in time"),
        (httpx.ConnectError("[SSL: WRONG_VERSION_NUMBER] wrong"), "begins with http://."),
        (json.JSONDecodeError("expected a value", "<html>", 0), "not answer as a Chroma server"),
        (TypeError("must be a mapping, not list"), "not answer as a Chroma server"),
        (ValueError("Could not connect to a Chroma server."), "Check that it is running"),
    ],
    ids=["certificate", "refused", "slow", "no-tls", "page", "list", "chroma's own"],
)
def test_what_went_wrong_and_what_to_do(error: Exception, says: str) -> None:
    sentence = str(server_error(parse_address("https://chroma.example.com", {}), error))
    assert says in sentence
    assert "https://chroma.example.com:443" in sentence
