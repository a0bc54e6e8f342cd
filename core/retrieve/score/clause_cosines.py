"""The cosine of every row with each clause of a question: near for all, exact where it decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.ranking import leading
from core.retrieve.reader import ArrayReader, Mask, Rows, RowScores, Vectors
from core.retrieve.understand.question import Question

_NEAREST = 50  # rows whose standing among all is looked at
_MOST = 5_000  # rows that are settled at once
_SLACK = np.float32(0.01)  # more than a near cosine is ever off


class Cosines:
    """By clause, of every row. Near ones become exact where they are settled, and stay so."""

    def __init__(self, near: Sequence[RowScores], vectors: Vectors, reader: ArrayReader) -> None:
        self.each = near
        self._vectors, self._exact = vectors, reader.exact_cosines
        self._is_settled = np.zeros(len(reader), np.bool_)

    def settle(self, rows: Rows) -> tuple[Rows, Sequence[RowScores]]:
        """Make those of some rows exact; the rows that were not, and by clause what they gained.

        Nothing where they are very many: so many are alike, and which is best is a matter of luck.
        """
        rows = rows[~self._is_settled[rows]]
        if len(rows) > _MOST:
            rows = rows[:0]
        self._is_settled[rows] = True
        exact = self._exact(rows, self._vectors)
        more = [new - scores[rows] for new, scores in zip(exact, self.each, strict=True)]
        for scores, new in zip(self.each, exact, strict=True):
            scores[rows] = new
        return rows, more

    def ends(self, allowed: Mask | None) -> Rows:
        """The rows of each clause that may be the nearest, and those that may be the farthest:
        they set the scale. What scores alike is in or out together."""
        return np.concatenate([_ends(scores, allowed) for scores in self.each])


class ClauseCosines:
    """The clause that every third question has, the search by name, is multiplied only once."""

    def __init__(self, reader: ArrayReader) -> None:
        self._reader = reader
        self._by_name: tuple[bytes, RowScores] | None = None

    def of(self, question: Question, vectors: Vectors) -> Cosines:
        """`vectors` has a row for each clause."""
        return Cosines(self._near(question, vectors), vectors, self._reader)

    def _near(self, question: Question, vectors: Vectors) -> Sequence[RowScores]:
        ours = [clause.is_ours for clause in question.clauses]
        if not any(ours):
            return list(self._reader.cosines(vectors))
        at = ours.index(True)
        found = list(self._reader.cosines(np.delete(vectors, at, axis=0)))
        found.insert(at, self._named(vectors[at]))
        return found

    def _named(self, vector: Vectors) -> RowScores:
        known, key = self._by_name, vector.tobytes()
        if known is None or known[0] != key:
            known = self._by_name = (key, self._reader.cosines(vector))
        return known[1].copy()


def _ends(scores: RowScores, allowed: Mask | None) -> Rows:
    if allowed is None:
        return np.concatenate([leading(scores, _NEAREST), _least(scores)])
    seen = np.flatnonzero(allowed)
    return seen[_ends(scores[seen], None)]


def _least(scores: RowScores) -> Rows:
    return np.flatnonzero(scores <= scores.min(initial=1) + _SLACK)
