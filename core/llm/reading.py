"""What a model wrote, as the JSON value that was wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache

import jsonschema_rs
import orjson

from core.model import JSON

_LONGEST = 100_000  # characters of an answer that are read
_TRIES = 20  # places where an object may begin
_DECODER = json.JSONDecoder()


class Nonsense(ValueError):
    """It holds no object of the wanted form."""


def read(text: str, schema: Mapping[str, JSON]) -> JSON:
    """The first object in the text that fits the schema, whatever stands around it.

    Raises Nonsense, without a word of the text.
    """
    for value in _objects(text[:_LONGEST]):
        if _is_plain(value) and fits(value, schema):
            return value
    raise Nonsense("there is no JSON object of the wanted form in the answer")


def _is_plain(value: JSON) -> bool:
    """Whether it can be written down: no half of a character, no number beyond all bounds."""
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError:
        return False
    return True


def fits(value: JSON, schema: Mapping[str, JSON]) -> bool:
    return _validator(orjson.dumps(dict(schema), option=orjson.OPT_SORT_KEYS)).is_valid(value)


def _objects(text: str) -> Iterator[JSON]:
    at = -1
    for _ in range(_TRIES):
        at = text.find("{", at + 1)
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        yield value
        at = end - 1


@lru_cache(64)
def _validator(schema: bytes) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(orjson.loads(schema))
