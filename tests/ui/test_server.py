"""Who may call the server by which name, and where its window opens."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from ui import server


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
    hosts = server.names("127.0.0.1", ["*.example.org"])
    assert server.is_allowed(host, hosts) is allowed


def test_a_proxy_is_named_with_or_without_scheme_and_port() -> None:
    for name in ("specs.example.org", "https://specs.example.org", "specs.example.org:443"):
        assert "specs.example.org" in server.names("127.0.0.1", [name])
    for host in ("[2001:db8::7]", "2001:db8::7", "[2001:db8::7]:80"):
        assert "2001:db8::7" in server.names("127.0.0.1", [host])
    assert server.origins(["specs.example.org", "*.example.org"]) == (
        "https://specs.example.org",
        "http://specs.example.org",
    )


def test_a_server_that_listens_everywhere_knows_its_own_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket.socket, "connect", lambda *_: None)  # of UDP, which sends nothing
    found = server.names("0.0.0.0")
    assert set(server.LOOPBACK) < set(found)
    assert "0.0.0.0" not in found


@pytest.mark.parametrize(
    ("environment", "platform", "seen"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "firefox"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "1 2 3 4"}, "darwin", False),
    ],
)
def test_a_window_opens_only_where_it_is_seen(
    environment: dict[str, str], platform: str, seen: bool
) -> None:
    assert server.has_desktop(environment, platform) is seen


def test_no_browser_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER", "/no/such/browser %s")
    server.open_window("http://127.0.0.1:1")


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
    assert server.address(host, 80) == url


def test_every_page_of_the_navigation_is_served_as_a_page() -> None:
    """A page that the server does not know logs two 404s on a cold link."""
    navigation = (Path(__file__).parents[2] / "app.py").read_text("utf-8")
    assert {*server.PAGES} == {"", *re.findall(r'title="\w+", url_path="(\w+)"', navigation)}
