"""Score one retrieved context against the labels of its question."""

from __future__ import annotations

from core.evaluate.results import Cause, ContextElement, Miss, SampleResult
from core.evaluate.score.context_metrics import (
    context_metrics,
    elements_of,
    no_answer_metrics,
    stage_metrics,
)
from core.evaluate.score.diagnose import diagnose
from core.evaluate.score.rank_metrics import rank_metrics
from core.evaluate.sets.gold import Gold, resolved
from core.evaluate.sets.labels import Labels, api_of
from core.evaluate.sets.sample import Sample
from core.ids import element_of
from core.model import ContextChunk, KnowledgeContext


def score(
    sample: Sample, context: KnowledgeContext, labels: Labels, *, milliseconds: float = 0.0
) -> SampleResult:
    """Everything that is measured of one question, except what ragas computes.

    The labels must exist (`lint.check`), or UnknownLabel is raised.
    """
    return Scoring(sample, labels).score(context, milliseconds=milliseconds)


class Scoring:
    """One question, scored for several contexts; raises UnknownLabel."""

    def __init__(self, sample: Sample, labels: Labels) -> None:
        self.sample, self.labels = sample, labels
        self.gold = resolved(sample, labels)
        self._by_ranking: dict[tuple[str, ...], dict[str, float]] = {}

    def score(self, context: KnowledgeContext, *, milliseconds: float = 0.0) -> SampleResult:
        """Everything that is measured, except what ragas computes."""
        sample, gold, labels = self.sample, self.gold, self.labels
        ranking = ranked_elements(context)
        ranked = tuple(element for element, _ in ranking)
        misses = diagnose(gold, context, ranked, labels.elements)
        metrics = stage_metrics(sample, gold, context, ranked, labels.elements)
        if gold.groups:
            metrics |= self._rank_metrics(ranked) | context_metrics(gold, context)
            metrics["filter.lost_gold"] = _lost_to_filter(misses) / len(gold.groups)
        else:
            metrics |= no_answer_metrics(context)
        return SampleResult(
            id=sample.id,
            query=sample.query,
            tags=sample.tags,
            intent=sample.intent,
            apis=_apis(sample, gold, labels),
            gold=gold.groups,
            ranked=ranking,
            context=_context(context),
            metrics=metrics,
            misses=misses,
            milliseconds=milliseconds,
            understood=str(context.trace.understanding.intent),
            notes=context.trace.notes,
            timed_out=context.retrieval_stats.timed_out,
            reference_ids=_references(gold, context),
            retrieved_ids=_retrieved(gold, context),
        )

    def _rank_metrics(self, ranked: tuple[str, ...]) -> dict[str, float]:
        """The same for every context of one ranking."""
        if ranked not in self._by_ranking:
            self._by_ranking[ranked] = rank_metrics(self.gold, ranked)
        return self._by_ranking[ranked]


def ranked_elements(context: KnowledgeContext) -> tuple[tuple[str, float], ...]:
    """The candidates as elements, best first: parts collapsed to their element at its best rank."""
    best: dict[str, float] = {}
    for hit in context.trace.hits:
        best.setdefault(element_of(hit.chunk_id), hit.score)
    return tuple(best.items())


def _context(context: KnowledgeContext) -> tuple[ContextElement, ...]:
    """One entry a chunk; several chunks of one element follow each other as they stand."""
    return tuple(map(_entry, context.chunks))


def _entry(item: ContextChunk) -> ContextElement:
    element, level, shares = item.chunk.element, str(item.level), dict(item.shares)
    return ContextElement(element, item.rank, item.depth, level, item.tokens, shares)


def _lost_to_filter(misses: tuple[Miss, ...]) -> int:
    return sum(miss.cause is Cause.FILTERED_OUT for miss in misses)


def _apis(sample: Sample, gold: Gold, labels: Labels) -> tuple[str, ...]:
    found = {api_of(element, labels.elements) for element in gold.elements}
    return tuple(sorted(found)) or sample.apis


def _references(gold: Gold, context: KnowledgeContext) -> tuple[str, ...]:
    """One element for each group, which is what ragas can compare: the found one, or the first."""
    found = gold.found(elements_of(context.chunks))
    members = (found.get(number, group[0]) for number, group in enumerate(gold.groups))
    return tuple(dict.fromkeys(members))


def _retrieved(gold: Gold, context: KnowledgeContext) -> tuple[str, ...]:
    """The context's elements without the siblings of the ones that count."""
    siblings = gold.elements - set(_references(gold, context))
    return tuple(e for e in elements_of(context.chunks) if e not in siblings)
