"""Read the bytes of a source file: what may be kept of them, and what they hold."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator

from core.errors import NotSource
from core.read.document import Document, Finding
from core.read.limits import Limits
from core.sources.code.languages import grammar_of
from core.sources.code.outline import Outline, outline
from core.sources.code.secrets import SECRET, redacted

MAX_BYTES = 1_000_000
_LINE = 2_000  # characters that no one writes in a line
_DENSE = 300  # characters a line, on average: nobody wrote that
_SMALL = 3_000  # characters that may stand in a few lines
_GENERATED = re.compile(
    r"^[^\w\n]{0,6}(?:@generated\b|(?:code |auto-?)?generated (?:by|from|code|file)\b.*|"
    r"this (?:file|code) (?:is|was) (?:auto(?:matically)?[- ]?)?generated\b.*|"
    r".*\bdo not (?:edit|modify)\b)",
    re.I | re.M,
)
_HEAD = 1_500  # characters in which a file says that it was generated
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def kept(data: bytes, file: str) -> bytes:
    """The same bytes without a secret, in their encoding; raises NotSource for what is left out."""
    text, encoding = _decoded(data, file)
    cleaned, _ = redacted(text)
    return data if cleaned == text else cleaned.encode(encoding, "surrogateescape")


def parse(data: bytes, file: str, *, limits: Limits) -> Document:
    """The outline of a source file, whose secrets are replaced, as the value of a document."""
    text, encoding = _decoded(data, file)
    found = outline(file, _with_plain_ends(redacted(text)[0]))
    return Document(
        file=file,
        value=found,
        content_hash=hashlib.blake2b(data, digest_size=16).hexdigest(),
        size=len(data),
        loader="tree-sitter" if grammar_of(file, text) else "lines",
        line_of=lambda pointer: 0,
        findings=tuple(_findings(found, encoding)),
    )


def lines_of(data: bytes, file: str) -> list[str]:
    """The lines of a source file as `Outline` counts them; an empty file has one."""
    return _with_plain_ends(_decoded(data, file)[0]).split("\n")


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes, file: str) -> tuple[str, str]:
    """The text and its encoding; raises NotSource for what is no text, or nobody's."""
    if len(data) > MAX_BYTES:
        raise NotSource(file, "it is larger than 1 MB.")
    encoding = _encoding(data)
    if encoding[:6] != "utf-16" and b"\0" in data:
        raise NotSource(file, "it is not text: it holds null bytes.")
    text = _as(encoding, data)
    if text is None:
        text, encoding = data.decode("latin-1"), "latin-1"
    if _is_minified(text):
        raise NotSource(file, "it looks minified: its lines are longer than people write.")
    return text, encoding


def _as(encoding: str, data: bytes) -> str | None:
    """The text in an encoding; None where it is none of these, or would not come out as it went in
    (`coding: idna`, `unicode_escape`)."""
    try:
        text = data.decode(encoding)
        is_whole = encoding in ("utf-8", "utf-8-sig", "utf-16") or text.encode(encoding) == data
    except (UnicodeError, LookupError):
        return None
    return text if is_whole else None


def _encoding(data: bytes) -> str:
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    for line in data.split(b"\n", 2)[:2]:
        if found := _COOKIE.match(line):
            return found[1].decode("ascii")
    return "utf-8"


def _is_minified(text: str) -> bool:
    """Whether a machine left out the line breaks; one long line among many is none of that."""
    if len(text) < _SMALL:
        return False
    lines = text.split("\n")
    longest = sum(len(line) for line in lines if len(line) > _LINE)
    return len(text) / len(lines) > _DENSE or longest > len(text) / 2


def _findings(found: Outline, encoding: str) -> Iterator[Finding]:
    if secrets := found.text.count(SECRET):
        yield Finding("secret", f"{secrets} places looked like secrets and were not stored.")
    if encoding not in ("utf-8", "utf-8-sig"):
        yield Finding("encoding", f"It is not UTF-8 and was read as {encoding}.")
    if mark := _GENERATED.search(found.text[:_HEAD]):
        yield Finding(
            "generated", "It says that a program wrote it.", line=_line(found, mark.start())
        )
    if lines := found.error_lines:
        more = f", and in {len(lines) - 1} more places" if len(lines) > 1 else ""
        yield Finding(
            "syntax",
            f"The grammar of {found.language} could not follow it here{more}.",
            line=lines[0],
        )


def _line(found: Outline, at: int) -> int:
    return found.text.count("\n", 0, at) + 1
