"""The keys of the pages are of pages that exist, and the browser's cookie is one of two words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import streamlit as st

from ui.manners.manners import LETTERS, SIDEBAR, TOUR, sidebar
from ui.server import PAGES


def test_every_page_has_a_letter() -> None:
    assert {name.lower() for name in LETTERS.values()} == {*PAGES} - {""}


def test_the_tour_is_short() -> None:
    assert len(TOUR) <= 5
    assert all(len(text) < 200 for _, text in TOUR)


@pytest.mark.parametrize(
    ("cookies", "state"),
    [({}, "auto"), ({SIDEBAR: "collapsed"}, "collapsed"), ({SIDEBAR: "<script>"}, "auto")],
)
def test_the_sidebar_is_as_it_was_left(
    monkeypatch: pytest.MonkeyPatch, cookies: dict[str, str], state: str
) -> None:
    monkeypatch.setattr(st, "context", SimpleNamespace(cookies=cookies))
    assert sidebar() == state
