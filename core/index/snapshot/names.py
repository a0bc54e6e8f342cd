"""Which rows are called by a name, in any case of its letters: a number for each name."""

from __future__ import annotations

import unicodedata
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.ids import COMPONENTS, decode, pieces
from core.index.snapshot.arrays import Arrays, ArrayWriter
from core.index.snapshot.texts import Texts

_KEYS, _ROWS, _SPACED = "names.keys", "names.rows", "names.spaced"


class _Table(NamedTuple):
    keys: NDArray[np.uint32]  # of every name, ascending; several may share one
    rows: NDArray[np.int32]  # of what is called so, ascending for each name
    spaced: NDArray[np.int32]  # rows with a blank in their names


class Names:
    """Components, webhooks and operationIds by row, and back. Parts of elements have no name."""

    def __init__(self, arrays: Arrays, ids: Texts, operation_ids: Texts) -> None:
        self._arrays, self._ids, self._operation_ids = arrays, ids, operation_ids

    def of(self, row: int) -> tuple[str, ...]:
        """What the element of a row is called, as it is written; "" may be among it."""
        return _names(self._ids[row], self._operation_ids[row])

    def rows(self, name: str) -> list[int]:
        """Those that are called so, ascending."""
        wanted = folded(name)
        keys, rows, _ = self._table
        key = _key(wanted)
        first = bisect_left(keys.data, key)  # a good deal faster than the array's own search
        last = bisect_right(keys.data, key, lo=first)
        return [row for row in rows[first:last].tolist() if wanted in map(folded, self.of(row))]

    def with_blanks(self) -> list[int]:
        """The rows that have a blank in a name."""
        spaced: list[int] = self._table.spaced.tolist()
        return spaced

    def all(self) -> Iterator[str]:
        """Every name without case, once for each row that has it: this reads all ids."""
        return (name for _, names in _named(self._ids, self._operation_ids) for name in names)

    @cached_property
    def _table(self) -> _Table:
        """Made here where an older version wrote the read index."""
        if _KEYS in self._arrays:
            return _Table(self._arrays[_KEYS], self._arrays[_ROWS], self._arrays[_SPACED])
        return _table(self._ids, self._operation_ids)


def write_names(writer: ArrayWriter, ids: Sequence[str], operation_ids: Sequence[str]) -> None:
    made = _table(ids, operation_ids)
    for name, values in zip((_KEYS, _ROWS, _SPACED), made, strict=True):
        writer.append(name, values)


def folded(text: str) -> str:
    """Without case, and in one form where letters with marks can be written in two."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text.casefold())


def _key(name: str) -> int:
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def _table(ids: Iterable[str], operation_ids: Iterable[str]) -> _Table:
    keys: list[int] = []
    rows: list[int] = []
    spaced: list[int] = []
    for row, names in _named(ids, operation_ids):
        keys += map(_key, names)
        rows += [row] * len(names)
        spaced += [row] if any(" " in name for name in names) else []
    sorted_keys = np.array(keys, np.uint32)
    order = np.argsort(sorted_keys, kind="stable")
    by_key = np.array(rows, np.int32)[order]
    return _Table(sorted_keys[order], by_key, np.array(spaced, np.int32))


def _named(ids: Iterable[str], operation_ids: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Each row that has names, with those, without case; a name that it has twice is given once."""
    for row, (id, operation_id) in enumerate(zip(ids, operation_ids, strict=True)):
        names = () if pieces(id)[2] else filter(None, _names(id, operation_id))
        if called := list(dict.fromkeys(map(folded, names))):
            yield row, called


def _names(id: str, operation_id: str) -> tuple[str, ...]:
    """What an element is called; what is neither called nor a component has no name."""
    kind, _, rest = pieces(id)[1].partition("/")
    if kind == COMPONENTS:
        return (decode(rest.partition("/")[2]),)
    if kind == "paths":
        return (operation_id,)
    return (operation_id, decode(rest.rpartition("/")[0])) if kind == "webhooks" else ()
