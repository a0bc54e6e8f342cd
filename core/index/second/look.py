"""What the second model says of the rows of one read index; implements `SecondLook`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.deadline import Deadline
from core.index.second.second import SecondModel
from core.index.second.table import Table
from core.index.snapshot.products import cosines
from core.index.snapshot.snapshot import Snapshot

USUAL_PACE = 100  # texts a second, where nobody has measured
LEAST, MOST = 8, 64  # texts that are embedded for a question, whatever the pace
_AT_ONCE = 16  # texts between two looks at the clock: as many as the pace is measured with

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Looked:
    """The second vectors of some rows."""

    vectors: Vectors  # (rows, dimensions), of unit length; zeros where there is none
    known: NDArray[np.bool_]  # (rows,)


class StoredLook:
    """The stored second vectors of one read index, and the model to make a few more."""

    def __init__(
        self, snapshot: Snapshot, table: Table | None, model: SecondModel, *, pace: int = 0
    ) -> None:
        """`pace` is the measured one, in texts a second; 0: nobody has measured."""
        self._snapshot, self._table, self._model = snapshot, table, model
        self._pace = pace or USUAL_PACE

    @property
    def fingerprint(self) -> str:
        """Of the second model."""
        return self._model.fingerprint

    @property
    def state(self) -> str:
        """Differs whenever answers might: by what is stored, or by how many texts are embedded."""
        return f"{self._table.name if self._table else ''}/{self._pace}"

    @property
    def known(self) -> NDArray[np.bool_] | None:
        """(rows,), which rows have a stored vector; None when all have."""
        return None if self._found[1].all() else self._found[1]

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """(texts, dimensions) by the second model; raises EmbeddingError."""
        return self._model.embed(texts)

    def cosines(self, vectors: Vectors, /, *, threads: int = 1) -> Vectors:
        """Of every row with a vector (rows,), or with each of several (n, rows).

        0 where no vector is stored.
        """
        if self._table is None or not len(self._table.keys):
            return np.zeros((*vectors.shape[:-1], len(self._snapshot)), np.float32)
        at, known = self._found
        by_text = cosines(self._table.vectors, np.atleast_2d(vectors), threads=threads)
        by_row = np.take(by_text, at, axis=1)
        if not known.all():
            by_row *= known
        return by_row if vectors.ndim > 1 else by_row[0]

    def texts(self, milliseconds: float) -> int:
        """How many texts without a vector are embedded for a question in about so much time.

        It follows from what was measured once: answers do not depend on how busy the machine is.
        """
        return min(MOST, max(LEAST, int(self._pace * milliseconds / 1000))) if milliseconds else 0

    def of(
        self, rows: Sequence[int], /, *, texts: int = 0, deadline: Deadline | None = None
    ) -> Looked:
        """The vectors of these rows, best first: stored ones, and the first `texts` of the others.

        They are embedded now, or remembered, which counts the same; past the deadline none is.
        Raises EmbeddingError.
        """
        numbers = np.asarray(rows, np.intp)
        at, known = self._found[0][numbers], self._found[1][numbers]
        vectors = np.zeros((len(numbers), self._model.dimensions), np.float32)
        if self._table and known.any():
            vectors[known] = self._table.vectors.rows[at[known]]
            vectors[known] *= self._table.vectors.scales[at[known], None]
        known, wanted = known.copy(), np.flatnonzero(~known)[:texts]
        for start in range(0, len(wanted), _AT_ONCE):
            if deadline and deadline.passed:
                break
            now = wanted[start : start + _AT_ONCE]
            vectors[now] = self.embed([self._snapshot.text(int(numbers[each])) for each in now])
            known[now] = True
        return Looked(vectors, known)

    @cached_property
    def _found(self) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """By row: where its text stands in the table, and whether it does."""
        if self._table is None or not self._snapshot.has_text_keys:
            rows = len(self._snapshot)
            return np.zeros(rows, np.intp), np.zeros(rows, np.bool_)
        return self._table.find(self._snapshot.text_keys)
