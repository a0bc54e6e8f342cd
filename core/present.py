"""How a context is written out: Markdown for a language model, plain JSON values for a program."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import StrEnum

from core.model import JSON, Chunk, ContextChunk, KnowledgeContext, Level

_OPENING = {
    Level.JSON: "```json\n",
    Level.COMPACT: "```\n",
    Level.SIGNATURE: "```signature\n",
    Level.ID: "",
}
_CLOSING = "```\n"


def to_markdown(context: KnowledgeContext) -> str:
    """One section a chunk, primaries first; its tokens are the context's `total_tokens`."""
    return "".join(map(section, context.chunks))


def section(item: ContextChunk) -> str:
    """One chunk's section.

    It begins with `#` and ends with a newline, so that token counts add up: the encodings never
    join a newline with a non-blank that follows it.
    """
    return heading(item) + written(item.text, item.level)


def heading(item: ContextChunk) -> str:
    """Which chunk it is and why it is here, the same at every level."""
    return f"## {item.chunk.id}\n{_reason(item)}\n"


def _reason(item: ContextChunk) -> str:
    if item.is_primary:
        return f"result {item.rank}, score {item.score:.2f}"
    places = " ".join(", ".join(item.used).split()) or "used"  # a name may hold a newline
    file, _, element = item.via[-1].partition(":")
    return f"{places} of {element if item.chunk.id.startswith(f'{file}:') else item.via[-1]}"


def written(text: str, level: Level) -> str:
    """A rendering as it stands in the Markdown, in a fence that says what form it has."""
    opening, closing = fence(level)
    return f"{opening}{text}{closing}" if opening else ""


def fence(level: Level) -> tuple[str, str]:
    """What stands before and after a rendering of this level; an id alone has neither."""
    opening = _OPENING[level]
    return opening, _CLOSING if opening else ""


def to_dict(value: object) -> dict[str, JSON]:
    """A frozen value of `core.model` as plain JSON values; fields keep their names and order."""
    plain = _plain(value)
    assert isinstance(plain, dict)
    return plain


def _plain(value: object) -> JSON:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {**fields, "label": value.label} if isinstance(value, Chunk) else fields
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
