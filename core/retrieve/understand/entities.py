"""What a question names: paths, methods, operation ids, schemas, quoted words, codes, APIs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from core.text.requests import methods, requests, without

_CAMEL = re.compile(r"\b[a-z][a-z0-9]*+[A-Z][A-Za-z0-9]*+\b")
_SNAKE = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b")
_PASCAL = re.compile(r"\b(?:[A-Z]+[a-z0-9]+){2,}[A-Z]*\b")
_QUOTED = re.compile(
    r"\"([^\"\n]{1,80})\"|`([^`\n]{1,80})`|“([^”\n]{1,80})”|(?<!\w)'([^'\n]{1,80})'(?!\w)"
)
_STATUS = re.compile(r"(?<![\w./-])([1-5]\d\d|[45]xx)(?![\w/]|[.-]\d)", re.IGNORECASE)
_LETTER = re.compile(r"\w")
_INNER_CAPITAL = re.compile(r"(?<=[a-z,] )([A-Z][a-z0-9]{2,})\b")


def entities(query: str, api_names: Collection[str] = ()) -> Mapping[str, tuple[str, ...]]:
    """Each kind of name that occurs, in the order of the question, without repetition.

    Kinds: `paths`, `methods`, `operation_ids`, `schemas`, `quoted`, `statuses`, `apis`; a kind
    that does not occur is absent. `api_names` are the names to look for as APIs.
    """
    words = without(query)
    found = {
        "paths": (request.path for request in requests(query) if request.path != "/"),
        "methods": methods(query),
        "operation_ids": _CAMEL.findall(words) + _SNAKE.findall(words),
        "schemas": _PASCAL.findall(words) + _INNER_CAPITAL.findall(words),
        "quoted": ("".join(groups).strip() for groups in _QUOTED.findall(query)),
        "statuses": (status.lower() for status in _STATUS.findall(words)),
        "apis": (name for name in sorted(api_names) if _is_named(name, query)),
    }
    kept = {kind: _once(names) for kind, names in found.items()}
    return {kind: names for kind, names in kept.items() if names}


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def _is_named(name: str, query: str) -> bool:
    """Whether it stands there as a whole word, in any case."""
    text, wanted = query.casefold(), name.casefold()
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(wanted) : at + len(wanted) + 1]
        if not (_LETTER.match(before) or _LETTER.match(after)):
            return True
        at = text.find(wanted, at + 1)
    return False
