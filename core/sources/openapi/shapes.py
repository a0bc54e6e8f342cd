"""Read a value as the shape it should have: real documents hold other ones anywhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from core.model import JSON

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")

# Under these keys the author chooses the names, so that a property may be called `default`.
NAMED = frozenset(
    [
        *("properties", "patternProperties", "dependentSchemas", "dependencies"),
        *("$defs", "definitions", "responses", "headers", "content", "encoding"),
        *("callbacks", "variables"),
    ]
)
# What stands under these keys is data, and never a reference.
WIRE_VALUE = "x-ms-discriminator-value"  # of a schema: its parent's discriminator has it
DATA = frozenset(("example", "examples", "default", "enum", "const"))


def mapping(value: JSON) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def sequence(value: JSON) -> list[Any]:
    return value if isinstance(value, list) else []


def string(value: JSON) -> str:
    return value if isinstance(value, str) else ""


def strings(value: JSON) -> tuple[str, ...]:
    return tuple(item for item in sequence(value) if isinstance(item, str))


def name_of(ref: str) -> str:
    """What a reference calls its target: the last key, or the file when it is the whole."""
    if ref.startswith("#/") and "%" not in ref and "~" not in ref:
        return ref.rpartition("/")[2] or ref
    file, _, fragment = ref.partition("#")
    last = fragment.rstrip("/").rpartition("/")[2] or file.rpartition("/")[2]
    return unquote(last).replace("~1", "/").replace("~0", "~") or ref
