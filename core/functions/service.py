"""Retrieval for programs with an event loop: each call in one of a bounded number of threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.functions.documents.assembled import AssembledContext
from core.functions.documents.query import RetrievalOptions, RetrievalQuery
from core.functions.documents.search import retrieve_documents
from core.functions.documents.sections import in_sections
from core.functions.opened import as_value_errors, asked
from core.functions.results import RetrievalResult
from core.settings import KNOB, Settings, Value
from core.workbench.running import Statistics
from core.workbench.workbench import Workbench

Result = TypeVar("Result")

THREADS = 4  # more wait for each other, and each holds the scores of its question
_FOUND_BY = ("evidence", "choose_apis", "search")  # stages
_FOLLOWED_BY = ("follow",)


@dataclass(frozen=True, slots=True)
class RetrievalMetrics:
    """What the retrievals of this process came to; times are averages in milliseconds of those that
    were not from the cache."""

    retrievals: int = 0  # answers from the cache included
    avg_retrieval_time: float = 0.0
    p50: float = 0.0  # of the last 1,000
    p95: float = 0.0
    vector_search_time: float = 0.0  # scoring what is stored, choosing APIs, picking results
    graph_time: float = 0.0  # following references
    stages: Mapping[str, float] = field(default_factory=dict)
    cache_hit_rate: float = 0.0  # per cent
    embedding_hit_rate: float = 0.0  # per cent of the texts to embed whose vector was known
    avg_results: float = 0.0
    avg_tokens: float = 0.0
    avg_refs_followed: float = 0.0
    timed_out: int = 0
    empty: int = 0
    fallbacks: int = 0  # the intent filter left too little, and was dropped
    errors: Mapping[str, int] = field(default_factory=dict)  # by class
    knowledge_failures: Mapping[str, int] = field(default_factory=dict)  # by reason
    selection_hit_rate: float = 0.0  # per cent of a model's choices of APIs that were known
    expansion_hit_rate: float = 0.0  # per cent of a model's added terms that were known
    model_calls: int = 0
    model_failures: int = 0
    model_tokens: int = 0
    model_usd: float = 0.0

    @classmethod
    def of(cls, counted: Statistics) -> RetrievalMetrics:
        def spent(stages: tuple[str, ...]) -> float:
            return sum(counted.stage_ms.get(stage, 0.0) for stage in stages)

        return cls(
            retrievals=counted.retrievals,
            avg_retrieval_time=counted.average_ms,
            p50=counted.p50_ms,
            p95=counted.p95_ms,
            vector_search_time=spent(_FOUND_BY),
            graph_time=spent(_FOLLOWED_BY),
            stages=counted.stage_ms,
            cache_hit_rate=100 * counted.result_hit_rate,
            embedding_hit_rate=100 * counted.embedding_hit_rate,
            avg_results=counted.average_results,
            avg_tokens=counted.average_tokens,
            avg_refs_followed=counted.average_followed,
            timed_out=counted.timed_out,
            empty=counted.empty,
            fallbacks=counted.fallbacks,
            errors=counted.errors,
            knowledge_failures=counted.knowledge_failures,
            selection_hit_rate=100 * counted.selection_hit_rate,
            expansion_hit_rate=100 * counted.expansion_hit_rate,
            model_calls=counted.model_calls,
            model_failures=counted.model_failures,
            model_tokens=counted.model_tokens,
            model_usd=counted.model_usd,
        )


class RetrievalService:
    """One for a workbench, that of the environment by default; close it, or use it in `async with`.

    More calls than there are threads wait their turn, so that an event loop stays free for others.
    What fails is a ValueError with a sentence.
    """

    def __init__(self, workbench: Workbench | None = None, *, threads: int = THREADS) -> None:
        self._workbench = asked(workbench)
        self._pool = ThreadPoolExecutor(threads, "specloupe-retrieval")

    async def retrieve_context(
        self, query_text: str, options: RetrievalOptions | None = None
    ) -> AssembledContext:
        """The context for a question as Primary, Supporting and Historical sections: what answers
        it, and all that this refers to.

        Without options, the settings of the workbench decide.
        """
        return await self.run(lambda: self._context(query_text, options))

    def _context(self, query_text: str, options: RetrievalOptions | None) -> AssembledContext:
        workbench = self._workbench
        with as_value_errors():
            changes: dict[str, Any] = _settings_of(options, workbench.settings) if options else {}
            filters = options.filters or None if options else None
            found = workbench.retrieve(query_text, filter_metadata=filters, **changes)
        return in_sections(
            found,
            rendering=workbench.settings.rendering,
            include_metadata=options.include_metadata if options else True,
            settings=workbench.settings,
        )

    async def retrieve(self, query: RetrievalQuery) -> list[RetrievalResult]:
        """The best results, and the documents that they lead to."""
        return await self.run(lambda: retrieve_documents(query, self._workbench))

    async def run(self, call: Callable[[], Result]) -> Result:
        """Any other call of the workbench, in one of the threads."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    def get_metrics(self) -> RetrievalMetrics:
        """What the retrievals of this workbench came to, whoever asked."""
        return RetrievalMetrics.of(self._workbench.statistics())

    def close(self) -> None:
        """Wait for those at work, and start no other; the workbench stays open."""
        self._pool.shutdown(cancel_futures=True)

    async def __aenter__(self) -> RetrievalService:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)


def _settings_of(options: RetrievalOptions, tuned: Settings) -> dict[str, Value]:
    """What the options change for one question."""
    most = max(tuned.max_total_chunks, options.max_results + tuned.graph_max_expanded)
    return {
        "mode": options.search_type,
        "max_primary_results": options.max_results,
        "adaptive_results": False,
        "max_total_chunks": min(most, KNOB["max_total_chunks"].high or most),
        "min_score": options.min_score,
        "include_history": options.include_history,
        "include_code": options.include_code,
        "max_depth": options.max_graph_distance,
        "direction": "both",
        "token_limit": options.max_length,
    }
