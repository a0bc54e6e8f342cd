"""A context of the pipeline as an assembled one: the same chunks, by how much they count."""

from __future__ import annotations

from collections.abc import Mapping

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
from core.retrieve.follow.related_documents import INVERSE, weights_of
from core.settings import Settings

_LIMITS = frozenset({Cut.CHUNK_LIMIT, Cut.TOKEN_LIMIT, Cut.TIMEOUT})


def in_sections(
    context: KnowledgeContext,
    *,
    rendering: str = Level.COMPACT,
    include_metadata: bool = True,
    settings: Settings | None = None,
) -> AssembledContext:
    """What is in the context, as Primary, Supporting and Historical sections.

    Nothing is cut here: the pipeline has chosen within the limits. `rendering` is the level that
    was wanted: a chunk that is written in a shorter form counts as truncated. The weights of
    relations are those of `settings`.
    """
    weights = weights_of(settings or Settings())
    texts: dict[str, list[str]] = {title: [] for title in RELEVANCE}
    for item in context.chunks:
        result = _result(item, weights)
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


def _result(item: ContextChunk, weights: Mapping[str, float]) -> RetrievalResult:
    """The search gave no score to what references lead to: theirs is that of the way."""
    if item.is_primary:
        return result_of(item.chunk, item.text, item.score)
    relation = item.used[0] if item.used else ""
    score = weights.get(relation.removeprefix(INVERSE), 1.0) / (1 + item.depth)
    return result_of(item.chunk, item.text, score, distance=item.depth, relation=relation)


def _text(item: ContextChunk, result: RetrievalResult, include_metadata: bool) -> str:
    """Documents have heads of their own; anything else is written as in the Markdown."""
    if item.chunk.type is ChunkType.DOCUMENT or not include_metadata:
        return written(result, item.text, include_metadata)
    return section(item)
