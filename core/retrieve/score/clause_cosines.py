"""The cosine of every row with each clause of a question: near for all, exact where it decides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from core.ranking import leading, lowest
from core.retrieve.reader import ArrayReader, Mask, Rows, RowScores, SecondLook, Vectors
from core.retrieve.understand.question import Question

_NEAREST = 50  # rows whose standing among all is looked at
_MOST = 5_000  # rows that are settled at once
_SLACK = 0.01  # more than a near cosine is ever off


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
        if not len(rows):
            return rows, [rows.astype(np.float32)] * len(self.each)
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
    """Of the questions to one read index, by its own vectors and by those of the second look."""

    def __init__(self, reader: ArrayReader) -> None:
        self._reader = reader
        self._first, self._second = _ByName(), _ByName()

    def of(self, question: Question, vectors: Vectors) -> Cosines:
        """`vectors` has a row for each clause."""
        near = self._first.each(question, vectors, self._reader)
        return Cosines(near, vectors, self._reader)

    def second(self, question: Question, vectors: Vectors, look: SecondLook) -> list[RowScores]:
        """By the vectors of a second look, which may have been filled since the last question."""
        return self._second.each(question, vectors, look, look.state)


class _ByName:
    """Products; those of the clause that every third question has, the search by name, are kept."""

    def __init__(self) -> None:
        self._known: tuple[tuple[bytes, str], RowScores] | None = None

    def each(
        self,
        question: Question,
        vectors: Vectors,
        of: ArrayReader | SecondLook,
        state: str = "",
    ) -> list[RowScores]:
        """One array a clause."""
        product = partial(of.cosines, threads=question.settings.search_threads)
        ours = [clause.is_ours for clause in question.clauses]
        if not any(ours):
            return list(product(vectors))
        at = ours.index(True)
        found = list(product(np.delete(vectors, at, axis=0)))
        known, key = self._known, (vectors[at].tobytes(), state)
        if known is None or known[0] != key:
            known = self._known = key, product(vectors[at])
        found.insert(at, known[1].copy())
        return found


def _ends(scores: RowScores, allowed: Mask | None) -> Rows:
    if allowed is None:
        return np.concatenate([leading(scores, _NEAREST), lowest(scores, _SLACK)])
    seen = np.flatnonzero(allowed)
    return seen[_ends(scores[seen], None)]
