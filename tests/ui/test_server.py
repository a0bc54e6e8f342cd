"""Where the window of the pages' server opens, and which pages it knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui import server


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


def test_every_page_of_the_navigation_is_served_as_a_page() -> None:
    """A page that the server does not know logs two 404s on a cold link."""
    navigation = (Path(__file__).parents[2] / "app.py").read_text("utf-8")
    assert {*server.PAGES} == {"", *re.findall(r'title="\w+", url_path="(\w+)"', navigation)}
