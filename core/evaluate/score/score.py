"""Score one retrieved context against the labels of its question."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from core.evaluate.measures import TIMED
from core.evaluate.results import Cause, ContextElement, Miss, SampleResult
from core.evaluate.score.context_metrics import (
    Inside,
    context_metrics,
    cost_metrics,
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
from core.model import ContextChunk, Hit, KnowledgeContext


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

    @property
    def apis(self) -> tuple[str, ...]:
        """File ids of the gold, else as labelled."""
        return _apis(self.sample, self.gold, self.labels)

    def score(self, context: KnowledgeContext, *, milliseconds: float = 0.0) -> SampleResult:
        """Everything that is measured, except what ragas computes."""
        sample, gold, labels = self.sample, self.gold, self.labels
        ranking = ranked_elements(context)
        ranked = tuple(element for element, _ in ranking)
        misses = diagnose(gold, context, ranked, labels.elements)
        metrics = self.before_context(
            ranked,
            intent=str(context.trace.understanding.intent),
            fallback=context.retrieval_stats.fallback,
            chosen=context.trace.apis,
        )
        metrics |= cost_metrics(context.trace.consulted)
        metrics |= self.of_context(Inside.of(context), [c.score for c in context.primary_chunks])
        if gold.groups:
            metrics["filter.lost_gold"] = _lost_to_filter(misses) / len(gold.groups)
        return SampleResult(
            id=sample.id,
            query=sample.query,
            tags=sample.tags,
            intent=sample.intent,
            apis=self.apis,
            gold=gold.groups,
            ranked=ranking,
            context=_context(context),
            metrics=metrics,
            misses=misses,
            milliseconds=milliseconds,
            stages={
                name: ms
                for name, ms in context.retrieval_stats.milliseconds.items()
                if name in TIMED
            },
            understood=str(context.trace.understanding.intent),
            notes=context.trace.notes,
            timed_out=context.retrieval_stats.timed_out,
            reference_ids=_references(gold, context),
            retrieved_ids=_retrieved(gold, context),
        )

    def before_context(
        self, ranked: tuple[str, ...], *, intent: str, fallback: bool, chosen: Collection[str]
    ) -> dict[str, float]:
        """What the understanding and the ranked elements score, whatever becomes of them."""
        found = stage_metrics(
            self.sample,
            self.gold,
            intent=intent,
            fallback=fallback,
            chosen=chosen,
            ranked=ranked,
            elements=self.labels.elements,
        )
        return found | (self._rank_metrics(ranked) if self.gold.groups else {})

    def of_context(self, inside: Inside, scores: Sequence[float]) -> dict[str, float]:
        """What a context scores; `scores` are those of its results."""
        if self.gold.groups:
            return context_metrics(self.gold, inside)
        return no_answer_metrics(scores)

    def _rank_metrics(self, ranked: tuple[str, ...]) -> dict[str, float]:
        """The same for every context of one ranking."""
        if ranked not in self._by_ranking:
            self._by_ranking[ranked] = rank_metrics(self.gold, ranked)
        return self._by_ranking[ranked]


def ranked_elements(context: KnowledgeContext) -> tuple[tuple[str, float], ...]:
    """The candidates as elements, best first: parts collapsed to their element at its best rank."""
    return elements_with_scores(context.trace.hits)


def elements_with_scores(hits: Iterable[Hit]) -> tuple[tuple[str, float], ...]:
    best: dict[str, float] = {}
    for hit in hits:
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
