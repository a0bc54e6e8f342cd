"""What a server measured, in Prometheus' text: of all its worker processes together.

With several workers `prometheus_client` shares the counts through files; `core.service.counts` must
say where before this module is imported.
"""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from core.errors import StoreError
from core.model import KnowledgeContext
from core.service.counts import are_shared
from core.workbench.workbench import Workbench

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Counts what was answered, as `core.workbench.running.Counting`, and writes it out."""

    def __init__(self, workbench: Workbench) -> None:
        own = CollectorRegistry()
        self._seconds = Histogram(
            "specloupe_retrieval_seconds",
            "Time of a retrieval by stage; those from the cache are not in it.",
            ["stage"],
            buckets=_SECONDS,
            registry=own,
        )
        self._retrievals = Counter(
            "specloupe_retrievals", "Retrievals by what came of them.", ["outcome"], registry=own
        )
        self._cache_hits = Counter(
            "specloupe_cache_hits", "Answers that a cache had.", ["cache"], registry=own
        )
        self._errors = Counter(
            "specloupe_errors", "Retrievals that failed, by their error.", ["error"], registry=own
        )
        self._knowledge_failures = Counter(
            "specloupe_knowledge_failures",
            "Messages answered without knowledge, by the reason.",
            ["reason"],
            registry=own,
        )
        if are_shared():
            self._registry = CollectorRegistry()
            MultiProcessCollector(self._registry)  # type: ignore[no-untyped-call]
        else:
            self._registry = own
        self._registry.register(_Store(workbench))

    def add(self, context: KnowledgeContext) -> None:
        stats = context.retrieval_stats
        self._retrievals.labels(_outcome(context)).inc()
        if stats.cached:
            self._cache_hits.labels("results").inc()
            return
        for stage, milliseconds in stats.milliseconds.items():
            self._seconds.labels(stage).observe(milliseconds / 1_000)
        for call in context.trace.consulted:
            if call.is_kept:
                self._cache_hits.labels(call.stage).inc()

    def failed(self, error: Exception) -> None:
        self._retrievals.labels("error").inc()
        self._errors.labels(type(error).__name__).inc()

    def knowledge_failed(self, reason: str) -> None:
        self._knowledge_failures.labels(reason).inc()

    def text(self) -> bytes:
        return generate_latest(self._registry)


class _Store(Collector):
    """What the store holds now; nothing while it cannot be read."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    def describe(self) -> list[Metric]:
        return []  # so that registering it does not read the store

    def collect(self) -> Iterator[Metric]:
        try:
            figures = self._workbench.figures()
        except StoreError:
            return
        yield GaugeMetricFamily(
            "specloupe_store_chunks", "Chunks in the store.", value=figures.chunks
        )
        generation = {"generation": figures.generation, "embedder": figures.embedder}
        yield InfoMetricFamily("specloupe_store_generation", "What answers.", value=generation)


def _outcome(context: KnowledgeContext) -> str:
    if context.retrieval_stats.timed_out:
        return "timed_out"
    return "found" if context.primary_chunks else "empty"
