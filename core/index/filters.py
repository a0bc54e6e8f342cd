"""A filter in the form that Chroma takes, checked on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import CallError
from core.model import WHERE_KEYS, Where

_JOINS = ("$and", "$or")
_TESTS = ("$eq", "$ne")
_LISTS = ("$in", "$nin")


def to_chroma(where: Where) -> dict[str, Any]:
    """The same filter with one operator in every mapping, which is all that Chroma takes.

    Keys side by side must all hold, as under `$and`. Raises CallError with what is wrong.
    """
    if not isinstance(where, Mapping) or not where:
        raise CallError(f"The filter {where!r} is empty, or no mapping of keys to values.")
    return _joined("$and", [part for key, wanted in where.items() for part in _parts(key, wanted)])


def _parts(key: str, wanted: Any) -> list[dict[str, Any]]:
    if key in _JOINS:
        if not isinstance(wanted, list | tuple) or not wanted:
            raise CallError(f"The filter's {key} needs a list of at least one filter.")
        return [_joined(key, [to_chroma(part) for part in wanted])]
    if key not in WHERE_KEYS:
        raise CallError(f"The filter's key {key!r} is none of {', '.join(WHERE_KEYS)}.")
    tests = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
    if not tests:
        raise CallError(f"The filter says nothing about {key!r}.")
    return [{key: {name: _operand(key, name, value)}} for name, value in tests.items()]


def _operand(key: str, name: str, value: Any) -> Any:
    if name in _LISTS:
        if not isinstance(value, list | tuple) or not value:
            raise CallError(f"The filter's {name} on {key!r} needs a list of values.")
        return [_value(key, one) for one in value]
    if name not in _TESTS:
        raise CallError(f"The filter's operator {name!r} is none of {', '.join(_TESTS + _LISTS)}.")
    return _value(key, value)


def _value(key: str, value: Any) -> str | bool:
    wanted = bool if key == "deprecated" else str
    if not isinstance(value, wanted):
        kind = "true or false" if wanted is bool else "text"
        raise CallError(f"The filter compares {key!r} with {value!r}, which is not {kind}.")
    return value if isinstance(value, bool) else str(value)  # an enum's member as its plain text


def _joined(join: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return parts[0] if len(parts) == 1 else {join: parts}
