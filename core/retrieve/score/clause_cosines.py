"""The cosine of every row with each clause of a question, in one pass over the vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.retrieve.reader import ArrayReader, RowScores, Vectors
from core.retrieve.understand.question import Question


class ClauseCosines:
    """The clause that every third question has, the search by name, is multiplied only once."""

    def __init__(self, reader: ArrayReader) -> None:
        self._cosines = reader.cosines
        self._by_name: tuple[bytes, RowScores] | None = None

    def of(self, question: Question, vectors: Vectors) -> Sequence[RowScores]:
        """One array a clause; `vectors` has a row for each."""
        ours = [clause.is_ours for clause in question.clauses]
        if not any(ours):
            return list(self._cosines(vectors))
        at = ours.index(True)
        found = list(self._cosines(np.delete(vectors, at, axis=0)))
        found.insert(at, self._named(vectors[at]))
        return found

    def _named(self, vector: Vectors) -> RowScores:
        known, key = self._by_name, vector.tobytes()
        if known is None or known[0] != key:
            known = self._by_name = (key, self._cosines(vector))
        return known[1]
