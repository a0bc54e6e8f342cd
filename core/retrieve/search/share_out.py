"""Several kinds of material in one store: each is ranked as it would be alone, and they share out
the places.

Ranks of APIs, articles, documents and code are not comparable: they differ in how long a text is,
how many there are, and which words are common. What is compared is how likely the question is about
each kind, and places are shared out by that as seats are by votes, by divisors: of a kind that is
ten times as likely many candidates come before the first of the other. Where there are many rows,
answers stand further down, so the divisors of a large kind grow less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from core.reasons import Part
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.homes import Homes
from core.retrieve.reader import ArrayReader, Mask, Rows, RowScores
from core.retrieve.score.candidate import Candidate
from core.retrieve.search.ranked import Ranked
from core.where import SOURCES, Filter, of_source

KIND = Part.KIND.value

_COVERAGE, _NAME, _SIMILAR, _ODDS = 5.0, 1.6, 0.45, 0.6  # what each counts, in log-odds
_SURE = 0.98  # beyond it, the odds of a score say nothing
_FIRST, _SCORED = 10, 5  # candidates that speak for their kind, and whose scores do
_GROWTH, _LESS = 1.75, 0.22  # of divisors; less for ten times the rows
_LEAST, _MOST = 0.7, 1.3
_RANGE = 50.0  # log-odds
_DOUBTED = 1.25  # times how likely a kind is: what the odds of its scores are multiplied by

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of material of a reader."""

    where: Filter
    mask: Mask
    rows: int
    homes: int  # APIs, bases, folders or roots


class Kinds:
    """The kinds of material that a reader holds, by name."""

    def __init__(self, reader: ArrayReader) -> None:
        named = ((name, where) for name in SOURCES if (where := of_source(name)) is not None)
        each = {name: _kind(where, reader) for name, where in named}
        self._held = {name: kind for name, kind in each.items() if kind.rows}

    def among(self, allowed: Mask | None) -> Mapping[str, Kind]:
        """Those with rows that may be found."""
        if allowed is None or len(self._held) < 2:
            return self._held
        return {name: kind for name, kind in self._held.items() if (kind.mask & allowed).any()}


def _kind(where: Filter, reader: ArrayReader) -> Kind:
    mask = reader.mask(where)
    files = derived(Elements, reader).file_of_row[mask]
    homes = np.bincount(derived(Homes, reader).of_file[files])  # `unique` imports masked arrays
    return Kind(where, mask, int(mask.sum()), int(np.count_nonzero(homes)))


@dataclass(frozen=True, slots=True)
class Shared(Sequence[Candidate]):
    """Candidates of several kinds, each with how likely its kind is; written out when looked at."""

    each: Sequence[Ranked]
    likely: Sequence[float]  # by kind; they add up to 1
    kinds: Rows  # by place
    ranks: Rows  # by place, from 0 in its kind

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, at: int) -> Candidate: ...

    @overload
    def __getitem__(self, at: slice) -> list[Candidate]: ...

    def __getitem__(self, at: int | slice) -> Candidate | list[Candidate]:
        if isinstance(at, int):
            return self[range(len(self))[at] :][0]
        kinds, ranks = self.kinds[at], self.ranks[at]
        of = {k: self.each[k][: ranks[kinds == k].max() + 1] for k in np.unique(kinds).tolist()}
        return [
            self._told(of[k][r], k) for k, r in zip(kinds.tolist(), ranks.tolist(), strict=True)
        ]

    def _told(self, candidate: Candidate, kind: int) -> Candidate:
        """As likely an answer as it is among its kind, less what speaks against its kind."""
        likely = self.likely[kind]
        score = lowered(candidate.score, likely)
        part = score / candidate.score if candidate.score else 1.0
        shares = {name: part * share for name, share in candidate.shares.items()}
        return replace(
            candidate, score=score, parts={**candidate.parts, KIND: likely}, shares=shares
        )


def shared_out(each: Sequence[Ranked], rows: Sequence[int], odds: Sequence[float]) -> Shared:
    """The candidates of all kinds; what the question names is first.

    `rows` says how many each kind has, `odds` what speaks for it, in log-odds.
    """
    likely = likelihoods(np.array(odds))
    growth = np.clip(_GROWTH - _LESS * np.log10(rows), _LEAST, _MOST)
    ranks = [np.arange(len(of)) for of in each]
    behind = [g * np.log1p(r) - np.log(p) for g, r, p in zip(growth, ranks, likely, strict=True)]
    named = [of.shown.get(Part.EXACT.value, np.zeros(len(of), np.float32)) for of in each]
    kinds = np.repeat(np.arange(len(each)), [len(of) for of in each])
    order = np.lexsort((kinds, np.concatenate(behind), np.negative(np.concatenate(named))))
    return Shared(each, likely.tolist(), kinds[order], np.concatenate(ranks)[order])


def lowered(score: float, likely: float) -> float:
    """A score where its kind is so likely: the odds are less where that is below four fifths."""
    odds = score * min(1.0, _DOUBTED * likely)
    return odds / (odds + 1 - score)


def likelihoods(odds: Floats) -> Floats:
    """How likely each kind is, of which one is."""
    votes: Floats = np.exp(np.maximum(odds - odds.max(), -_RANGE))
    likely: Floats = votes / votes.sum()
    return likely


def evidence(scores: RowScores, shown: Mapping[str, RowScores], spread: float) -> float:
    """What the candidates of a kind, best first, say for it: log-odds, up to what all share.

    `shown` are the parts of their scores; `spread` is the standard deviation of the cosines, so
    that those of any embedder count alike.
    """
    if not len(scores):
        return -_RANGE
    best = float(np.clip(scores[:_SCORED].max(), 1 - _SURE, _SURE))
    similar = Part.SECOND if Part.SECOND in shown else Part.SEMANTIC
    weights = {Part.COVERAGE: _COVERAGE, Part.NAME: _NAME, similar: _SIMILAR / spread}
    said = (w * float(shown[name][:_FIRST].max()) for name, w in weights.items() if name in shown)
    return sum(said, _ODDS * float(np.log(best / (1 - best))))
