"""Chroma's filter language over columns of a few distinct values, as masks of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import CallError
from core.model import TAGS, WHERE_KEYS, Where

Mask = NDArray[np.bool_]
Value = str | bool | tuple[str, ...]

_KEPT = 31  # masks of single tests; a byte a row each

COLUMNS = (*WHERE_KEYS, TAGS)

_JOINS = {"$and": np.logical_and, "$or": np.logical_or}
_TESTS: dict[str, Callable[[Value, Any], bool]] = {
    "$eq": lambda value, wanted: _same(value, wanted),
    "$ne": lambda value, wanted: not _same(value, wanted),
    "$in": lambda value, wanted: any(_same(value, one) for one in wanted),
    "$nin": lambda value, wanted: not any(_same(value, one) for one in wanted),
}


class Columns:
    """For each key of a filter one code a row, and the values that the codes stand for."""

    def __init__(
        self, codes: Mapping[str, NDArray[np.int32]], values: Mapping[str, Sequence[Value]]
    ) -> None:
        self._codes = codes
        self._values = {
            key: [tuple(each) if isinstance(each, list) else each for each in those]
            for key, those in values.items()
        }
        self._tested: dict[tuple[str, str, str], Mask] = {}

    def values(self, key: str, rows: slice) -> list[Value]:
        """What some rows have in a column."""
        names = self._values[key]
        return [names[code] for code in self._codes[key][rows].tolist()]

    def mask(self, where: Where) -> Mask:
        """The rows that pass a filter; several keys side by side must all hold, as under `$and`.

        Raises CallError with what is wrong in the filter.
        """
        if not isinstance(where, Mapping) or not where:
            raise CallError(f"The filter {where!r} is empty, or no mapping of keys to values.")
        return _joined("$and", [self._one(key, wanted) for key, wanted in where.items()])

    def _one(self, key: str, wanted: Any) -> Mask:
        if key in _JOINS:
            if not _is_list(wanted):
                raise CallError(f"The filter's {key} needs a list of at least one filter.")
            return _joined(key, [self.mask(part) for part in wanted])
        if key not in COLUMNS:
            raise CallError(f"The filter's key {key!r} is none of {', '.join(COLUMNS)}.")
        operands = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
        if not operands:
            raise CallError(f"The filter says nothing about {key!r}.")
        return _joined("$and", [self._test(key, *operand) for operand in operands.items()])

    def _test(self, key: str, operator: str, wanted: Any) -> Mask:
        if operator not in _TESTS:
            raise CallError(f"The filter's operator {operator!r} is none of {', '.join(_TESTS)}.")
        if operator in ("$in", "$nin") and not _is_list(wanted):
            raise CallError(f"The filter's {operator} on {key!r} needs a list of values.")
        asked = (key, operator, repr(wanted))
        mask = self._tested.get(asked)
        if mask is None:
            passes = [_TESTS[operator](value, wanted) for value in self._values[key]]
            mask = np.array(passes, np.bool_)[self._codes[key]]
            self._keep(asked, mask)
        return mask

    def _keep(self, asked: tuple[str, str, str], mask: Mask) -> None:
        """The same few tests come with every question."""
        mask.flags.writeable = False
        kept = list(self._tested.items())[-_KEPT:]
        self._tested = {**dict(kept), asked: mask}  # replaced as a whole: threads read it


def _same(value: Value, wanted: object) -> bool:
    if isinstance(value, tuple):
        return wanted in value
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _is_list(wanted: object) -> bool:
    return isinstance(wanted, list | tuple) and bool(wanted)


def _joined(join: str, masks: Sequence[Mask]) -> Mask:
    joined: Mask = _JOINS[join].reduce(masks)
    return joined
