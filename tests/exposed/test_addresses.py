"""Who may call a server by which name, and where it is found."""

from __future__ import annotations

import socket

import pytest

from core.exposed import addresses


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost", True),
        ("LOCALHOST.:8501", True),
        ("127.0.0.1:8501", True),
        ("[::1]:8501", True),
        ("127.0.0.1.evil.example", False),
        ("evil.example:8501", False),
        ("api.example.org", True),
        ("example.org", False),
        ("notexample.org", False),
        ("", False),
        ("[::1", False),
    ],
)
def test_only_its_own_names_are_answered(host: str, allowed: bool) -> None:
    hosts = addresses.names("127.0.0.1", ["*.example.org"])
    assert addresses.is_allowed(host, hosts) is allowed


def test_a_proxy_is_named_with_or_without_scheme_and_port() -> None:
    for name in ("specs.example.org", "https://specs.example.org", "specs.example.org:443"):
        assert "specs.example.org" in addresses.names("127.0.0.1", [name])
    for host in ("[2001:db8::7]", "2001:db8::7", "[2001:db8::7]:80"):
        assert "2001:db8::7" in addresses.names("127.0.0.1", [host])
    assert addresses.origins(["specs.example.org", "*.example.org"]) == (
        "https://specs.example.org",
        "http://specs.example.org",
    )


def test_a_server_that_listens_everywhere_knows_its_own_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket.socket, "connect", lambda *_: None)  # of UDP, which sends nothing
    found = addresses.names("0.0.0.0")
    assert set(addresses.LOOPBACK) < set(found)
    assert "0.0.0.0" not in found


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("::", "http://localhost:80"),
        ("0.0.0.0", "http://localhost:80"),
        ("::1", "http://[::1]:80"),
    ],
)
def test_the_address_is_one_that_a_browser_takes(host: str, url: str) -> None:
    assert addresses.address(host, 80) == url
