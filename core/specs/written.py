"""Write JSON values as text, the same for the same value whatever the order of its keys."""

from __future__ import annotations

import json

import orjson

from core.model import JSON


def written(value: JSON) -> str:
    """One line of JSON without blanks, keys sorted; what UTF-8 cannot hold is escaped."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # lone surrogates, integers beyond 64 bits, deep nesting
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
