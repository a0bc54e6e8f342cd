"""Read JSON: orjson for what is strict, the standard library for what is nearly so."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]  # public, but not in the stubs
from typing import Any

import orjson

from core.errors import UnreadableSpec
from core.model import JSON
from core.read.document import Finding
from core.read.places import Newlines, pointer
from core.read.syntax.parsed import Bounds, Parsed, has_digits

_LONG = 19  # digits; orjson turns integers beyond 64 bits into floats without a word
_LONG_INT = re.compile(rb"[:\[,][ \t\n\r]*-?\d{19,}[ \t\n\r]*[,\]}]")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)  # also one that does not end
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}"
    r"|(?P<lone>u[dD][89a-fA-F][\da-fA-F]{2})|.)",
    re.DOTALL,
)
_BLANK = re.compile(r"[ \t\n\r]*")
_ORJSON_DEPTH = 254  # levels that orjson writes; it reads 1024


class CutOff(UnreadableSpec):
    """The text ends in the middle of a value."""


def read(data: bytes, bounds: Bounds) -> Parsed:
    """The value of a JSON text in UTF-8; of a repeated key the last value counts.

    What strict JSON forbids but is clear enough (NaN, raw control characters, half a surrogate
    pair) is read and reported; numbers too large for a float stay text as written.
    Raises UnreadableSpec with line and column, or UnsafeSpec.
    """
    _check_nodes(data, bounds)
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if "depth limit" in error.msg:
            raise bounds.too_deep() from error
        return _read_leniently(data, bounds, error)
    if has_digits(data, _LONG) and _LONG_INT.search(data):
        return _read_leniently(data, bounds, None)
    return Parsed(
        value, "orjson", _duplicates(data, bounds) if _repeats(data, value, bounds) else ()
    )


def _check_nodes(data: bytes, bounds: Bounds) -> None:
    """Refuse too many values before they are built: each has a comma or opens its container."""
    if len(data) > bounds.limits.max_nodes and _marks(data) > bounds.limits.max_nodes:
        bounds.check_nodes(_marks(_STRING.sub(b"", data)))


def _marks(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def _repeats(data: bytes, value: JSON, bounds: Bounds) -> bool:
    """Whether keys of the text are missing from its value, found by writing it out again."""
    try:
        written = orjson.dumps(value)
    except orjson.JSONEncodeError as error:  # the only thing that it read and cannot write
        raise bounds.too_deep() from error
    if bounds.limits.max_nesting < _ORJSON_DEPTH:
        bounds.check(value)
    return _members(data) != _members(written) or b"\\u0022" in data


def _members(data: bytes) -> int:
    """Colons after a quote; those inside strings follow an escape, and count in both texts."""
    return data.count(b'":') + data.count(b'" :')


def _read_leniently(data: bytes, bounds: Bounds, error: orjson.JSONDecodeError | None) -> Parsed:
    reader = _Lenient()
    try:
        value = reader.decode(_ESCAPE.sub(_whole, data.decode()))
    except RecursionError as deep:
        raise bounds.too_deep() from deep
    except json.JSONDecodeError as failed:
        raise _unreadable(data, bounds.file, error or failed) from failed
    bounds.check(value)
    odd = () if error is None else (_not_strict(error),)
    return Parsed(value, "json", odd + (_duplicates(data, bounds) if reader.repeats else ()))


def _whole(escape: re.Match[str]) -> str:
    return "\\ufffd" if escape["lone"] else escape[0]


class _Lenient(json.JSONDecoder):
    """Loses no number, and notices when a key is repeated."""

    def __init__(self) -> None:
        self.repeats = False
        super().__init__(
            strict=False,
            parse_int=_int,
            parse_float=_float,
            parse_constant=str,
            object_pairs_hook=self._object,
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        self.repeats = self.repeats or len(value) < len(pairs)
        return value


def _int(text: str) -> int | str:
    return int(text) if len(text) < 4300 else text  # Python converts no more digits


def _float(text: str) -> float | str:
    return number if math.isfinite(number := float(text)) else text


def _not_strict(error: orjson.JSONDecodeError) -> Finding:
    message = f"This is not strict JSON ({error.msg}); it was parsed leniently."
    return Finding("json-syntax", message, line=error.lineno)


def _unreadable(data: bytes, file: str, error: json.JSONDecodeError) -> UnreadableSpec:
    where = f"line {error.lineno}, column {error.colno}"
    if "end of data" in error.msg:
        return CutOff(file, f"the JSON ends too early, at {where}; the file seems to be cut off.")
    return UnreadableSpec(file, f"it is not valid JSON: {error.msg} ({where}).")


def _duplicates(data: bytes, bounds: Bounds) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for keys, line in JsonLines(data).duplicates(bounds):
        if len(found) == bounds.limits.max_findings:
            break
        message = f"Duplicate key {keys[-1]!r}; the last value is used."
        found.append(Finding("duplicate-key", message, pointer(keys), line))
    return tuple(found)


class JsonLines:
    """Where the values of a JSON text are; a container is searched when it is passed through."""

    def __init__(self, data: bytes) -> None:
        self._text = data.decode()
        self._newlines = Newlines(self._text)
        self._skip = json.JSONDecoder(strict=False, parse_int=str, parse_float=str).raw_decode
        self._known: dict[int, Mapping[str, tuple[int, int]]] = {}

    def line(self, keys: Sequence[str], /) -> int:
        return self._newlines.line(self._place(keys)[0])

    def written(self, keys: Sequence[str], /) -> str:
        begin = self._place(keys)[1]
        return self._text[begin : self._skip(self._text, begin)[1]]

    def _place(self, keys: Sequence[str]) -> tuple[int, int]:
        """The place of the deepest value along a path, and where it begins."""
        offset = begin = self._blank(0)
        for key in keys:
            if begin not in self._known:
                self._known[begin] = {name: (at, value) for name, at, value in self._items(begin)}
            if key not in self._known[begin]:
                break
            offset, begin = self._known[begin][key]
        return offset, begin

    def duplicates(self, bounds: Bounds) -> Iterator[tuple[tuple[str, ...], int]]:
        """Path and line of every key that an earlier one in the same object equals."""
        pending: list[tuple[tuple[str, ...], int]] = [((), self._blank(0))]
        while pending:
            bounds.check_time()
            path, begin = pending.pop()
            seen: set[str] = set()
            for key, offset, value in self._items(begin):
                if key in seen:
                    yield (*path, key), self._newlines.line(offset)
                seen.add(key)
                if self._text[value] in "{[":
                    pending.append(((*path, key), value))

    def _items(self, begin: int) -> Iterator[tuple[str, int, int]]:
        """Key, its offset and its value's offset; an item's key is its index."""
        opening = self._text[begin]
        if opening not in "{[":
            return
        at, count = self._blank(begin + 1), 0
        while self._text[at] not in "}]":
            offset, key = at, str(count)
            if opening == "{":
                key, at = scanstring(self._text, at + 1, False)
                at = self._blank(self._blank(at) + 1)
            yield key, offset, at
            at, count = self._blank(self._skip(self._text, at)[1]), count + 1
            if self._text[at] == ",":
                at = self._blank(at + 1)

    def _blank(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        assert match is not None  # it matches nothing, too
        return match.end()
