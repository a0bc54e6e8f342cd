"""How a context is written out: Markdown or messages for a language model, plain JSON values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from core.ids import Id, file_of
from core.model import JSON, Chunk, ContextChunk, KnowledgeContext, Level
from core.text.safe import terminal

_OPENING = {
    Level.JSON: "```json\n",
    Level.COMPACT: "```\n",
    Level.SIGNATURE: "```signature\n",
    Level.ID: "",
}
_CLOSING = "```\n"


_TITLE = 60  # characters of an API's title
_KEPT = 16_384  # names and titles: the same come with many questions
_LOST = 1e-9  # what a division of decimals may lose

SYSTEM = "Answer from the API documentation below. Say so if it does not contain the answer."


class Section(StrEnum):
    """Where in the Markdown a chunk stands; the sections' order."""

    PRIMARY = "Primary"  # what answers the question
    SUPPORTING = "Supporting"  # what that refers to
    HISTORICAL = "Historical"  # deprecated or superseded, whatever it is


def to_markdown(context: KnowledgeContext) -> str:
    """Contents, then a section for each kind of chunk; its tokens are the `total_tokens`."""
    return markdown(context.chunks)


def to_messages(context: KnowledgeContext) -> list[dict[str, str]]:
    """A chat: the documentation from the system, the question from the user.

    `SYSTEM` and the question come on top of the context's tokens.
    """
    return [
        {"role": "system", "content": f"{SYSTEM}\n\n{to_markdown(context)}"},
        {"role": "user", "content": context.query},
    ]


def markdown(chunks: Sequence[ContextChunk]) -> str:
    """These chunks by section, in their order, with a table of contents before them.

    Every line of it that is no rendering begins with a non-blank and ends with a newline, and so
    does every rendering. So token counts add up, in whatever order: the encodings never join a
    newline with a non-blank that follows it.
    """
    placed = [(section_of(item.chunk, is_primary=item.is_primary), item) for item in chunks]
    groups = {name: [item for at, item in placed if at is name] for name in Section}
    groups = {name: items for name, items in groups.items() if items}
    listed = (f"{name}\n{''.join(map(entry, items))}" for name, items in groups.items())
    told = (f"# {name}\n{''.join(map(section, items))}" for name, items in groups.items())
    return "".join([_CONTENTS, *listed, *told]) if groups else ""


_CONTENTS = "# Contents\n"


def frame(sections: Collection[Section]) -> str:
    """What the Markdown holds besides the chunks' own lines, when it has these sections."""
    return "".join([_CONTENTS, *(f"{name}\n# {name}\n" for name in sections)]) if sections else ""


def section_of(chunk: Chunk, *, is_primary: bool) -> Section:
    if chunk.deprecated:
        return Section.HISTORICAL
    return Section.PRIMARY if is_primary else Section.SUPPORTING


def section(item: ContextChunk) -> str:
    """One element's own section of the Markdown, without its line in the contents."""
    parts = held(Id.parse(id).part for id in item.included)
    return heading(item) + parts + written(item.text, item.level)


def entry(item: ContextChunk) -> str:
    """A chunk's line in the contents."""
    return f"- {_line(item.chunk.label)}\n"


def heading(item: ContextChunk) -> str:
    """Which chunk it is, of which API, and why it is here; the same at every level."""
    same = f"; the same in {', '.join(map(file_of, item.equals))}" if item.equals else ""
    return f"## {item.chunk.id}\n{_source(item.chunk)}: {_reason(item)}{same}\n"


def held(parts: Iterable[str]) -> str:
    """The line that names the parts of an element which are written in it; "" for none."""
    names = ", ".join(parts)
    return f"with {_line(names)}\n" if names else ""


def _source(chunk: Chunk) -> str:
    return _line(f"{chunk.api_title[:_TITLE]} {chunk.api_version}") or chunk.source_file


def _reason(item: ContextChunk) -> str:
    if item.is_primary:
        return f"result {item.rank}, score {item.score:.2f}"
    last = Id.parse(item.via[-1])
    owner = last.local if last.file == file_of(item.chunk.id) else item.via[-1]
    return f"{_line(', '.join(item.used)) or 'used'} of {owner}"


@lru_cache(_KEPT)
def _line(text: str) -> str:
    return terminal(" ".join(text.split()))  # a name may hold a newline


def written(text: str, level: Level) -> str:
    """A rendering as it stands in the Markdown, in a fence that says what form it has."""
    opening, closing = fence(level)
    return f"{opening}{text}{closing}" if opening else ""


def fence(level: Level) -> tuple[str, str]:
    """What stands before and after a rendering of this level; an id alone has neither."""
    opening = _OPENING[level]
    return opening, _CLOSING if opening else ""


def rounded_down(score: float, step: float) -> float:
    """To a multiple of `step`: a score that is too low must not look like the minimum."""
    return round(math.floor(score / step + _LOST) * step, 6)


def to_pipeline(context: KnowledgeContext) -> dict[str, JSON]:
    """What the last of three stages gives: the results, what they lead to, and two figures."""
    return {
        "primary_chunks": [_plain(item) for item in context.primary_chunks],
        "resolved_context": [_plain(item) for item in context.referenced_chunks],
        "total_chunks": len(context.chunks),
        "traversal_depth": context.retrieval_stats.traversal_depth,
    }


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
