"""What the written questions say of the rows of one read index; implements `Written`."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.index.second.table import Table
from core.index.snapshot.products import cosines
from core.index.snapshot.snapshot import Snapshot
from core.index.written.questions import Questions

Vectors = NDArray[np.float32]


class WrittenLook:
    """The vectors of the written questions, by the texts of the rows that they belong to."""

    def __init__(self, snapshot: Snapshot, table: Table, folder: Path) -> None:
        """`table` has a vector for each question; those of one text stand together."""
        self._snapshot, self._table, self._folder = snapshot, table, folder
        first = np.append(True, table.keys[1:] != table.keys[:-1])
        self._starts = np.flatnonzero(first[: len(table.keys)])

    @property
    def state(self) -> str:
        """Differs whenever answers might."""
        return self._table.name

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """(rows,), which have a question."""
        return self._found[1]

    def cosines(self, vectors: Vectors, /) -> Vectors:
        """(vectors, rows): of the nearest question of each row; 0 where there is none."""
        each = cosines(self._table.vectors, vectors)
        at, known = self._found
        nearest: Vectors = np.maximum.reduceat(each, self._starts, axis=1)
        return np.take(nearest, at, axis=1) * known

    def nearest(self, row: int, vectors: Vectors, /) -> str:
        """The question of a row that is nearest to any of these vectors; "" where there is none."""
        at, known = self._found
        if not known[row]:
            return ""
        ends = np.append(self._starts, len(self._table.keys))
        part = slice(int(ends[at[row]]), int(ends[at[row] + 1]))
        stored = self._table.vectors
        near = vectors @ (stored.rows[part] * stored.scales[part, None]).T
        best = int(near.max(axis=0).argmax())
        said = Questions(self._folder).of(int(self._table.keys[part.start]))
        return said[best] if best < len(said) else ""

    @cached_property
    def _found(self) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """By row: the place of its text among those with questions, and whether it is there."""
        keys, wanted = self._table.keys[self._starts], self._snapshot.text_keys
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return at, keys[at] == wanted
