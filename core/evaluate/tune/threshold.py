"""Which minimum score: what each keeps, drops, saves and leaves empty, and which keeps a promise.

The advice is conformal (Angelopoulos et al., *Conformal Risk Control*, 2022): of all thresholds the
highest whose mean loss, with one more question counted that loses everything, is within what may be
lost. Then a new question of the same kind loses no more than that on average, however its scores
are distributed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from core.evaluate.compare.statistics import bootstrap_interval
from core.evaluate.tune.choose import TOKENS, Grid
from core.evaluate.tune.measured import Row
from core.ids import Id

STEPS = tuple(round(n / 100, 2) for n in range(101))
PROMISES = (0.99, 0.95, 0.9, 0.8)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class At:
    """What one minimum score does to some questions."""

    threshold: float
    kept: int  # expected answers in the contexts
    dropped: int  # that would be there without a minimum
    results: int
    tokens: float  # a question
    empty: int  # questions with an answer whose context is empty
    silent: int  # questions without an answer whose context is empty, as it should be
    precision: float  # of the results, the share that is expected
    recall: float  # of the expected answers, the mean share that is in the context


@dataclass(frozen=True, slots=True)
class Advice:
    """The highest minimum score that keeps a promise."""

    promised: float  # share of what no minimum at all would find
    at: At
    kept: float  # the share on these questions
    interval: tuple[float, float]  # of the share on as many other questions, 95%
    saved: float  # tokens a question


def curve(grid: Grid, rows: Sequence[Row]) -> list[At]:
    """By threshold, of a grid of them over these of its questions."""
    return [_at(grid, rows, place) for place in _places(grid)]


def _places(grid: Grid) -> list[int]:
    """Of the thresholds in the grid, the lowest first."""
    places = range(len(grid.settings))
    tried = {grid.settings[at].min_score: at for at in places}
    return [tried[threshold] for threshold in sorted(tried)]


def _at(grid: Grid, rows: Sequence[Row], place: int) -> At:
    lowest = _places(grid)[0]
    labelled = [row for row in rows if row.gold]
    none = [row for row in rows if not row.gold]
    results = sum(row[place].results for row in labelled)
    direct = sum(row[place].metrics.get("context.direct", 0.0) * len(row.gold) for row in labelled)
    recall = [row[place].metrics["context.recall"] for row in labelled]
    tokens = [row[place].metrics.get(TOKENS, 0.0) for row in labelled]
    return At(
        threshold=grid.settings[place].min_score,
        kept=sum(row[place].held.bit_count() for row in labelled),
        dropped=sum((row[lowest].held & ~row[place].held).bit_count() for row in labelled),
        results=results,
        tokens=float(np.mean(tokens)) if tokens else 0.0,
        empty=sum(not row[place].results for row in labelled),
        silent=sum(not row[place].results for row in none),
        precision=direct / results if results else 1.0,
        recall=float(np.mean(recall)) if recall else 0.0,
    )


def losses(grid: Grid, rows: Sequence[Row]) -> Floats:
    """(thresholds, questions): the share of a question's answers, of those that are in its context
    without a minimum, that each drops. Questions that find none anyway are not in it."""
    places = _places(grid)
    found = [row for row in rows if row[places[0]].held]
    lost = [
        [
            (row[places[0]].held & ~row[at].held).bit_count() / row[places[0]].held.bit_count()
            for row in found
        ]
        for at in places
    ]
    return np.array(lost, np.float64).reshape(len(places), len(found))


def highest(losses: Floats, promised: float) -> int | None:
    """The place of the highest threshold that keeps the promise; None where so few questions can
    promise nothing."""
    count = losses.shape[1]
    risk = (np.maximum.accumulate(losses.sum(1)) + 1) / (count + 1)
    kept = np.flatnonzero(risk <= 1 - promised + 1e-12)
    return int(kept[-1]) if len(kept) else None


def on_others(kept: Floats) -> tuple[float, float]:
    """Between which values the mean of as many other questions is, 95 times of 100: its spread is
    that of these and of those. One more question that loses everything counts below."""
    mean = float(kept.mean())
    low, _ = bootstrap_interval([*kept.tolist(), 0.0])
    _, high = bootstrap_interval(kept.tolist())
    wide = sqrt(2)
    return max(0.0, mean - wide * (mean - low)), min(1.0, mean + wide * (high - mean))


def advice(grid: Grid, rows: Sequence[Row], promised: float) -> Advice | None:
    """None where there are too few questions to promise so much."""
    lost = losses(grid, rows)
    place = highest(lost, promised)
    if place is None:
        return None
    steps = curve(grid, rows)
    kept = 1 - lost[place]
    return Advice(
        promised=promised,
        at=steps[place],
        kept=float(kept.mean()),
        interval=on_others(kept),
        saved=steps[0].tokens - steps[place].tokens,
    )


def parts(rows: Sequence[Row]) -> Mapping[str, Sequence[Row]]:
    """The questions by intent, API and kind of what they look for; those of several are in each."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        for name in dict.fromkeys(_parts(row)):
            found.setdefault(name, []).append(row)
    return dict(sorted(found.items()))


def _parts(row: Row) -> list[str]:
    intents = [f"intent: {row.sample.intent}"] if row.sample.intent else []
    kinds = [f"kind: {_kind(element)}" for group in row.gold for element in group]
    return [*intents, *(f"API: {api}" for api in row.apis), *kinds]


def _kind(element: str) -> str:
    found = Id.parse(element)
    return "operation" if found.is_call else found.component_kind or "other"
