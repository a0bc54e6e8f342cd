"""Operations that give what a path parameter of a found operation wants.

`PUT /playlists/{playlist_id}` needs an id that the question does not have: `GET /me/playlists` or
`GET /search` gives it, though no word of the question asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.ranking import best
from core.retrieve.lookups.elements import Elements, Operation
from core.retrieve.reader import RowScores
from core.text.words import index_terms

_LOOKED = 5  # of the best rows: further down it costs more than it gains
_SEARCH_SHARE = 0.9  # of the row that needs an id: a search gives it whatever it is called
_DEEPEST = 2  # segments of a collection

_PARAMETER = re.compile(r"(?<![^/{}])([^/{}]*+)/?\{([^{}]+)\}")
_ID = re.compile(r"[_-]?(?:ids?|key|name|slug|uuid|sid)$", re.IGNORECASE)
_CALLER = ("me", "self", "whoami")  # paths of whoever is calling
_SEARCH = frozenset(index_terms("search"))
_USER = frozenset(index_terms("user account customer profile"))


def raise_producers(elements: Elements, order: RowScores, share: float) -> RowScores:
    """The same scores, producers of a good row's parameters at `share` of its score at least.

    Returns what was added, 0 for most rows.
    """
    added: RowScores = np.zeros_like(order)
    for row in best(order, _LOOKED).tolist():
        operation = elements.operation(row)
        if operation is None or "{" not in operation.path:
            continue
        for producer in _producers(operation, elements):
            if not np.isfinite(order[producer]):
                continue  # a filter hides it
            of = max(share, _SEARCH_SHARE) if _is_search(elements, producer) else share
            missing = of * float(order[row]) - float(order[producer])
            added[producer] = max(float(added[producer]), missing)
    return added


def _is_search(elements: Elements, row: int) -> bool:
    operation = elements.operation(row)
    return operation is not None and any("search" in s.lower() for s in operation.segments)


def _producers(operation: Operation, elements: Elements) -> Iterator[int]:
    wanted = _wanted(operation.path)
    file = int(elements.file_of_row[operation.row])
    for other in elements.operations(file):
        plain = other.method == "get" and "{" not in other.path
        if plain and other.row != operation.row and _gives(other, wanted):
            yield other.row


def _wanted(path: str) -> frozenset[str]:
    """What the parameters identify: `users/{id}` and `{user_id}` are a user."""
    nouns = (_ID.sub("", name) or before for before, name in _PARAMETER.findall(path))
    return frozenset(term for noun in nouns for term in index_terms(noun))


def _gives(operation: Operation, wanted: frozenset[str]) -> bool:
    segments = operation.segments
    if not segments:
        return False
    last = frozenset(index_terms(segments[-1]))
    if last == _SEARCH:
        return len(segments) == 1 or bool(wanted.intersection(index_terms(segments[-2])))
    if segments[-1].lower() in _CALLER:
        return bool(wanted & _USER)
    is_search = any("search" in segment.lower() for segment in segments)
    return bool(last & wanted) and (is_search or len(segments) <= _DEEPEST)
