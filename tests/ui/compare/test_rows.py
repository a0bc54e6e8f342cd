"""Many compared questions: found by words and kind, in an order, page by page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.retrieved import ALL, context

from core.evaluate.compare.compare import LabelMove
from core.evaluate.compare.side_by_side import SideBySide, side_by_side
from ui.compare.rows import FILTERS, ORDERS, listed, page


def one(query: str, before: list[str], after: list[str], *kinds: str) -> SideBySide:
    from dataclasses import replace

    moves = {"lost": (True, False), "gained": (False, True)}
    gold = tuple(LabelMove(("x",), 1, 1, *moves[kind]) for kind in kinds)
    found = side_by_side(context(before, query=query), context(after, query=query))
    return replace(found, query=query, gold=gold)


A, B, C = ALL[:3]
SAME = one("Same as before", [A, B], [A, B])
LOST = one("lost a LABEL", [A, B], [B, A], "lost")
GAINED = one("gained a label", [A], [A, B, C], "gained")
OTHER = one("another first", [A, B], [C])
COMPARED = (SAME, GAINED, LOST, OTHER)


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ("All questions", {*(each.query for each in COMPARED)}),
        ("Changed", {LOST.query, GAINED.query, OTHER.query}),
        ("Unchanged", {SAME.query}),
        ("Lost a labelled element", {LOST.query}),
        ("Gained a labelled element", {GAINED.query}),
        ("Different first result", {LOST.query, OTHER.query}),
        ("Filter dropped", set()),
        ("Nothing found", set()),
    ],
)
def test_a_filter_leaves_what_its_name_says(only: str, expected: set[str]) -> None:
    assert {each.query for each in listed(COMPARED, only=only)} == expected


def test_every_filter_is_tried_above() -> None:
    assert len(FILTERS) == 8


@pytest.mark.parametrize(
    ("words", "expected"),
    [("label", [LOST, GAINED]), ("  LABEL lost ", [LOST]), ("", [LOST, OTHER, SAME, GAINED])],
)
def test_words_are_looked_for_in_the_question(words: str, expected: list[SideBySide]) -> None:
    assert listed(COMPARED, words=words) == expected


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("Worst first", LOST),
        ("Best first", GAINED),
        ("Least shared", OTHER),
        ("By question", OTHER),
        ("As asked", SAME),
    ],
)
def test_orders(order: str, first: SideBySide) -> None:
    assert listed(COMPARED, order=order)[0] is first


@given(st.lists(st.sampled_from(COMPARED)), st.sampled_from(list(ORDERS)))
def test_an_order_loses_and_adds_nothing(compared: list[SideBySide], order: str) -> None:
    found = listed(compared, order=order)
    assert sorted(map(id, found)) == sorted(map(id, compared))


@given(st.integers(0, 130), st.integers(-3, 9), st.integers(1, 50))
def test_pages_show_everything_once(count: int, number: int, size: int) -> None:
    compared = [SAME] * count
    pages = page(compared, number, size).pages
    shown = [page(compared, each, size) for each in range(1, pages + 1)]
    assert sum(len(each.rows) for each in shown) == count
    assert all(len(each.rows) <= size for each in shown)
    there = page(compared, number, size)
    assert 1 <= there.number <= pages
    assert there.first == ((there.number - 1) * size + 1 if count else 0)
