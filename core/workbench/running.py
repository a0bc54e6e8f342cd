"""What the retrievals of a process came to, so far."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock

from core.llm.spent import Spent
from core.model import KnowledgeContext

_KEPT = 1000  # of the last retrievals, the milliseconds that the percentiles are of


@dataclass(frozen=True, slots=True)
class Statistics:
    """A running summary; all zeros before the first question."""

    retrievals: int = 0  # answers from the cache included
    p50_ms: float = 0.0  # of the last 1,000 that were not from the cache
    p95_ms: float = 0.0
    average_results: float = 0.0  # primaries of an answer
    average_chunks: float = 0.0  # primaries and references
    timed_out: int = 0
    result_hit_rate: float = 0.0  # share of the answers that came from the cache, 0 to 1
    embedding_hit_rate: float = 0.0  # share of the texts to embed whose vector was known, 0 to 1
    knowledge_failures: Mapping[str, int] = field(default_factory=dict)  # empty answers, by reason
    selection_hit_rate: float = 0.0  # share of questions whose APIs a model had chosen before
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
        self._retrievals = self._cached = self._results = self._chunks = self._timed_out = 0

    def add(self, context: KnowledgeContext) -> None:
        stats = context.retrieval_stats
        with self._lock:
            self._retrievals += 1
            self._results += len(context.primary_chunks)
            self._chunks += len(context.chunks)
            self._timed_out += stats.timed_out
            self._cached += stats.cached
            if not stats.cached:
                self._milliseconds.append(stats.milliseconds["total"])

    def statistics(
        self,
        *,
        embedding_hit_rate: float = 0.0,
        selection_hit_rate: float = 0.0,
        spent: Spent | None = None,
        knowledge_failures: Mapping[str, int] | None = None,
    ) -> Statistics:
        with self._lock:
            taken, retrievals = sorted(self._milliseconds), max(1, self._retrievals)
            return Statistics(
                retrievals=self._retrievals,
                p50_ms=percentile(taken, 0.5),
                p95_ms=percentile(taken, 0.95),
                average_results=self._results / retrievals,
                average_chunks=self._chunks / retrievals,
                timed_out=self._timed_out,
                result_hit_rate=self._cached / retrievals,
                embedding_hit_rate=embedding_hit_rate,
                knowledge_failures=knowledge_failures or {},
                selection_hit_rate=selection_hit_rate,
                answer_hit_rate=spent.hit_rate if spent else 0.0,
                model_calls=spent.calls if spent else 0,
                model_failures=spent.failed if spent else 0,
                model_tokens=spent.tokens if spent else 0,
                model_usd=spent.usd if spent else 0.0,
            )


def percentile(ascending: Collection[float], share: float) -> float:
    """The smallest of the values that so large a share of them does not exceed; 0 of none."""
    values = tuple(ascending)
    if not values:
        return 0.0
    return values[max(0, -int(-share * len(values) // 1) - 1)]
