"""What is added to the scores of very many rows, for those that are looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.retrieve.reader import FileScores, Mask, Rows, RowScores


class Boost(Protocol):
    """A number for each row; an array is one."""

    def __getitem__(self, rows: slice | Rows, /) -> RowScores: ...


@dataclass(frozen=True, slots=True)
class OfFiles:
    """The same for all rows of a file."""

    each: FileScores
    bounds: NDArray[np.int64]  # where the rows of each file begin, and the last of them ends

    def __getitem__(self, rows: slice | Rows, /) -> RowScores:
        if not isinstance(rows, slice):
            return self.each[np.searchsorted(self.bounds, rows, side="right") - 1]
        first, last = np.searchsorted(self.bounds, (rows.start, rows.stop - 1), side="right")
        ends = self.bounds[first - 1 : last + 1].copy()
        ends[0], ends[-1] = rows.start, rows.stop
        return np.repeat(self.each[first - 1 : last], np.diff(ends))


@dataclass(frozen=True, slots=True)
class Fits:
    """Something for rows that fit, and thrice that for a few of them."""

    fits: Mask
    boost: np.float32
    thrice: Rows  # ascending

    def __getitem__(self, rows: slice | Rows, /) -> RowScores:
        found: RowScores = self.boost * self.fits[rows]
        if not len(self.thrice):
            return found
        if isinstance(rows, slice):
            inside = (rows.start <= self.thrice) & (self.thrice < rows.stop)
            found[self.thrice[inside] - rows.start] += 2 * self.boost
        else:
            found[np.isin(rows, self.thrice)] += 2 * self.boost
        return found


@dataclass(frozen=True, slots=True)
class Some:
    """Something for a few rows, and nothing for all others."""

    rows: Rows  # ascending
    values: RowScores

    @classmethod
    def of(cls, values: Mapping[int, float]) -> Some:
        """By row."""
        rows = sorted(values)
        each = [values[row] for row in rows]
        return cls(np.array(rows, np.intp), np.array(each, np.float32))

    def __getitem__(self, rows: slice | Rows, /) -> RowScores:
        asked = np.arange(rows.start, rows.stop) if isinstance(rows, slice) else rows
        found = np.zeros(len(asked), np.float32)
        if len(self.rows):
            at = np.minimum(np.searchsorted(self.rows, asked), len(self.rows) - 1)
            is_one = self.rows[at] == asked
            found[is_one] = self.values[at[is_one]]
        return found
