"""Metrics of the final context, and of the stages on the way to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.evaluate.sets.gold import Gold
from core.evaluate.sets.labels import Element, api_of
from core.evaluate.sets.sample import Sample
from core.ids import element_of
from core.model import ContextChunk, KnowledgeContext


def elements_of(chunks: Iterable[ContextChunk]) -> tuple[str, ...]:
    """The elements of these chunks, each once, in order."""
    return tuple(dict.fromkeys(item.chunk.element for item in chunks))


def context_metrics(gold: Gold, context: KnowledgeContext) -> dict[str, float]:
    """`context.*` of one question with gold."""
    primary = elements_of(context.primary_chunks)
    everything = elements_of(context.chunks)
    wanted = len(gold.groups)
    found, direct = len(gold.found(everything)), len(gold.found(primary))
    scores = {
        "context.recall": found / wanted,
        "context.complete": float(found == wanted),
        "context.direct": direct / wanted,
        "context.by_reference": (found - direct) / wanted,
        "context.empty": float(not everything),
    }
    return scores | _dependencies(context) | _costs(gold, context, everything, found)


def _dependencies(context: KnowledgeContext) -> dict[str, float]:
    """Needs no labels: what the results need, whether they are right or not."""
    stats = context.retrieval_stats
    return {
        "context.dependencies_top": float(stats.complete_top),
        "context.dependencies_all": float(stats.complete_share == 1),
        "context.dependencies": stats.complete_share,
    }


def _costs(
    gold: Gold, context: KnowledgeContext, elements: Sequence[str], found: int
) -> dict[str, float]:
    """Undefined, so absent, when there is nothing to pay for."""
    if not elements:
        return {}
    scores = {
        "context.noise": 1 - len(_useful(gold, context)) / len(elements),
        "context.tokens": float(context.total_tokens),
        "context.chunks": float(len(context.chunks)),
    }
    return scores | ({"context.tokens_per_relevant": context.total_tokens / found} if found else {})


def _useful(gold: Gold, context: KnowledgeContext) -> set[str]:
    """Elements that are gold, siblings included, or that a gold one refers to, at any depth."""
    return {
        item.chunk.element
        for item in context.chunks
        if gold.elements & {item.chunk.element, *map(element_of, item.via)}
    }


def stage_metrics(
    sample: Sample,
    gold: Gold,
    context: KnowledgeContext,
    ranked: Sequence[str],
    elements: Mapping[str, Element],
) -> dict[str, float]:
    """`api.*`, `intent.*` and `filter.fallback_rate` of one question, where they are defined."""
    scores = {"filter.fallback_rate": float(context.retrieval_stats.fallback)}
    if sample.intent:
        hit = context.trace.understanding.intent == sample.intent
        scores["intent.accuracy"] = float(hit)
    if gold.groups:
        apis = list(dict.fromkeys(api_of(element, elements) for element in ranked))
        for k in (1, 3):
            scores[f"api.recall@{k}"] = _api_recall(gold, apis[:k], elements)
        if context.trace.apis:
            scores["api.chosen"] = _api_recall(gold, context.trace.apis, elements)
    return scores


def _api_recall(gold: Gold, apis: Collection[str], elements: Mapping[str, Element]) -> float:
    hits = sum(any(api_of(element, elements) in apis for element in group) for group in gold.groups)
    return hits / len(gold.groups)


def no_answer_metrics(context: KnowledgeContext) -> dict[str, float]:
    """`no_answer.*` of one question without gold."""
    return {
        "no_answer.accuracy": float(not context.primary_chunks),
        "no_answer.top_score": max((hit.score for hit in context.primary_chunks), default=0.0),
    }
