"""A filter in the form that Chroma takes, checked on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import CallError
from core.index.chroma.rows import UNSAID
from core.model import OPERATIONS, TAGS, WHERE_KEYS, Where

Filter = dict[str, Any]

_JOINS = ("$and", "$or")
_TESTS = ("$eq", "$ne", "$in", "$nin")


def to_chroma(where: Where) -> Filter:
    """The same filter with one operator in every mapping, which is all that Chroma takes.

    Keys side by side must all hold, as under `$and`. Raises CallError with what is wrong.
    """
    if not isinstance(where, Mapping) or not where:
        raise CallError(f"The filter {where!r} is empty, or no mapping of keys to values.")
    return _all([part for key, wanted in where.items() for part in _parts(key, wanted)])


def _parts(key: str, wanted: Any) -> list[Filter]:
    if key in _JOINS:
        if not isinstance(wanted, list | tuple) or not wanted:
            raise CallError(f"The filter's {key} needs a list of at least one filter.")
        parts = [to_chroma(part) for part in wanted]
        return [_all(parts) if key == "$and" else _any(parts)]
    if key == TAGS:
        raise CallError(
            "A filter by tags needs the read index, and this machine is still building its own: "
            "ask again when that is done."
        )
    if key not in WHERE_KEYS:
        raise CallError(f"The filter's key {key!r} is none of {', '.join(WHERE_KEYS)}.")
    tests = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
    if not tests:
        raise CallError(f"The filter says nothing about {key!r}.")
    return [_test(key, name, value) for name, value in tests.items()]


def _test(key: str, name: str, value: Any) -> Filter:
    if name not in _TESTS:
        raise CallError(f"The filter's operator {name!r} is none of {', '.join(_TESTS)}.")
    if name in ("$in", "$nin") and (not isinstance(value, list | tuple) or not value):
        raise CallError(f"The filter's {name} on {key!r} needs a list of values.")
    values = [_value(key, v) for v in (value if name in ("$in", "$nin") else [value])]
    if name in ("$eq", "$in"):
        return _one_of(key, values)
    return _none_of(key, values)


def _value(key: str, value: Any) -> str | bool:
    wanted = bool if key == "deprecated" else str
    if not isinstance(value, wanted):
        kind = "true or false" if wanted is bool else "text"
        raise CallError(f"The filter compares {key!r} with {value!r}, which is not {kind}.")
    return value if isinstance(value, bool) else str(value)  # an enum's member as its plain text


def _one_of(key: str, values: Sequence[str | bool]) -> Filter:
    unsaid = [_UNSAID[key]] if UNSAID.get(key) in values else []
    return _any([{key: {"$in": values}}, *unsaid])


def _none_of(key: str, values: Sequence[str | bool]) -> Filter:
    """Chroma counts a row without the key among those that differ from a value."""
    said = [_SAID[key]] if UNSAID.get(key) in values else []
    return _all([{key: {"$nin": values}}, *said])


# Which rows leave a key out, and which do not, in words that Chroma has.
_OPERATIONS = [*map(str, OPERATIONS)]
_UNSAID: Mapping[str, Filter] = {
    "method": {"type": {"$nin": _OPERATIONS}},
    "component_kind": {"type": {"$ne": "component"}},
    "deprecated": {"deprecated": {"$ne": True}},
}
_SAID: Mapping[str, Filter] = {
    "method": {"type": {"$in": _OPERATIONS}},
    "component_kind": {"type": {"$eq": "component"}},
    "deprecated": {"deprecated": {"$eq": True}},
}


def _all(parts: list[Filter]) -> Filter:
    return parts[0] if len(parts) == 1 else {"$and": parts}


def _any(parts: list[Filter]) -> Filter:
    return parts[0] if len(parts) == 1 else {"$or": parts}
