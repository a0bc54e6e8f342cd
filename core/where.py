"""Filters over chunk metadata in Chroma's language: check one, join several, apply one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.errors import CallError
from core.model import TAGS, WHERE_KEYS, Chunk, ChunkType, Where

_JOINS = ("$and", "$or")
_LISTS = ("$in", "$nin")
_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, operand: bool(value == operand),
    "$ne": lambda value, operand: bool(value != operand),
    "$in": lambda value, operand: value in operand,
    "$nin": lambda value, operand: value not in operand,
}

_HAS: dict[str, Callable[[Any, Any], bool]] = {  # of several values
    "$eq": lambda values, operand: operand in values,
    "$ne": lambda values, operand: operand not in values,
    "$in": lambda values, operand: any(one in values for one in operand),
    "$nin": lambda values, operand: not any(one in values for one in operand),
}


def checked(where: Where) -> Where:
    """The same filter with one key a mapping, as Chroma wants it, and methods in upper case.

    Raises CallError when a key or operator is unknown or an operand is of a wrong kind.
    """
    if not isinstance(where, Mapping) or not where:
        raise CallError(f"The filter {where!r} is empty, or no mapping of keys to values.")
    parts = [part for key, condition in where.items() for part in _parts(key, condition)]
    return parts[0] if len(parts) == 1 else {"$and": parts}


def _parts(key: str, condition: object) -> list[Where]:
    if key in _JOINS:
        return [_join(key, condition)]
    if key not in (*WHERE_KEYS, TAGS):
        raise CallError(f"The filter's key {key!r} is none of {', '.join((*WHERE_KEYS, TAGS))}.")
    operands = condition if isinstance(condition, Mapping) else {"$eq": condition}
    if not operands:
        raise CallError(f"The filter says nothing about {key!r}.")
    return [_part(key, name, _operand(key, name, value)) for name, value in operands.items()]


def _part(key: str, name: str, operand: object) -> Where:
    return {key: operand if name == "$eq" else {name: operand}}


def _join(key: str, parts: object) -> Where:
    if not isinstance(parts, list | tuple) or not parts:
        raise CallError(f"The filter's {key} needs a list of at least one filter.")
    good = [checked(part) for part in parts]
    return good[0] if len(good) == 1 else {key: good}


def _operand(key: str, name: str, value: object) -> object:
    if name not in _HOLDS:
        raise CallError(f"The filter's operator {name!r} is none of {', '.join(_HOLDS)}.")
    if name not in _LISTS:
        return _value(key, value)
    if not isinstance(value, list | tuple) or not value:
        raise CallError(f"The filter's {name} on {key!r} needs a list of at least one value.")
    return [_value(key, item) for item in value]


def _value(key: str, value: object) -> object:
    if key == "deprecated":
        if not isinstance(value, bool):
            raise CallError(f"The filter's 'deprecated' is true or false, not {value!r}.")
        return value
    if not isinstance(value, str):
        raise CallError(f"The filter's {key!r} needs a text, not {value!r}.")
    if key == "type" and value not in tuple(ChunkType):
        raise CallError(f"The filter's type {value!r} is none of {', '.join(ChunkType)}.")
    return value.upper() if key == "method" else str(value)


def matches(where: Where | None, chunk: Chunk) -> bool:
    """Whether a chunk passes a filter; no filter lets everything pass."""
    return where is None or all(_holds(key, condition, chunk) for key, condition in where.items())


def _holds(key: str, condition: Any, chunk: Chunk) -> bool:
    if key == "$and":
        return all(matches(part, chunk) for part in condition)
    if key == "$or":
        return any(matches(part, chunk) for part in condition)
    operands = condition if isinstance(condition, Mapping) else {"$eq": condition}
    value = getattr(chunk, key)
    holds = _HAS if key == TAGS else _HOLDS
    return all(holds[name](value, operand) for name, operand in operands.items())


def asked_files(where: Where) -> list[str]:
    """The file ids that a checked filter wants, in its order."""
    found: list[str] = []
    for key, condition in where.items():
        if key in _JOINS:
            found += [file for part in condition for file in asked_files(part)]
        elif key == "source_file":
            wanted = condition if isinstance(condition, Mapping) else {"$eq": condition}
            found += [wanted["$eq"]] if "$eq" in wanted else wanted.get("$in", [])
    return found


def every(*filters: Where | None) -> Where | None:
    """One filter that passes what all of them pass; None when none is given."""
    given = [where for where in filters if where is not None]
    if len(given) > 1:
        return {"$and": given}
    return given[0] if given else None


def in_files(file_ids: tuple[str, ...]) -> Where | None:
    """The filter for the chunks of these files; no files mean no filter."""
    if not file_ids:
        return None
    return {"source_file": file_ids[0] if len(file_ids) == 1 else {"$in": list(file_ids)}}


def in_words(where: Any) -> str:
    """A filter as words: `type: operation or webhook`."""
    if isinstance(where, Mapping):
        return " and ".join(_term(key, value) for key, value in where.items())
    return " or ".join(map(in_words, where)) if isinstance(where, list | tuple) else str(where)


def _term(key: str, value: Any) -> str:
    if key == "$and":
        return " and ".join(map(in_words, value))
    if key.startswith("$"):
        return f"not {in_words(value)}" if key in ("$ne", "$nin") else in_words(value)
    return f"{key.replace('_', ' ')}: {in_words(value)}"
