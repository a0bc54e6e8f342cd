"""What more tokens, chunks or steps find: a curve, its knee, and the price of the next answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluate.compare.statistics import bootstrap_interval
from core.evaluate.tune.choose import TOKENS, Grid
from core.settings import KNOB, Value

VALUES: Mapping[str, tuple[Value, ...]] = {
    "token_limit": (250, 500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000),
    "max_total_chunks": (5, 8, 10, 15, 20, 30, 50, 80),
    "max_depth": (0, 1, 2, 3, 4, 5, 6),
}


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a setting, the others as they are."""

    value: float
    recall: float
    interval: tuple[float, float]  # of the recall, 95%
    tokens: float  # a question
    held: int  # expected answers in all contexts together
    price: float | None  # tokens for each expected answer more than with the value before


@dataclass(frozen=True, slots=True)
class Curve:
    """What a setting finds, by its value."""

    setting: str
    points: tuple[Point, ...]
    now: float  # the value as it is
    knee: float | None  # None where more never pays, or always does in the same way


def values(setting: str, now: Value) -> tuple[Value, ...]:
    """What is tried of a setting, the value as it is among them."""
    return tuple(sorted({*VALUES[setting], now}))


def curve(grid: Grid, setting: str) -> Curve:
    """Of a grid in which this setting varies alone among others that do."""
    now = grid.settings[0]
    tried = {
        float(getattr(each, setting)): at
        for at, each in enumerate(grid.settings)
        if not grid.changes[at] or set(grid.changes[at]) == {setting}
    }
    points: list[Point] = []
    for value in sorted(tried):
        points.append(_point(grid, tried[value], value, points[-1] if points else None))
    return Curve(setting, tuple(points), float(getattr(now, setting)), knee(points))


def _point(grid: Grid, at: int, value: float, before: Point | None) -> Point:
    rows = [row for row in grid.rows if row.gold]
    recall = [row[at].metrics["context.recall"] for row in rows]
    tokens = float(np.mean([row[at].metrics.get(TOKENS, 0.0) for row in rows])) if rows else 0.0
    held = sum(row[at].held.bit_count() for row in rows)
    more = held - before.held if before else 0
    price = (tokens - before.tokens) * len(rows) / more if before and more > 0 else None
    mean = float(np.mean(recall)) if recall else 0.0
    return Point(value, mean, bootstrap_interval(recall), tokens, held, price)


def knee(points: Sequence[Point]) -> float | None:
    """The value where tokens stop paying: farthest above the line from the first point to the last,
    both axes as shares of their range (after Satopää et al., *Kneedle*, 2011)."""
    if len(points) < 3:
        return None
    x, y = (
        np.array(each, np.float64)
        for each in ([p.tokens for p in points], [p.recall for p in points])
    )
    if np.ptp(x) <= 0 or y[-1] - y[0] <= 0:
        return None
    above = (y - y[0]) / (y[-1] - y[0]) - (x - x[0]) / (x[-1] - x[0] or np.inf)
    at = int(above.argmax())
    return points[at].value if above[at] > 0.05 else None


def named(setting: str) -> str:
    return KNOB[setting].label.lower()
