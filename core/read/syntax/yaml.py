"""Read YAML 1.2: ryaml for most, our own composer over libyaml's events for what it cannot."""

from __future__ import annotations

import re

import ryaml
from yaml import YAMLError
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # it lists no exports

from core.deadline import Deadline
from core.errors import SpecError, UnreadableSpec
from core.model import JSON
from core.read.document import Finding
from core.read.limits import Limits
from core.read.places import LineIndex, Newlines
from core.read.syntax.compose import Composer
from core.read.syntax.parsed import Bounds, Parsed, has_digits

# What ryaml reads in another way than we promise. A false alarm only costs time; patterns that
# begin with a fixed character are the fast ones.
_ODD = tuple(
    re.compile(pattern)
    for pattern in (
        r"\.(?:inf|Inf|INF|nan|NaN|NAN)\b",
        r"0(?<!\w0)[xob][\da-fA-F]+[ \t]*:\s",
        r"\+\d+[ \t]*:\s",
        r"-0+[ \t]*:\s",
        r"\?[ \t]+(?:!\S*\s+)?[-+0]\S",
    )
)
_LEVELS = 1000  # of flow collections that libyaml follows; ryaml's time grows with their square
_LONG = 38  # digits; ryaml makes floats of integers beyond 128 bits
_LONG_INT = re.compile(r"[\s\[,][-+]?\d{38,}(?=[\s,\]}]|$)")
_ANCHOR = re.compile(r"&(?<=[\s\[{,:]&)([^\s,\[\]{}]+)")
_ALIAS = re.compile(r"\*(?<=[\s\[{,:]\*)([^\s,\[\]{}]+)")

_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATES = re.compile(r"\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})")
_LONE = re.compile(r"\\u[dD][89a-fA-F][\da-fA-F]{2}")


def read(data: bytes, bounds: Bounds) -> Parsed:
    """The value of a YAML text in UTF-8, by the rules of YAML 1.2.

    Keys stay text as they are written (`200`, `true`, `null`), and so do dates, `NO` and numbers
    that JSON cannot write. Merge keys are applied. Of a repeated key the last value counts, of
    several documents the first that is not empty; both are reported.
    Raises UnreadableSpec with line and column, or UnsafeSpec.
    """
    text = data.decode()
    long = has_digits(data, _LONG) and _LONG_INT.search(text)
    value = _read_fast(text, bounds) if not long and _is_plain(text, bounds) else None
    return Parsed(value, "ryaml") if value is not None else _read_fully(text, bounds)


def _is_plain(text: str, bounds: Bounds) -> bool:
    """Whether ryaml is sure to read this text as promised, and within the bounds."""
    return (
        sum(map(text.count, ",[{:\n\r")) < bounds.limits.max_nodes
        and not any(pattern.search(text) for pattern in _ODD)
        and not _uses_aliases(text)
        and _is_shallow(text)
    )


def _is_shallow(text: str) -> bool:
    """Whether no flow collection is nested so deep that ryaml would take minutes to refuse it."""
    if text.count("[") + text.count("{") <= _LEVELS:
        return True
    parser = CParser(text)
    try:
        parser.raw_parse()  # without making a value or an event of anything
    except YAMLError:
        return False
    finally:
        parser.dispose()
    return True


def _uses_aliases(text: str) -> bool:
    anchors = {name.rstrip(":") for name in _ANCHOR.findall("\n" + text)}
    return bool(anchors) and not anchors.isdisjoint(n.rstrip(":") for n in _ALIAS.findall(text))


def _read_fast(text: str, bounds: Bounds) -> JSON | None:
    """ryaml's value with text keys, or None when the composer has to decide."""
    try:
        value = ryaml.loads(text)  # type: ignore[attr-defined]  # it lists no exports
    except ValueError:
        return None
    bounds.check(value)
    return value if _have_text_keys(value) else None


def _have_text_keys(value: JSON) -> bool:
    """Turn integer keys into text, in place; False when there is a key that ryaml has altered."""
    pending = [value]
    while pending:
        container = pending.pop()
        if isinstance(container, dict):
            if not _has_text_keys(container):
                return False
            pending.extend(container.values())
        elif isinstance(container, list):
            pending.extend(container)
    return True


def _has_text_keys(mapping: dict[JSON, JSON]) -> bool:
    kinds = set(map(type, mapping))
    if kinds - {str, int}:  # bool is a type of its own here
        return False
    if int in kinds:
        items = {str(key): item for key, item in mapping.items()}
        if len(items) < len(mapping):
            return False
        mapping.clear()
        mapping.update(items)
    return "<<" not in mapping and not any(key[:1] == "!" for key in mapping)


def _read_fully(text: str, bounds: Bounds) -> Parsed:
    composer, odd = _compose(text, bounds)
    return Parsed(composer.value, "libyaml", odd + tuple(composer.findings))


def _compose(
    text: str, bounds: Bounds, *, places: bool = False
) -> tuple[Composer, tuple[Finding, ...]]:
    """Compose a text; on an error once more, with the characters replaced that YAML forbids."""
    try:
        return Composer(text, bounds, places=places), ()
    except YAMLError as error:
        mended = _SURROGATES.sub(_join, _UNPRINTABLE.sub("\ufffd", text))
        mended = _LONE.sub(r"\\ufffd", mended)
        if mended == text:
            raise _refusal(text, bounds, error) from error
        line = _place(text, error)[0]
    try:
        composer = Composer(mended, bounds, places=places)
    except YAMLError as error:
        raise _refusal(mended, bounds, error) from error
    message = (
        "Characters that YAML forbids were replaced by U+FFFD, or joined to the one they mean."
    )
    return composer, (Finding("yaml-characters", message, line=line),)


def _join(pair: re.Match[str]) -> str:
    """One escape for what JSON writes as two."""
    units = bytes.fromhex(pair[1] + pair[2])
    return f"\\U{ord(units.decode('utf-16-be')):08X}"


def _refusal(text: str, bounds: Bounds, error: YAMLError) -> SpecError:
    line, column = _place(text, error)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", "it cannot be read"))
    if "nesting depth" in problem:  # libyaml stops at 1000 levels, and knows before it tells
        return bounds.too_deep()
    where = f"line {line}, column {column}"
    return UnreadableSpec(bounds.file, f"it is not valid YAML: {problem} ({where}).")


def _place(text: str, error: YAMLError) -> tuple[int, int]:
    """Line and column, from 1."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    offset = mark.index if mark else getattr(error, "position", 0)
    before = text[: max(offset, 0)]
    return Newlines(before).line(len(before)), len(before) - before.rfind("\n")


def yaml_lines(data: bytes) -> LineIndex:
    """Where the values of a YAML text are; raises SpecError when it takes too long."""
    limits = Limits()
    bounds = Bounds("", limits, Deadline.after(limits.parse_seconds))
    return _compose(data.decode(), bounds, places=True)[0]
