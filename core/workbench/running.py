"""What the retrievals of a process came to, so far."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from core.llm.spent import Spent
from core.model import Consulted, KnowledgeContext

_KEPT = 1000  # of the last retrievals, the milliseconds that the percentiles are of


class Counting(Protocol):
    """Is told of each answer, and of each that failed; safe to share between threads."""

    def add(self, context: KnowledgeContext) -> None: ...

    def failed(self, error: Exception) -> None: ...

    def knowledge_failed(self, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Statistics:
    """A running summary; all zeros before the first question."""

    retrievals: int = 0  # answers from the cache included
    average_ms: float = 0.0  # of those that were not from the cache, as are the stages
    p50_ms: float = 0.0  # of the last 1,000 of them
    p95_ms: float = 0.0
    stage_ms: Mapping[str, float] = field(default_factory=dict)  # averages, by stage
    average_results: float = 0.0  # primaries of an answer
    average_chunks: float = 0.0  # primaries and references
    average_tokens: float = 0.0
    average_followed: float = 0.0  # references that were followed
    empty: int = 0  # nothing reached the minimum score
    timed_out: int = 0
    fallbacks: int = 0  # the intent filter left too little, and was dropped
    errors: Mapping[str, int] = field(default_factory=dict)  # by the class of the error
    result_hit_rate: float = 0.0  # share of the answers that came from the cache, 0 to 1
    embedding_hit_rate: float = 0.0  # share of the texts to embed whose vector was known, 0 to 1
    knowledge_failures: Mapping[str, int] = field(default_factory=dict)  # empty answers, by reason
    selection_hit_rate: float = 0.0  # share of a model's choices of APIs that were known
    expansion_hit_rate: float = 0.0  # share of a model's added terms that were known
    answer_hit_rate: float = 0.0  # share of a model's answers that were kept from before
    model_calls: int = 0  # that reached a language model
    model_failures: int = 0  # those of them after which the rules went on
    model_tokens: int = 0  # in and out
    model_usd: float = 0.0  # 0 where no price is set


class Running:
    """Counts answers; safe to share between threads."""

    def __init__(self) -> None:
        self._milliseconds: deque[float] = deque(maxlen=_KEPT)
        self._lock = Lock()
        self._stages: Counter[str] = Counter()  # milliseconds
        self._counts: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()
        self._knowledge_failures: Counter[str] = Counter()

    def add(self, context: KnowledgeContext) -> None:
        stats = context.retrieval_stats
        counts = {
            "retrievals": 1,
            "results": len(context.primary_chunks),
            "chunks": len(context.chunks),
            "tokens": context.total_tokens,
            "followed": stats.references_followed,
            "empty": not context.primary_chunks,
            "timed_out": stats.timed_out,
            "fallbacks": stats.fallback,
            "cached": stats.cached,
            **_consulted(() if stats.cached else context.trace.consulted),
        }
        with self._lock:
            self._counts.update(counts)
            if not stats.cached:
                self._stages.update(stats.milliseconds)
                self._milliseconds.append(stats.milliseconds["total"])

    def failed(self, error: Exception) -> None:
        with self._lock:
            self._errors[type(error).__name__] += 1

    def knowledge_failed(self, reason: str) -> None:
        with self._lock:
            self._knowledge_failures[reason] += 1

    def statistics(
        self,
        *,
        embedding_hit_rate: float = 0.0,
        spent: Spent | None = None,
    ) -> Statistics:
        with self._lock:
            taken, counts = sorted(self._milliseconds), dict(self._counts)
            stages, errors = dict(self._stages), dict(self._errors)
            knowledge_failures = dict(self._knowledge_failures)
        count = counts.get
        every = max(1, count("retrievals", 0))
        own = max(1, count("retrievals", 0) - count("cached", 0))
        return Statistics(
            retrievals=count("retrievals", 0),
            average_ms=stages.pop("total", 0.0) / own,
            p50_ms=percentile(taken, 0.5),
            p95_ms=percentile(taken, 0.95),
            stage_ms={stage: spent / own for stage, spent in stages.items()},
            average_results=count("results", 0) / every,
            average_chunks=count("chunks", 0) / every,
            average_tokens=count("tokens", 0) / every,
            average_followed=count("followed", 0) / every,
            empty=count("empty", 0),
            timed_out=count("timed_out", 0),
            fallbacks=count("fallbacks", 0),
            errors=errors,
            result_hit_rate=count("cached", 0) / every,
            embedding_hit_rate=embedding_hit_rate,
            knowledge_failures=knowledge_failures,
            selection_hit_rate=count("kept choose_apis", 0) / max(1, count("choose_apis", 0)),
            expansion_hit_rate=count("kept expand", 0) / max(1, count("expand", 0)),
            answer_hit_rate=spent.hit_rate if spent else 0.0,
            model_calls=spent.calls if spent else 0,
            model_failures=spent.failed if spent else 0,
            model_tokens=spent.tokens if spent else 0,
            model_usd=spent.usd if spent else 0.0,
        )


def _consulted(calls: Sequence[Consulted]) -> Counter[str]:
    """How often a model was to take each stage, and how often its answer was known."""
    kept = Counter(f"kept {call.stage}" for call in calls if call.is_kept)
    return Counter(call.stage for call in calls) + kept


def percentile(ascending: Collection[float], share: float) -> float:
    """The smallest of the values that so large a share of them does not exceed; 0 of none."""
    values = tuple(ascending)
    if not values:
        return 0.0
    return values[max(0, -int(-share * len(values) // 1) - 1)]
