"""What the ids of a read index say about its rows; each look-up is made once a snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from core.ids import INFO, Id
from core.retrieve.reader import ArrayReader
from core.text.words import index_terms

_KEPT = 16_384  # rows


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation as its id names it."""

    row: int
    method: str  # lower case
    path: str  # as in the id: without the leading slash, with braces

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(segment for segment in self.path.split("/") if segment)

    @property
    def last_word(self) -> str:
        """The last segment that is no parameter."""
        return next((s for s in reversed(self.segments) if "{" not in s), "")


class Elements:
    """Look-ups over one snapshot."""

    def __init__(self, reader: ArrayReader) -> None:
        self._ids = reader.ids
        self._bounds = reader.bounds
        self._files, self._row = reader.files, reader.row
        self._operations: dict[int, tuple[Operation, ...]] = {}
        self.last_terms = lru_cache(_KEPT)(self._last_terms)

    @cached_property
    def file_of_row(self) -> NDArray[np.int32]:
        files = np.arange(len(self._bounds) - 1, dtype=np.int32)
        return np.repeat(files, np.diff(self._bounds))

    @cached_property
    def descriptions(self) -> NDArray[np.intp]:
        """By file: the row of its `info`, or else its first."""
        infos = (self._row(str(Id(file.file, INFO))) for file in self._files)
        firsts = self._bounds[:-1].tolist()
        rows = [first if row is None else row for row, first in zip(infos, firsts, strict=True)]
        return np.array(rows, np.intp)

    def operation(self, row: int) -> Operation | None:
        """The operation whose own chunk a row is."""
        id = Id.parse(self._ids[row])
        return Operation(row, id.method, id.inner) if id.kind == "paths" and not id.part else None

    def _last_terms(self, row: int) -> frozenset[str]:
        """The terms of the last word of an operation's path; none for other rows."""
        operation = self.operation(row)
        return frozenset(index_terms(operation.last_word)) if operation else frozenset()

    def operations(self, file: int) -> Sequence[Operation]:
        """The operations of a file, by row."""
        if file not in self._operations:
            rows = range(int(self._bounds[file]), int(self._bounds[file + 1]))
            found = (self.operation(row) for row in rows)
            self._operations[file] = tuple(operation for operation in found if operation)
        return self._operations[file]
