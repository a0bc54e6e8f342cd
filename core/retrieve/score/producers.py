"""Operations that give what a path parameter of a found operation wants.

`PUT /playlists/{playlist_id}` needs an id that the question does not have: `GET /me/playlists` or
`GET /search` gives it, though no word of the question asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.ranking import best
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements, Operation
from core.retrieve.reader import ArrayReader, RowScores
from core.retrieve.score.boosts import Some
from core.text.words import index_terms

_LOOKED = 5  # of the best rows: further down it costs more than it gains
_SEARCH_SHARE = 0.9  # of the row that needs an id: a search gives it whatever it is called
_KEPT = 4096  # rows, and files
_DEEPEST = 2  # segments of a collection

_PARAMETER = re.compile(r"(?<![^/{}])([^/{}]*+)/?\{([^{}]+)\}")
_ID = re.compile(r"[_-]?(?:ids?|key|name|slug|uuid|sid)$", re.IGNORECASE)
_CALLER = ("me", "self", "whoami")  # paths of whoever is calling
_SEARCH = frozenset(index_terms("search"))
_USER = frozenset(index_terms("user account customer profile"))


@dataclass(frozen=True, slots=True)
class Producer:
    """An operation that asks for no id and gives some."""

    row: int
    gives: frozenset[str]  # terms of what it lists
    gives_all: bool  # whatever is asked for
    is_search: bool


class Producers:
    """Which operations of a snapshot give what others want; each is looked at once."""

    def __init__(self, reader: ArrayReader) -> None:
        self._elements = derived(Elements, reader)
        self._of_file = lru_cache(_KEPT)(self._in_file)
        self.of = lru_cache(_KEPT)(self._of)

    def _of(self, row: int) -> Sequence[Producer]:
        """Those that give a path parameter of a row; none for what is no operation with one."""
        operation = self._elements.operation(row)
        if operation is None or "{" not in operation.path:
            return ()
        wanted, file = _wanted(operation.path), int(self._elements.file_of_row[row])
        return [p for p in self._of_file(file) if p.gives_all or not wanted.isdisjoint(p.gives)]

    def _in_file(self, file: int) -> Sequence[Producer]:
        found = map(_producer, self._elements.operations(file))
        return [producer for producer in found if producer is not None]


def raise_producers(producers: Producers, order: RowScores, share: float) -> Some:
    """What raises producers of a good row's parameters to `share` of its score at least."""
    added: dict[int, float] = {}
    for row in best(order, _LOOKED).tolist():
        for producer in producers.of(row):
            at = producer.row
            if not np.isfinite(order[at]):
                continue  # a filter hides it
            of = max(share, _SEARCH_SHARE) if producer.is_search else share
            missing = of * float(order[row]) - float(order[at])
            if missing > added.get(at, 0):
                added[at] = missing
    return Some.of(added)


def _wanted(path: str) -> frozenset[str]:
    """What the parameters identify: `users/{id}` and `{user_id}` are a user."""
    nouns = (_ID.sub("", name) or before for before, name in _PARAMETER.findall(path))
    return frozenset(term for noun in nouns for term in index_terms(noun))


def _producer(operation: Operation) -> Producer | None:
    """What an operation gives; None when it wants an id itself, or gives nothing."""
    segments = operation.segments
    if operation.method != "get" or "{" in operation.path or not segments:
        return None
    last = frozenset(index_terms(segments[-1]))
    is_search = any("search" in segment.lower() for segment in segments)
    gives = last if is_search or len(segments) <= _DEEPEST else frozenset()
    if last == _SEARCH:
        gives = frozenset(index_terms(segments[-2])) if len(segments) > 1 else frozenset()
    elif segments[-1].lower() in _CALLER:
        gives = _USER
    gives_all = last == _SEARCH and len(segments) == 1
    return Producer(operation.row, gives, gives_all, is_search) if gives or gives_all else None
