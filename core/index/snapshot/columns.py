"""A filter as a mask of rows, over columns of a few distinct values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.where import Filter, Test, fold

Mask = NDArray[np.bool_]
Value: TypeAlias = str | bool | tuple[str, ...]

_KEPT = 31  # masks of single tests; a byte a row each


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
        self._tested: dict[Test, Mask] = {}

    def values(self, key: str, rows: slice) -> list[Value]:
        """What some rows have in a column."""
        names = self._values[key]
        return [names[code] for code in self._codes[key][rows].tolist()]

    def mask(self, where: Filter) -> Mask:
        """The rows that pass a filter."""
        return fold(
            where,
            self._test,
            all_of=lambda masks: np.logical_and.reduce(list(masks)),
            any_of=lambda masks: np.logical_or.reduce(list(masks)),
        )

    def _test(self, test: Test) -> Mask:
        mask = self._tested.get(test)
        if mask is None:
            passes = test.passing(self._values[test.key])
            mask = np.array(passes, np.bool_)[self._codes[test.key]]
            self._keep(test, mask)
        return mask

    def _keep(self, test: Test, mask: Mask) -> None:
        """The same few tests come with every question."""
        mask.flags.writeable = False
        kept = list(self._tested.items())[-_KEPT:]
        self._tested = {**dict(kept), test: mask}  # replaced as a whole: threads read it
