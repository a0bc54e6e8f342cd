"""What an element says of itself, field by field, and what of it is matched without a field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.model import Chunk, ChunkType, Level

SUMMARY, DESCRIPTION, PARAMETERS, PROPERTIES = "summary", "description", "parameters", "properties"
SCHEMAS = "schemas"

_PARAMETER = re.compile(r"^([\w.\[\]$-]+)\*?: .*\((?:query|path|header|cookie)\)")
_BARE = "parameters: "  # those of which nothing but the name is told
_LISTS = ("properties: ", "values: ")
_TAGS = "tags: "
_NAMED = 8  # of a list that are asked for at most


@dataclass(frozen=True, slots=True)
class Audited:
    """An operation, a webhook operation or a schema, as its own chunk tells it."""

    row: int
    chunk: Chunk  # without its references
    summary: str = ""
    description: str = ""
    names: tuple[str, ...] = ()  # of parameters, or of properties

    @property
    def is_schema(self) -> bool:
        return self.chunk.type is ChunkType.COMPONENT

    @property
    def kind(self) -> str:
        return "schema" if self.is_schema else self.chunk.type.value

    @property
    def is_documented(self) -> bool:
        return bool(self.summary or self.description)

    @property
    def size(self) -> int:
        """Tokens, written in full."""
        return self.chunk.token_count.get(Level.COMPACT, 0)

    def without(self, field: str) -> str:
        """The text that is matched, as if a field had never been written.

        The same words stay where other fields have them.
        """
        left_out = {SUMMARY: self.summary, DESCRIPTION: self.description}.get(field, "")
        lines = self.chunk.text.split("\n")
        kept = [line for line in lines if line != left_out]
        if field == PROPERTIES:
            kept = [line for line in kept if not line.startswith(_LISTS)]
        return (
            "\n".join(line.replace(left_out, " ") for line in kept) if left_out else "\n".join(kept)
        )


def is_audited(chunk: Chunk) -> bool:
    """Whether a chunk stands for an operation or a schema."""
    return not chunk.part and (chunk.type.is_operation or chunk.component_kind == SCHEMAS)


def audited(row: int, chunk: Chunk, compact: str) -> Audited:
    """What an element says; `compact` is its text at that level, which tells parameters."""
    prose = list(_prose(chunk))
    if chunk.type is ChunkType.COMPONENT:
        return Audited(row, chunk, "", " ".join(prose), tuple(_properties(chunk)))
    has_summary = len(prose) > 1 or (prose and f" — {prose[0]}" in compact.partition("\n")[0])
    summary = prose.pop(0) if has_summary else ""
    return Audited(row, chunk, summary, " ".join(prose), tuple(_parameters(compact)))


def _prose(chunk: Chunk) -> Iterator[str]:
    """What people wrote: the lines between the names and the lists."""
    for line in chunk.text.split("\n")[1:]:
        if line != chunk.operation_id and not line.startswith((*_LISTS, _TAGS)):
            yield line


def _properties(chunk: Chunk) -> list[str]:
    listed = (line for line in chunk.text.split("\n") if line.startswith(_LISTS[0]))
    names = next(listed, "").removeprefix(_LISTS[0]).removesuffix("…")
    return list(filter(None, names.split(", ")))[:_NAMED]


def _parameters(compact: str) -> list[str]:
    found: list[str] = []
    for line in compact.split("\n")[1:]:
        if named := _PARAMETER.match(line):
            found.append(named.group(1))
        elif line.startswith(_BARE):
            found += line.removeprefix(_BARE).split(", ")
    return found[:_NAMED]
