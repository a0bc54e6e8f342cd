"""Facets of a context: its APIs, kinds, methods, languages and tags, and what matches a choice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from core.model import Chunk, ContextChunk
from core.text.safe import markdown
from ui.shared.kinds import kind_of

MOST = 6  # values offered of one facet
Facet = tuple[str, str]  # what it is of, and its value

FACETS: Mapping[str, Callable[[Chunk], Iterable[str]]] = {
    "api": lambda chunk: [chunk.source_file],
    "kind": lambda chunk: [kind_of(chunk).name],
    "method": lambda chunk: [chunk.method] if chunk.method else [],
    "language": lambda chunk: [chunk.language] if chunk.language else [],
    "tag": lambda chunk: chunk.tags,
}


def chosen(items: Sequence[ContextChunk]) -> tuple[ContextChunk, ...]:
    """Draw the facets that distinguish these chunks; return the chunks that match the choice."""
    counts = counted(items)
    if not counts:
        return tuple(items)
    wanted = st.pills(
        "Only",
        list(counts),
        selection_mode="multi",
        key="facets",
        format_func=lambda facet: f"{_said(facet)} · {counts[facet]}",
        label_visibility="collapsed",
    )
    return matching(items, [facet for facet in wanted or () if facet in counts])


def counted(items: Sequence[ContextChunk]) -> dict[Facet, int]:
    """How many chunks have each value, most frequent first, without values that all have."""
    found: dict[Facet, int] = {}
    for name, values in FACETS.items():
        counts = Counter(value for item in items for value in values(item.chunk))
        ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        apart = [(value, count) for value, count in ordered if count < len(items)]
        found |= {(name, value): count for value, count in apart[:MOST]}
    return found


def matching(items: Sequence[ContextChunk], wanted: Iterable[Facet]) -> tuple[ContextChunk, ...]:
    """The chunks that have one of the wanted values of each facet that is wanted at all."""
    values: dict[str, set[str]] = defaultdict(set)
    for name, value in wanted:
        values[name].add(value)
    return tuple(
        item
        for item in items
        if all(any_of & set(FACETS[name](item.chunk)) for name, any_of in values.items())
    )


def _said(facet: Facet) -> str:
    name, value = facet
    return markdown(f"#{value}" if name == "tag" else value)
