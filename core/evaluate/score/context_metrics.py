"""Metrics of the final context, and of the stages on the way to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.evaluate.sets.gold import Gold
from core.evaluate.sets.labels import Element, api_of
from core.evaluate.sets.sample import Sample
from core.ids import element_of
from core.model import Consulted, ContextChunk, KnowledgeContext
from core.retrieve.follow.necessary import Completeness


def elements_of(chunks: Iterable[ContextChunk]) -> tuple[str, ...]:
    """The elements of these chunks, each once, in order."""
    return tuple(dict.fromkeys(item.chunk.element for item in chunks))


@dataclass(frozen=True, slots=True)
class Inside:
    """What is in a context, as far as its metrics go by it."""

    direct: Sequence[str]  # elements of the results, each once
    followed: Sequence[tuple[str, Sequence[str]]]  # elements, and the chunk ids on the way to each
    chunks: int
    tokens: int
    complete: Completeness
    references: int = 0  # that were followed, in the context or not
    depth: int = 0  # of the farthest of them in the context

    @classmethod
    def of(cls, context: KnowledgeContext) -> Inside:
        stats = context.retrieval_stats
        return cls(
            elements_of(context.primary_chunks),
            [(item.chunk.element, item.via) for item in context.referenced_chunks],
            len(context.chunks),
            context.total_tokens,
            Completeness(
                stats.necessary, stats.necessary_missing, stats.complete_top, stats.complete_share
            ),
            stats.references_followed,
            stats.traversal_depth,
        )

    @property
    def elements(self) -> tuple[str, ...]:
        """Each once, in order."""
        return tuple(dict.fromkeys((*self.direct, *(element for element, _ in self.followed))))


def context_metrics(gold: Gold, inside: Inside) -> dict[str, float]:
    """`context.*` and `refs.*` of one question with gold."""
    everything = inside.elements
    wanted = len(gold.groups)
    found, direct = len(gold.found(everything)), len(gold.found(inside.direct))
    scores = {
        "context.recall": found / wanted,
        "context.complete": float(found == wanted),
        "context.direct": direct / wanted,
        "context.by_reference": (found - direct) / wanted,
        "context.empty": float(not everything),
        **_dependencies(inside.complete),
    }
    return scores | (_costs(gold, inside, len(everything), found) if everything else {})


def _dependencies(complete: Completeness) -> dict[str, float]:
    """Needs no labels: what the results need, whether they are right or not."""
    return {
        "context.dependencies_top": float(complete.top),
        "context.dependencies_all": float(complete.share == 1),
        "context.dependencies": complete.share,
    }


def _costs(gold: Gold, inside: Inside, elements: int, found: int) -> dict[str, float]:
    """Undefined, so absent, when there is nothing to pay for."""
    scores = {
        "context.noise": 1 - len(_useful(gold, inside)) / elements,
        "context.tokens": float(inside.tokens),
        "context.chunks": float(inside.chunks),
        "refs.followed": float(inside.references),
        "refs.depth": float(inside.depth),
    }
    return scores | ({"context.tokens_per_relevant": inside.tokens / found} if found else {})


def _useful(gold: Gold, inside: Inside) -> set[str]:
    """Elements that are gold, siblings included, or that a gold one refers to, at any depth."""
    wanted = gold.elements
    direct = {element for element in inside.direct if element in wanted}
    return direct | {
        element
        for element, via in inside.followed
        if element in wanted or any(element_of(id) in wanted for id in via)
    }


def stage_metrics(
    sample: Sample,
    gold: Gold,
    *,
    intent: str,
    fallback: bool,
    chosen: Collection[str],
    ranked: Sequence[str],
    elements: Mapping[str, Element],
) -> dict[str, float]:
    """`api.*`, `intent.*` and `filter.fallback_rate` of one question, where they are defined.

    `intent` is the one understood, `chosen` the APIs that were.
    """
    scores = {"filter.fallback_rate": float(fallback)}
    if sample.intent:
        scores["intent.accuracy"] = float(intent == sample.intent)
    if gold.groups:
        apis = list(dict.fromkeys(api_of(element, elements) for element in ranked))
        for k in (1, 3):
            scores[f"api.recall@{k}"] = _api_recall(gold, apis[:k], elements)
        if chosen:
            scores["api.chosen"] = _api_recall(gold, chosen, elements)
            scores["api.precision"] = _api_precision(gold, chosen, elements)
    return scores


def _api_recall(gold: Gold, apis: Collection[str], elements: Mapping[str, Element]) -> float:
    hits = sum(any(api_of(element, elements) in apis for element in group) for group in gold.groups)
    return hits / len(gold.groups)


def _api_precision(gold: Gold, apis: Collection[str], elements: Mapping[str, Element]) -> float:
    hold = {api_of(element, elements) for element in gold.elements}
    return sum(api in hold for api in apis) / len(apis)


_KEPT = {"choose_apis": "api.cache_hit_rate", "expand": "expansion.cache_hit_rate"}


def cost_metrics(calls: Sequence[Consulted]) -> dict[str, float]:
    """`cost.*` of one question, and what of it was known; none where no model was asked."""
    if not calls:
        return {}
    return {
        "cost.tokens_in": float(sum(call.tokens_in for call in calls)),
        "cost.tokens_out": float(sum(call.tokens_out for call in calls)),
        "cost.usd": sum(call.usd for call in calls),
        "cost.model_ms": sum(call.milliseconds for call in calls),
        "cost.kept": sum(call.is_kept for call in calls) / len(calls),
        "cost.failed": sum(bool(call.failure) for call in calls) / len(calls),
        **{_KEPT[call.stage]: float(call.is_kept) for call in calls if call.stage in _KEPT},
    }


def no_answer_metrics(scores: Collection[float]) -> dict[str, float]:
    """`no_answer.*` of one question without gold, from the scores of its results."""
    return {
        "no_answer.accuracy": float(not scores),
        "no_answer.top_score": max(scores, default=0.0),
    }
