"""The second look: the best rows once more, by what the better embedder says of them.

What it adds to the order of a row is a weighted sum of a few features. `benchmarks/fit_ranking.py`
fits the weights on pairs of an answer and another good row; docs/quality.md says on what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.deadline import Deadline
from core.model import OPERATIONS
from core.retrieve.reader import (
    ArrayReader,
    FileScores,
    Mask,
    Rows,
    RowScores,
    SecondLook,
    Vectors,
)
from core.retrieve.score.standing import standing
from core.where import parse

LOOKED = 100  # rows

_WEIGHT = 0.2  # of the sum, for a question of one clause over several APIs
_ONE_API = 2.0  # times that in a single API, where which API says nothing
_CALLED = parse({"type": {"$in": [*OPERATIONS]}})
_PARTS = parse({"part": {"$ne": ""}})


@dataclass(frozen=True, slots=True)
class Few:
    """A second look at a few rows, whose vectors are made now: those of all rows are not stored."""

    look: SecondLook
    clauses: Vectors  # of the question's clauses, the whole first
    texts: int  # that may be embedded
    deadline: Deadline

    def cosines(self, rows: Rows) -> tuple[Rows, Vectors]:
        """The rows that have a vector when the time is up, and by clause their cosines."""
        seen = self.look.of(rows.tolist(), texts=self.texts, deadline=self.deadline)
        cosines: Vectors = self.clauses @ seen.vectors[seen.known].T
        return rows[seen.known], cosines


def features(
    rows: Rows,
    second: Sequence[RowScores],
    about: FileScores,
    reader: ArrayReader,
    allowed: Mask | None,
) -> dict[str, RowScores]:
    """By name: one number a row. `second` are the cosines of all rows by clause, the whole first;
    `about` is what vectors say of the description of each row's API, 0 to 1."""
    standings = [standing(cosine, allowed) for cosine in second]
    each = [cosine[rows] for cosine in second]
    behind = [c - np.float32(s.best) for c, s in zip(each, standings, strict=True)]
    above = [s.above_deep(c) for c, s in zip(each, standings, strict=True)]
    return {
        "behind the best": behind[0],
        "behind the best, by clause": np.max(behind, axis=0),
        "above the 20th": above[0],
        "above the 20th, by clause": np.max(above, axis=0),
        **_of_rows(rows, about, reader),
    }


def features_of_few(
    rows: Rows, cosines: Vectors, about: FileScores, reader: ArrayReader
) -> dict[str, RowScores]:
    """The same where nothing is known of other rows. `cosines` are (clauses, rows)."""
    behind = cosines - cosines.max(axis=1, keepdims=True, initial=-1.0)
    return {
        "behind the best looked at": behind[0],
        "behind the best looked at, by clause": behind.max(axis=0),
        **_of_rows(rows, about, reader),
    }


def _of_rows(rows: Rows, about: FileScores, reader: ArrayReader) -> dict[str, RowScores]:
    return {
        "API": about,
        "operation": np.float32(1) * reader.mask(_CALLED)[rows],
        "part": np.float32(1) * reader.mask(_PARTS)[rows],
    }


def added(
    found: Mapping[str, RowScores], weights: Mapping[str, float], *, clauses: int, apis: int
) -> RowScores:
    """What is added to the order of each row, by the weights of its features; less for a question
    of several clauses, whose order is a matter of turns, more for one of one in a single API."""
    each = [np.float32(weight) * found[name] for name, weight in weights.items()]
    total: RowScores = np.sum(each, axis=0, dtype=np.float32)
    return total * np.float32(weight_of(clauses, apis))


def weight_of(clauses: int, apis: int) -> float:
    """How much the second look counts against the first."""
    if clauses > 1 or apis > 1:
        return _WEIGHT / float(np.sqrt(max(1, clauses)))
    return _WEIGHT * _ONE_API
