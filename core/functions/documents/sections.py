"""A context of the pipeline as an assembled one: the same chunks, by how much they count."""

from __future__ import annotations

from core.functions.documents.assembled import (
    BETWEEN,
    RELEVANCE,
    AssembledContext,
    ContextSection,
    section_of,
    written,
)
from core.functions.results import RetrievalResult, result_of
from core.model import ChunkType, ContextChunk, KnowledgeContext, Level
from core.present import section
from core.reasons import Cut

_LIMITS = frozenset({Cut.CHUNK_LIMIT, Cut.TOKEN_LIMIT, Cut.TIMEOUT})


def in_sections(
    context: KnowledgeContext, *, rendering: str = Level.COMPACT, include_metadata: bool = True
) -> AssembledContext:
    """What is in the context, as Primary, Supporting and Historical sections.

    Nothing is cut here: the pipeline has chosen within the limits. `rendering` is the level that
    was wanted: a chunk that is written in a shorter form counts as truncated.
    """
    texts: dict[str, list[str]] = {title: [] for title in RELEVANCE}
    for item in context.chunks:
        result = _result(item)
        texts[section_of(result)].append(_text(item, result, include_metadata))
    sections = tuple(
        ContextSection(title, BETWEEN.join(said), RELEVANCE[title])
        for title, said in texts.items()
        if said
    )
    out = sum(left.cut in _LIMITS for left in context.trace.left_out)
    is_cut = bool(_LIMITS.intersection(context.retrieval_stats.limits_hit)) or any(
        item.level not in (rendering, Level.JSON) for item in context.chunks
    )
    return AssembledContext(context.query, sections, len(context.chunks) + out, is_cut)


def _result(item: ContextChunk) -> RetrievalResult:
    relation = None if item.is_primary else (item.used[0] if item.used else "")
    return result_of(item.chunk, item.text, item.score, distance=item.depth, relation=relation)


def _text(item: ContextChunk, result: RetrievalResult, include_metadata: bool) -> str:
    """Documents have heads of their own; anything else is written as in the Markdown."""
    if item.chunk.type is ChunkType.DOCUMENT or not include_metadata:
        return written(result, item.text, include_metadata)
    return section(item)
