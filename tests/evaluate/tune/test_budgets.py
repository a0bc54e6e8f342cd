"""Curves of what more of a limit finds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.evaluate.sets.sample import Sample
from core.evaluate.tune.budgets import Point, curve, knee, values
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.measured import Measured, Row
from core.settings import Settings

GOLD = (("a:x",), ("a:y",))


def grid() -> Grid:
    """Two questions, of which each finds an answer more at 2,000 and one at 4,000 tokens."""
    limits = (1000, 500, 2000, 4000)
    changes = [{}, *({"token_limit": n} for n in limits[1:]), {"max_depth": 0}]
    settings = [*(Settings(token_limit=n) for n in limits), Settings(token_limit=1000, max_depth=0)]
    held = ((1, 0, 3, 3, 0), (0, 0, 1, 3, 0))
    costs = (*limits, 10)
    rows = [
        Row(
            Sample(str(n), "q"),
            GOLD,
            (),
            tuple(map(_context, each, costs)),
            (0, 1, 2, 3, 4),
        )
        for n, each in enumerate(held)
    ]
    return Grid(changes, settings, rows)


def _context(held: int, tokens: int) -> Measured:
    recall = held.bit_count() / 2
    return Measured({"context.recall": recall, "context.tokens": float(tokens)}, held)


def test_a_curve_is_of_one_setting_alone() -> None:
    found = curve(grid(), "token_limit")
    assert [(p.value, p.held, p.recall) for p in found.points] == [
        (500, 0, 0.0),
        (1000, 1, 0.25),
        (2000, 3, 0.75),
        (4000, 4, 1.0),
    ]
    assert [p.price for p in found.points] == [None, 1000.0, 1000.0, 4000.0]
    assert found.now == 1000
    assert [p.value for p in curve(grid(), "max_depth").points] == [0, 3]


def points(*pairs: tuple[float, float]) -> Sequence[Point]:
    return [Point(t, r, (r, r), t, 0, None) for t, r in pairs]


@pytest.mark.parametrize(
    ("found", "at"),
    [
        (points((0, 0), (1, 0.7), (2, 0.9), (10, 1)), 2),
        (points((0, 0), (1, 0.5), (2, 1)), None),  # always the same
        (points((0, 0.5), (1, 0.5), (2, 0.5)), None),  # never anything
        (points((0, 0), (1, 1)), None),
        (points((0, 0), (1, 0.1), (2, 1)), None),  # ever more
    ],
    ids=["knee", "straight", "flat", "two", "hollow"],
)
def test_the_knee_is_where_more_stops_paying(found: Sequence[Point], at: float | None) -> None:
    assert knee(found) == at


def test_the_value_as_it_is_is_tried() -> None:
    assert 1234 in values("token_limit", 1234)
    assert list(values("max_depth", 3)) == sorted(values("max_depth", 3))
