"""Read a document: front matter, title, and its text cut at the headings."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Callable
from dataclasses import dataclass

from core.errors import UnreadableSpec, UnsafeSpec
from core.read.document import Document
from core.read.limits import MB, Limits
from core.read.load import decoded
from core.sources.documents.front import Front, front_of
from core.sources.documents.outline import Outline, outline

ENDINGS = (".md", ".markdown", ".txt")
_LARGEST = 5  # MB; nobody reads more than that


@dataclass(frozen=True, slots=True)
class Text:
    """The value of a document."""

    front: Front
    title: str  # what it calls itself: in its front matter, in its first heading, by its name
    outline: Outline


def parse(data: bytes, file: str, *, limits: Limits) -> Document:
    """The document in these bytes, whose value is a `Text`.

    Front matter that cannot be read is a finding. Raises UnreadableSpec for what is empty or no
    text, and UnsafeSpec beyond a bound.
    """
    largest = min(limits.max_file_bytes, _LARGEST * MB)
    if len(data) > largest:
        raise UnsafeSpec(file, f"it is larger than {largest // MB} MB, too large for a document.")
    said, odd = decoded(data, file)
    text = said.decode()
    if "\x00" in text:
        raise UnreadableSpec(file, "it looks like a binary file, not like a document.")
    front, findings = front_of(text.splitlines(), file, limits)
    read = outline(text, skip=front.lines, is_plain=file.lower().endswith(".txt"))
    title = front.title or read.title or posixpath.splitext(posixpath.basename(file))[0]
    return Document(
        file=file,
        value=Text(front, title, read),
        content_hash=hashlib.sha256(data).hexdigest(),
        size=len(data),
        loader="text" if file.lower().endswith(".txt") else "markdown",
        line_of=_line_of(read),
        findings=(*odd, *findings),
    )


def _line_of(read: Outline) -> Callable[[str], int]:
    """A section's anchor → its line."""
    lines = {section.slug: section.line for section in (read.opening, *read.sections)}
    return lambda anchor: lines.get(anchor.removeprefix("/"), 1)
