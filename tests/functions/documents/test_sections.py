"""A context of the pipeline as sections: nothing is lost, and nothing is said twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.context_example import example

from core.functions.documents.assembled import HISTORICAL, PRIMARY, SUPPORTING
from core.functions.documents.sections import in_sections
from core.model import ChunkType, Level
from core.reasons import Cut


def test_results_are_primary_and_what_they_refer_to_supports() -> None:
    context = example()
    found = in_sections(context)
    primary, supporting = found.sections
    assert (primary.title, supporting.title) == (PRIMARY, SUPPORTING)
    for item in context.primary_chunks:
        assert f"## {item.chunk.id}\n" in primary.content
    for item in context.referenced_chunks:
        assert f"## {item.chunk.id}\n" in supporting.content
    assert (found.query, found.total_results) == (context.query, len(context.chunks) + limited())


def limited() -> int:
    cuts = (Cut.CHUNK_LIMIT, Cut.TOKEN_LIMIT, Cut.TIMEOUT)
    return sum(left.cut in cuts for left in example().trace.left_out)


def test_documents_have_heads_of_their_own_and_superseded_ones_are_history() -> None:
    context = example()
    first = context.primary_chunks[0]
    chunk = replace(
        first.chunk, type=ChunkType.DOCUMENT, component_kind="design", status="superseded"
    )
    changed = replace(context, primary_chunks=(replace(first, chunk=chunk),), referenced_chunks=())
    (section,) = in_sections(changed).sections
    assert section.title == HISTORICAL
    assert section.content.startswith(f"### {chunk.label}\nComponent: ")
    (bare,) = in_sections(changed, include_metadata=False).sections
    assert bare.content == first.text.rstrip("\n") + "\n"


@pytest.mark.parametrize(
    ("used", "depth", "relevance"),
    [
        ("IMPLEMENTS", 1, "0.50"),
        ("← SATISFIES", 1, "0.45"),
        ("REFERENCES", 2, "0.23"),
        ("part", 1, "0.50"),
    ],
)
def test_what_the_graph_led_to_has_the_score_of_the_way(
    used: str, depth: int, relevance: str
) -> None:
    """It was no result of the search, so it has no score of that."""
    context = example()
    first = context.primary_chunks[0]
    chunk = replace(first.chunk, type=ChunkType.DOCUMENT, component_kind="design")
    item = replace(first, chunk=chunk, rank=0, score=0.0, depth=depth, used=(used,))
    (section,) = in_sections(
        replace(context, primary_chunks=(), referenced_chunks=(item,))
    ).sections
    assert section.title == SUPPORTING
    assert f"\nRelevance: {relevance}\n" in section.content


def test_a_limit_and_a_shorter_form_count_as_truncated() -> None:
    context = example()
    whole = tuple(replace(item, level=Level.COMPACT) for item in context.primary_chunks)
    stats = replace(context.retrieval_stats, limits_hit=())
    context = replace(context, primary_chunks=whole, referenced_chunks=(), retrieval_stats=stats)
    assert not in_sections(context).truncated
    hit = replace(context, retrieval_stats=replace(stats, limits_hit=(Cut.TOKEN_LIMIT,)))
    assert in_sections(hit).truncated
    short = tuple(replace(item, level=Level.SIGNATURE) for item in whole)
    assert in_sections(replace(context, primary_chunks=short)).truncated
    assert not in_sections(
        replace(context, primary_chunks=short), rendering=Level.SIGNATURE
    ).truncated
