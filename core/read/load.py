"""Turn the bytes of one file into a document, whatever format and encoding they are in."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Callable
from typing import TypeAlias

from core.deadline import Deadline
from core.errors import SpecError, UnreadableSpec, UnsafeSpec
from core.read.document import Document, Finding
from core.read.files.looks import looks_like, sniff
from core.read.limits import Limits
from core.read.pause import no_collection
from core.read.places import LineOf, Newlines
from core.read.syntax import json, yaml
from core.read.syntax.comments import first_comment, uncommented
from core.read.syntax.parsed import Bounds, Parsed

__all__ = ["Mend", "decoded", "lines_of", "looks_like", "parse"]

# What a kind of source makes of values that its rules read in another way than the syntax does.
Mend: TypeAlias = Callable[[Parsed, bytes, Bounds], Parsed]

_MARKS = (  # the longer first: the mark of UTF-16 begins that of UTF-32
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ZEROS = {  # which of the first bytes are zero, when the characters are ASCII (RFC 4627)
    "0001": "utf-32-be",
    "1000": "utf-32-le",
    "0101": "utf-16-be",
    "1010": "utf-16-le",
}


def parse(
    data: bytes, file: str, *, limits: Limits | None = None, mend: Mend | None = None
) -> Document:
    """The document in these bytes: JSON or YAML, told apart by content.

    Whatever is not an API description is a document too, as long as it can be read. `mend` is
    given the values with the text that they were read from.
    Raises UnreadableSpec (no text, or broken) or UnsafeSpec (beyond a bound).
    """
    limits = limits or Limits()
    if len(data) > limits.max_file_bytes:
        raise UnsafeSpec(
            file, f"it is larger than {limits.max_file_mb} MB (SPECLOUPE_MAX_FILE_MB)."
        )
    text, odd = decoded(data, file)
    if kind := sniff(data, text.decode()):
        raise UnreadableSpec(file, f"it looks like {kind}, not like an API description.")
    bounds = Bounds(file, limits, Deadline.after(limits.parse_seconds))
    with no_collection():
        parsed, text = _read(text, bounds)
        parsed = mend(parsed, text, bounds) if mend else parsed
    lines = yaml.yaml_lines if parsed.loader in ("ryaml", "libyaml") else json.JsonLines
    return Document(
        file=file,
        value=parsed.value,
        content_hash=hashlib.sha256(data).hexdigest(),
        size=len(data),
        loader=parsed.loader,
        line_of=LineOf(text, lines),
        findings=odd + parsed.findings,
    )


def decoded(data: bytes, file: str) -> tuple[bytes, tuple[Finding, ...]]:
    """The text as UTF-8 without a byte order mark; raises UnreadableSpec when there is none."""
    mark, encoding = next((m for m in _MARKS if data.startswith(m[0])), (b"", ""))
    body = data[len(mark) :]
    encoding = encoding or _ZEROS.get("".join("01"[byte > 0] for byte in body[:4]), "utf-8")
    try:
        text = body.decode(encoding)
        odd: tuple[Finding, ...] = ()
    except UnicodeDecodeError as error:
        text = body.decode(encoding, "replace")
        odd = (_wrong_bytes(body[: error.start].decode(encoding, "replace"), encoding),)
    if not text.strip():
        raise UnreadableSpec(file, "the file is empty.")
    return (text.encode() if encoding != "utf-8" or odd else body), odd


def lines_of(data: bytes, file: str) -> list[str]:
    """The lines of the text; raises as `decoded`."""
    return decoded(data, file)[0].decode().splitlines()


def _wrong_bytes(before: str, encoding: str) -> Finding:
    message = f"Invalid {encoding.upper()} bytes were replaced by U+FFFD."
    return Finding("encoding", message, line=Newlines(before).line(len(before)))


def _read(text: bytes, bounds: Bounds) -> tuple[Parsed, bytes]:
    """What the text says, and the text that its places are those of."""
    start = text.lstrip()[:2]
    if start[:1] not in (b"{", b"[") and start not in (b"/*", b"//"):
        return yaml.read(text, bounds), text
    try:
        return json.read(text, bounds), text
    except json.CutOff as error:
        if commented := _read_commented(text, bounds):
            return commented
        raise error from None
    except UnreadableSpec as error:
        return _read_commented(text, bounds) or (_read_as_yaml(text, bounds, error), text)


def _read_commented(text: bytes, bounds: Bounds) -> tuple[Parsed, bytes] | None:
    """JSON with comments in it; None where that is not what is wrong with the text."""
    plain = uncommented(text)
    if plain is None:
        return None
    line = Newlines(text.decode()).line(len(text[: first_comment(text)].decode()))
    try:
        parsed = json.read(plain, bounds)
    except UnreadableSpec as error:
        if text.lstrip()[:1] == b"{" and plain.lstrip()[1:].lstrip()[:1] != b'"':
            return None  # YAML, in which a path may be written /*
        reason = error.reason.removesuffix(".")
        raise UnreadableSpec(
            bounds.file, f"{reason}, also without its comments (the first is on line {line})."
        ) from None
    message = "JSON has no comments: they were left out, and so were commas before a bracket."
    found = Finding("json-syntax", message, line=line)
    return Parsed(parsed.value, parsed.loader, (found, *parsed.findings)), plain


def _read_as_yaml(text: bytes, bounds: Bounds, error: SpecError) -> Parsed:
    """What begins like JSON can be YAML: names without quotes, a comma too many."""
    try:
        parsed = yaml.read(text, bounds)
    except UnreadableSpec:
        raise error from None
    if text.lstrip()[1:].lstrip()[:1] != b'"':
        return parsed
    message = f"Not valid JSON; read as YAML instead: {error.reason}"
    return Parsed(parsed.value, parsed.loader, (Finding("json-syntax", message), *parsed.findings))
