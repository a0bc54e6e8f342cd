"""Names that a stakeholder understands, in place of ids, paths and identifiers."""

from __future__ import annotations

from collections.abc import Iterable

from core.model import Chunk, ChunkType
from core.text.safe import shortened
from core.text.words import parts

LONGEST = 60  # characters of a name


def said(chunk: Chunk) -> str:
    """`Create a user` for an operation with that summary, `create user request` for a schema."""
    if chunk.type.is_operation:
        return shortened(_summary(chunk) or spaced(chunk.operation_id) or chunk.label, LONGEST)
    if chunk.type is ChunkType.COMPONENT:
        return shortened(spaced(chunk.name) or chunk.label, LONGEST)
    return shortened(chunk.name or chunk.label, LONGEST)


def spaced(name: str) -> str:
    """The words of an identifier: `CreateUserRequest` → create user request; `OAuth` stays."""
    words = parts(name)
    if len(words) == 2 and len(words[0]) == 1:  # an abbreviation with one word
        return name
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def quoted(words: Iterable[str]) -> str:
    """`“how do I create” and “user”`."""
    *first, last = [f"“{word}”" for word in words] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def _summary(chunk: Chunk) -> str:
    """The first line of its text that is neither its path nor its id nor its tags."""
    own = {chunk.label, chunk.operation_id}
    lines = (line for line in chunk.text.splitlines() if line not in own)
    line = next(lines, "")
    return "" if line.startswith("tags: ") else line
