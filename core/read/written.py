"""Write JSON values as text, the same for the same value whatever the order of its keys.

Steps write a value again where they need its text. To write all chunks of 40 files once takes 20 ms
of the 14 s of processor time of their ingestion: too little to hand texts around for.
"""

from __future__ import annotations

import json

import orjson

from core.model import JSON


def written(value: JSON) -> str:
    """The shortest JSON: one line without spaces; what UTF-8 cannot hold is escaped."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # lone surrogates, integers beyond 64 bits, deep nesting
        return json.dumps(value, sort_keys=True, separators=(",", ":"))


def readable(value: JSON) -> str:
    """One key or item a line, ending in a newline; indentation would cost a fifth more tokens."""
    try:
        text = orjson.dumps(value, option=_LINES).decode()
    except TypeError:
        return json.dumps(value, sort_keys=True, indent=0) + "\n"
    return "\n".join(map(str.lstrip, text.split("\n")))  # inside strings, breaks are escaped


_LINES = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
