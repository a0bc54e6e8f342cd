"""A filter in the form that Chroma takes: one operator in every mapping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from core.errors import CallError
from core.index.chroma.rows import UNSAID
from core.model import OPERATIONS, TAGS
from core.where import Filter, Test, fold

ChromaFilter: TypeAlias = dict[str, Any]


def to_chroma(where: Filter) -> ChromaFilter:
    """The same filter for Chroma; raises CallError for tags, which its rows do not show."""
    return fold(where, _test, all_of=_all, any_of=_any)


def _test(test: Test) -> ChromaFilter:
    if test.key == TAGS:
        raise CallError(
            "A filter by tags needs the read index, and this machine is still building its own: "
            "ask again when that is done."
        )
    return _none_of(test) if test.op.is_negated else _one_of(test)


def _one_of(test: Test) -> ChromaFilter:
    unsaid = [_UNSAID[test.key]] if UNSAID.get(test.key) in test.values else []
    return _any([{test.key: {"$in": list(test.values)}}, *unsaid])


def _none_of(test: Test) -> ChromaFilter:
    """Chroma counts a row without the key among those that differ from a value."""
    said = [_SAID[test.key]] if UNSAID.get(test.key) in test.values else []
    return _all([{test.key: {"$nin": list(test.values)}}, *said])


# Which rows leave a key out, and which do not, in words that Chroma has.
_OPERATIONS = [*map(str, OPERATIONS)]
_UNSAID: Mapping[str, ChromaFilter] = {
    "method": {"type": {"$nin": _OPERATIONS}},
    "component_kind": {"type": {"$ne": "component"}},
    "deprecated": {"deprecated": {"$ne": True}},
    "status": {"type": {"$ne": "document"}},
    "language": {"type": {"$ne": "code"}},
}
_SAID: Mapping[str, ChromaFilter] = {
    "method": {"type": {"$in": _OPERATIONS}},
    "component_kind": {"type": {"$eq": "component"}},
    "deprecated": {"deprecated": {"$eq": True}},
    "status": {"type": {"$eq": "document"}},
    "language": {"type": {"$eq": "code"}},
}


def _all(parts: Iterable[ChromaFilter]) -> ChromaFilter:
    return _joined("$and", list(parts))


def _any(parts: Iterable[ChromaFilter]) -> ChromaFilter:
    return _joined("$or", list(parts))


def _joined(join: str, parts: list[ChromaFilter]) -> ChromaFilter:
    return parts[0] if len(parts) == 1 else {join: parts}
