from __future__ import annotations

from xml.etree import ElementTree

import pytest

from core.story.drawing import LISTED, Dot, lengths, needs, rows, scatter
from core.text.markup import Markup

HOSTILE = '<script>alert("x")</script>'
PICTURES = [
    lengths(HOSTILE, [(HOSTILE, 1.0, HOSTILE)]),
    needs(HOSTILE, {HOSTILE: [HOSTILE]}),
    scatter(HOSTILE, [Dot(1, 1, HOSTILE, is_best=True), Dot(2, 3)], HOSTILE, HOSTILE),
    rows([(HOSTILE, HOSTILE)]),
]


@pytest.mark.parametrize("picture", PICTURES)
def test_a_picture_is_whole_and_holds_no_markup_of_others(picture: Markup) -> None:
    ElementTree.fromstring(picture)
    assert "<script" not in picture


def test_bars_are_as_long_as_their_values() -> None:
    drawn = ElementTree.fromstring(lengths("t", [("a", 1.0, ""), ("b", 4.0, "")]))
    one, four = (float(bar.get("width", "0")) for bar in drawn.iter("rect"))
    assert four == pytest.approx(4 * one, abs=2)


def test_nothing_to_draw_is_an_empty_picture() -> None:
    ElementTree.fromstring(lengths("t", []))
    ElementTree.fromstring(scatter("t", [], "x", "y"))


def test_long_lists_are_cut_and_counted() -> None:
    drawn = needs("first", {"What is sent": [f"name {n}" for n in range(LISTED + 3)]})
    assert "and 3 more" in drawn
    assert f"name {LISTED}" not in drawn


def test_the_best_is_drawn_last_and_is_named() -> None:
    drawn = scatter("t", [Dot(1, 1, "best", is_best=True), Dot(1, 1)], "x", "y")
    circles = [one.get("class") for one in ElementTree.fromstring(drawn).iter("circle")]
    assert circles == ["dot", "best"]
