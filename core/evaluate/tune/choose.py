"""The best of many settings within a number of tokens, and how much of its lead is luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.evaluate.compare.compare import SAME
from core.evaluate.compare.statistics import (
    CHUNK,
    PAIRED_RESAMPLES,
    PERMUTATIONS,
    bootstrap_interval,
    signs,
)
from core.evaluate.compare.sweep import Changes
from core.evaluate.measures import MEASURE
from core.evaluate.tune.measured import Row
from core.settings import Settings

CHANCE = 0.05
FOLDS = 5
TOKENS = "context.tokens"

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Grid:
    """What a sweep has found so far, question by question; the first settings are those as they
    are."""

    changes: Sequence[Changes]  # the first without any
    settings: Sequence[Settings]
    rows: list[Row] = field(default_factory=list)  # by question

    def values(self, metric: str) -> Floats:
        """(settings, questions) of the questions for which all settings define the metric."""
        return self._table(metric, self.defined(metric))

    def tokens(self, metric: str) -> Floats:
        """The tokens of the same questions' contexts; an empty one has none."""
        return self._table(TOKENS, self.defined(metric))

    def metrics(self) -> list[str]:
        """What can decide: defined for a question at least, whatever the settings."""
        return [name for name in MEASURE if self.defined(name)]

    def defined(self, metric: str) -> list[Row]:
        """The questions for which all settings define the metric."""
        return [row for row in self.rows if all(metric in c.metrics for c in row.contexts)]

    def _table(self, metric: str, rows: Sequence[Row]) -> Floats:
        made = np.empty((len(self.changes), len(rows)))
        for at, row in enumerate(rows):
            scores = np.array([each.metrics.get(metric, 0.0) for each in row.contexts])
            made[:, at] = scores[list(row.of)]
        return made


@dataclass(frozen=True, slots=True)
class Option:
    """Some settings, and how they compare with those as they are."""

    at: int  # in the grid
    tokens: float  # a question
    value: float  # of the metric
    interval: tuple[float, float]  # of the value, 95%
    gain: float  # in the metric's own direction
    gain_interval: tuple[float, float]
    p: float  # of so large a difference by chance, all options of the grid counted
    wins: int
    ties: int
    losses: int
    on_frontier: bool  # none is better for as few tokens
    near_best: bool  # its distance to the best may be chance

    @property
    def is_better(self) -> bool:
        return self.gain > 0 and self.p < CHANCE


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options of a grid under a question: most of a metric within some tokens."""

    metric: str
    options: tuple[Option, ...]  # by place in the grid
    best: int | None  # None: none is within the tokens
    held_out: float | None  # gain of the best on questions that did not choose it

    @property
    def frontier(self) -> list[Option]:
        """By tokens."""
        return sorted((o for o in self.options if o.on_frontier), key=lambda o: (o.tokens, o.at))


def chosen(grid: Grid, metric: str, within: float | None = None) -> Chosen:
    """The best within so many tokens a question; of equals the one with fewest tokens, and of
    those the first. The grid has a question that defines the metric."""
    sign = 1.0 if MEASURE[metric].higher_is_better else -1.0
    values, tokens = grid.values(metric), grid.tokens(metric)
    best = _best(sign * values, tokens, within)
    gains = sign * (values - values[0])
    chances = by_chance(gains)
    behind = by_chance(values - values[best if best is not None else 0])
    front = frontier(tokens.mean(1), sign * values.mean(1))
    return Chosen(
        metric,
        tuple(
            Option(
                at=at,
                tokens=float(tokens[at].mean()),
                value=float(values[at].mean()),
                interval=bootstrap_interval(values[at].tolist()),
                gain=float(gains[at].mean()),
                gain_interval=bootstrap_interval(gains[at].tolist(), resamples=PAIRED_RESAMPLES),
                p=float(chances[at]),
                wins=int((gains[at] > SAME).sum()),
                ties=int((np.abs(gains[at]) <= SAME).sum()),
                losses=int((gains[at] < -SAME).sum()),
                on_frontier=at in front,
                near_best=bool(behind[at] >= CHANCE),
            )
            for at in range(len(values))
        ),
        best,
        held_out_gain(sign * values, tokens, within) if best is not None else None,
    )


def _best(goodness: Floats, tokens: Floats, within: float | None) -> int | None:
    """The place of the best row."""
    spent = tokens.mean(1)
    places = [at for at in range(len(spent)) if within is None or spent[at] <= within]
    good = goodness.mean(1).round(12)  # equal means differ in their last bits
    return min(places, key=lambda at: (-good[at], spent[at], at), default=None)


def by_chance(differences: Floats, *, seed: int = 0) -> Floats:
    """For each row of paired differences: how often a random exchange within the pairs gives some
    row a mean so far from 0, measured in its own spread.

    So that one row of the null is called better in 5 of 100 such tables, however many rows there
    are and however alike they are (Westfall and Young's single step).
    """
    spread = np.sqrt((differences**2).sum(1))
    varied = spread > SAME
    p, count = np.ones(len(differences)), differences.shape[1]
    if varied.any():
        scaled = differences[varied] / spread[varied, None]
        distance = np.abs(scaled.sum(1))
        drawn = np.abs(signs(count, seed, min(PERMUTATIONS, CHUNK // count)) @ scaled.T).max(1)
        beyond = (drawn[:, None] >= distance - 1e-9).sum(0)
        p[varied] = (beyond + 1) / (len(drawn) + 1)
    return p


def frontier(tokens: Floats, goodness: Floats) -> set[int]:
    """The places of what nothing beats for as few tokens; of equals the first."""
    found, most = set[int](), -np.inf
    order = sorted(range(len(tokens)), key=lambda at: (tokens[at], -goodness[at], at))
    for at in order:
        if goodness[at] > most + SAME:
            found.add(at)
            most = goodness[at]
    return found


def held_out_gain(
    goodness: Floats, tokens: Floats, within: float | None, *, seed: int = 0
) -> float | None:
    """The mean gain over the first row of what is best on the other questions, fold by fold; None
    where there are fewer questions than folds, or nothing is within the tokens."""
    count = goodness.shape[1]
    if count < FOLDS:
        return None
    fold = np.random.default_rng(seed).permutation(count) % FOLDS
    gains = np.zeros(count)
    for number in range(FOLDS):
        out = fold == number
        best = _best(goodness[:, ~out], tokens[:, ~out], within)
        if best is None:
            return None
        gains[out] = goodness[best, out] - goodness[0, out]
    return float(gains.mean())


Moved = tuple[Row, tuple[str, ...]]  # a question, and one of its labels


def moved_labels(grid: Grid, at: int) -> Mapping[str, list[Moved]]:
    """The labels that settings `won` and `lost` in the context, with their question."""
    moved: dict[str, list[Moved]] = {"won": [], "lost": []}
    for row in grid.rows:
        before, after = row[0].held, row[at].held
        for number, group in enumerate(row.gold):
            if (before ^ after) >> number & 1:
                moved["won" if after >> number & 1 else "lost"].append((row, group))
    return moved
