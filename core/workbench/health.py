"""Whether the read index of a store can be trusted, and in a sentence why not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from core.errors import StoreDamaged
from core.index.snapshot.checked import NOTE, stamp

if TYPE_CHECKING:
    from core.index.snapshot.arrays import Opening
    from core.index.store import Store

_Stamp = tuple[str, int, int, int]  # path, then as of `checked.stamp`
_Stamps = tuple[_Stamp, ...]


class State(StrEnum):
    """What a read index can be; the sentence says what follows for an answer."""

    sentence: str

    def __new__(cls, value: str, sentence: str) -> State:
        member = str.__new__(cls, value)
        member._value_, member.sentence = value, sentence
        return member

    EMPTY = "empty", ""
    WHOLE = "whole", ""
    OUTDATED = (
        "outdated",
        "Another version of Specloupe chunked what is stored, so no question can be answered.",
    )
    DAMAGED = (
        "damaged",
        "The read index is missing or damaged, so answers may fail or be wrong.",
    )
    BEHIND = (
        "behind",
        "The read index is older than the store, so recently added content may be missing.",
    )


@dataclass(frozen=True, slots=True)
class Health:
    """The state of a read index, and what was found where it is damaged."""

    state: State
    damage: StoreDamaged | None = None


class Checkup:
    """Judges a store's read index; its bytes are read again only when a file has changed."""

    def __init__(self) -> None:
        self._known: tuple[object, Health] | None = None
        self._checking = Lock()

    def health(self, store: Store, opening: Opening) -> Health:
        """Raises StoreError when the store itself cannot be read."""
        if store.is_empty:
            return Health(State.EMPTY)
        if store.outdated():
            return Health(State.OUTDATED)
        key = (store.index, store.generation, _stamps(store.index))
        with self._checking:
            if self._known is None or self._known[0] != key:
                self._known = key, _judged(store.index, store.generation, opening)
            return self._known[1]


def _stamps(folder: Path) -> _Stamps:
    """All that changes when the index does, but for notes about it and drafts."""
    found = (Path(here, name) for here, _, names in os.walk(folder) for name in names)
    whole = (path for path in found if path.name != NOTE and not path.name.startswith("."))
    return tuple(sorted(filter(None, map(_stamp, whole))))


def _stamp(path: Path) -> _Stamp | None:
    try:
        return str(path), *stamp(path)
    except OSError:  # of a generation that has just been replaced, which the other stamps tell
        return None


def _judged(folder: Path, generation: str, opening: Opening) -> Health:
    from core.index.snapshot.snapshot import Snapshot

    try:
        found = Snapshot.open(
            folder, rendering=lambda chunk, level: "", whole=True, opening=opening
        )
    except StoreDamaged as error:
        return Health(State.DAMAGED, error)
    return Health(State.WHOLE if found.generation == generation else State.BEHIND)
