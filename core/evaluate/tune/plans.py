"""Which combinations of some values to try: all, one at a time, some at random, or all on a few
questions and ever fewer on more (`halved`)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import TypeVar

from core.errors import CallError
from core.evaluate.compare.sweep import Changes
from core.evaluate.measures import MEASURE
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.measured import Row
from core.settings import Settings, Value

MOST = 1000  # combinations
FEWEST = 8  # questions of a round, and combinations that are left
T = TypeVar("T")
Axes = Mapping[str, Sequence[Value]]
Measure = Callable[[Sequence[T], Sequence[Settings]], Iterator[Row]]


def single(axes: Axes) -> list[Changes]:
    """Each value of each setting, the others as they are."""
    return [{name: value} for name, values in axes.items() for value in values]


def every(axes: Axes) -> list[Changes]:
    """Each value with each of the others; raises CallError for too many."""
    return _some(axes, range(_allowed(_count(axes))))


def at_random(axes: Axes, count: int, *, seed: int = 0) -> list[Changes]:
    """So many different ones of all combinations, or all; raises CallError for too many."""
    of = _count(axes)
    chosen = random.Random(seed).sample(range(of), min(_allowed(count), of))
    return _some(axes, sorted(chosen))


def _count(axes: Axes) -> int:
    return prod(len(values) for values in axes.values())


def _allowed(count: int) -> int:
    if count > MOST:
        raise CallError(
            f"{count:,} combinations are more than {MOST:,}: give fewer values, or try some of "
            "them at random."
        )
    return count


def _some(axes: Axes, numbers: Sequence[int]) -> list[Changes]:
    """The combinations of these numbers, the last setting varying first."""
    found: list[Changes] = []
    for number in numbers:
        changes: dict[str, Value] = {}
        for name, values in [*axes.items()][::-1]:
            number, at = divmod(number, len(values))
            changes[name] = values[at]
        found.append({name: changes[name] for name in axes})
    return found


def rounds(questions: int, combinations: int) -> list[int]:
    """How many questions each round of `halved` asks: twice as many as the one before, and half of
    all together, so that the other half has eliminated nothing. None where there are too few."""
    found: list[int] = []
    size, left = FEWEST, combinations
    while sum(found) + size <= questions // 2 and left > FEWEST:
        found.append(size)
        size, left = size * 2, max(FEWEST, left // 2)
    return found


def halved(
    grid: Grid, questions: Sequence[T], metric: str, measure: Measure[T], *, seed: int = 0
) -> Iterator[Row | tuple[Grid, list[T]]]:
    """Eliminate half of the combinations in each round, by the metric, and then by tokens.

    Yields the rows as they come; last the combinations that are left, the settings as they are
    among them, without rows, and the questions that have eliminated none: a comparison on those
    says of them what it says of any others.
    """
    order = [*questions]
    random.Random(seed).shuffle(order)
    left = grid
    for size in rounds(len(order), len(grid.changes) - 1):
        asked, order = order[:size], order[size:]
        tried = Grid(left.changes, left.settings)
        for row in measure(asked, left.settings):
            tried.rows.append(row)
            yield row
        places = [0, *_better_half(tried, metric)]
        left = Grid([left.changes[at] for at in places], [left.settings[at] for at in places])
    yield left, order


def _better_half(grid: Grid, metric: str) -> list[int]:
    """The places of those that go on, in their order; nothing is known where no question of a
    round defines the metric."""
    places = range(1, len(grid.changes))
    values = grid.values(metric)
    if not values.shape[1]:
        return [*places]
    sign = 1 if MEASURE[metric].higher_is_better else -1
    good, tokens = values.mean(1).round(12), grid.tokens(metric).mean(1)
    best = sorted(places, key=lambda at: (-sign * good[at], tokens[at], at))
    return sorted(best[: max(FEWEST, len(places) // 2)])
