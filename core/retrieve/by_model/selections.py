"""The APIs that a model chose, given again for the same question and for similar ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Selected:
    """What a model said to a question."""

    apis: tuple[str, ...]
    reasoning: str


@dataclass(slots=True)
class _Kept:
    selected: Selected
    vector: Vector | None  # of unit length; None where the question could not be embedded


@dataclass(slots=True)
class Selections:
    """The least recently used go first; safe to share between threads.

    `under` is all that a selection depends on beside the question: the catalogue's generation, the
    model, its settings.
    """

    _kept: OrderedDict[tuple[Hashable, str], _Kept] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(
        self, under: Hashable, text: str, vector: Callable[[], Vector | None], similarity: float
    ) -> Selected | None:
        """Of the same question, else of the nearest whose cosine is at least `similarity`."""
        with self._lock:
            kept = self._kept.get(key := (under, normal(text)))
            if kept is None and similarity < 1 and self._kept and (asked := vector()) is not None:
                key, kept = self._nearest(under, asked, similarity)
            if kept is None:
                return None
            self._kept.move_to_end(key)
            return kept.selected

    def put(
        self, under: Hashable, text: str, vector: Vector | None, selected: Selected, *, size: int
    ) -> None:
        with self._lock:
            self._kept[under, normal(text)] = _Kept(selected, vector)
            self._kept.move_to_end((under, normal(text)))
            while len(self._kept) > size:
                self._kept.popitem(last=False)

    def _nearest(
        self, under: Hashable, vector: Vector, similarity: float
    ) -> tuple[tuple[Hashable, str], _Kept | None]:
        there: Sequence[tuple[tuple[Hashable, str], _Kept]] = [
            (key, kept)
            for key, kept in self._kept.items()
            if key[0] == under and kept.vector is not None
        ]
        if there:
            cosines = np.array([kept.vector for _, kept in there]) @ vector
            if cosines[at := int(cosines.argmax())] >= similarity:
                return there[at]
        return (under, ""), None


def normal(text: str) -> str:
    """What two writings of one question share."""
    return " ".join(text.casefold().split()).rstrip("?!. ")
