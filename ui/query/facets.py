"""Facets of a context: its sources, kinds, methods, languages, files and tags; what matches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from core.ids import file_of
from core.model import Chunk, ChunkType, ContextChunk
from core.text.safe import markdown
from ui.shared.kinds import kind_of

FILES = (ChunkType.DOCUMENT, ChunkType.CODE)  # of which there are many in a source
MOST = 6  # values offered of one facet
Facet = tuple[str, str]  # what it is of, and its value

LETTERS = 24  # of a value; the end of a path tells more than its beginning
Values = Callable[[Chunk], Iterable[str]]


def facets_of(source_of: Mapping[str, str]) -> Mapping[str, Values]:
    """What each facet says of a chunk; `source_of` has the homes of files that are parts of one."""
    return {
        "source": lambda chunk: [source_of.get(chunk.source_file, chunk.source_file)],
        "kind": lambda chunk: [kind_of(chunk).name],
        "method": lambda chunk: [chunk.method] if chunk.method else [],
        "language": lambda chunk: [chunk.language] if chunk.language else [],
        "file": lambda chunk: [file_of(chunk.id)] if chunk.type in FILES else [],
        "tag": lambda chunk: chunk.tags,
    }


def chosen(items: Sequence[ContextChunk], source_of: Mapping[str, str]) -> tuple[ContextChunk, ...]:
    """Draw the facets that distinguish these chunks; return the chunks that match the choice."""
    facets = facets_of(source_of)
    counts = counted(items, facets)
    if not counts:
        return tuple(items)
    names = {facet: shortened(facet) for facet in counts}
    cut = [f"`{name}` is {value}" for (_, value), name in names.items() if name != value]
    wanted = st.pills(
        "Only",
        list(counts),
        selection_mode="multi",
        key="facets",
        format_func=lambda facet: f"{_said(facet)} · {counts[facet]}",
        label_visibility="visible" if cut else "collapsed",
        help="\n\n".join(cut) or None,
    )
    return matching(items, [facet for facet in wanted or () if facet in counts], facets)


def counted(items: Sequence[ContextChunk], facets: Mapping[str, Values]) -> dict[Facet, int]:
    """How many chunks have each value, most frequent first, without values that all have."""
    found: dict[Facet, int] = {}
    for name, values in facets.items():
        counts = Counter(value for item in items for value in values(item.chunk))
        ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        apart = [(value, count) for value, count in ordered if count < len(items)]
        found |= {(name, value): count for value, count in apart[:MOST]}
    return found


def matching(
    items: Sequence[ContextChunk], wanted: Iterable[Facet], facets: Mapping[str, Values]
) -> tuple[ContextChunk, ...]:
    """The chunks that have one of the wanted values of each facet that is wanted at all."""
    values: dict[str, set[str]] = defaultdict(set)
    for name, value in wanted:
        values[name].add(value)
    return tuple(
        item
        for item in items
        if all(any_of & set(facets[name](item.chunk)) for name, any_of in values.items())
    )


def shortened(facet: Facet) -> str:
    """A value as a chip has it: of a path its last steps, as far as there is room."""
    name, value = facet
    if name != "file" or len(value) <= LETTERS:
        return value
    steps = value.split("/")
    fitting = (f"…/{'/'.join(steps[-n:])}" for n in range(len(steps) - 1, 0, -1))
    return next((end for end in fitting if len(end) <= LETTERS), f"…/{steps[-1]}")


def _said(facet: Facet) -> str:
    value = shortened(facet)
    return markdown(f"#{value}" if facet[0] == "tag" else value)
