"""Count what a context consists of, and summarise it in the same sentence everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.model import ContextChunk, RetrievalStats
from core.text.plural import Write, counted, plainly


@dataclass(frozen=True, slots=True)
class Counts:
    """A context in numbers; each element is one chunk and is counted once per row."""

    results: int
    references: int  # chunks that the results refer to
    operations: int  # webhooks included
    schemas: int
    others: int  # parameters, responses, security schemes, …
    parts: int  # written inside these chunks; none of them is a chunk of its own
    tokens: int

    @property
    def chunks(self) -> int:
        return self.results + self.references


def counts(chunks: Sequence[ContextChunk], tokens: int) -> Counts:
    """Count the chunks of a context, by kind."""
    results = sum(item.is_primary for item in chunks)
    operations = sum(item.chunk.type.is_operation for item in chunks)
    schemas = sum(item.chunk.component_kind == "schemas" for item in chunks)
    return Counts(
        results=results,
        references=len(chunks) - results,
        operations=operations,
        schemas=schemas,
        others=len(chunks) - operations - schemas,
        parts=sum(len(item.included) for item in chunks),
        tokens=tokens,
    )


def sentence(made: Counts, stats: RetrievalStats, token_limit: int, write: Write = plainly) -> str:
    """`5 operations and 1 schema, 954 of 4,000 tokens; everything the results need is included`."""
    if not made.chunks:
        return "Nothing was found"
    spent = f"{write(made.tokens, 0)} of {counted(token_limit, 'token', write=write)}"
    return f"{kinds(made, write)}, {spent}; {whole(made, stats)}"


def kinds(made: Counts, write: Write = plainly) -> str:
    """`5 operations, 9 schemas and 1 other chunk`; kinds without any are omitted."""
    other = "other chunk" if made.operations + made.schemas else "chunk"
    there = ((made.operations, "operation"), (made.schemas, "schema"), (made.others, other))
    return listed([counted(count, noun, write=write) for count, noun in there if count])


def whole(made: Counts, stats: RetrievalStats) -> str:
    """Whether everything that the results need is included."""
    if stats.complete_share == 1:
        they = "result needs is" if made.results == 1 else "results need is"
        return f"everything the {they} included"
    if stats.complete_top:
        return "everything the first result needs is included"
    return "not everything the first result needs is included"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = words or ("nothing",)
    return f"{', '.join(first)} and {last}" if first else last


def milliseconds(value: float, write: Write = plainly) -> str:
    """`12 ms`; fractions vary too much to be shown."""
    return f"{write(value, 0)} ms" if value >= 1 or not value else "under 1 ms"
