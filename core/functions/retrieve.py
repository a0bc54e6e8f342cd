"""From a question to results, with how long each step took."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field
from threading import Lock

from core.functions.checked import (
    MOST,
    checked_language,
    checked_min_score,
    checked_path,
    checked_query,
    checked_top_k,
)
from core.functions.embed import embed_query
from core.functions.process import process_results
from core.functions.results import FILE, RetrievalResult
from core.functions.search import search_similar
from core.model import JSON, Where

_LOG = logging.getLogger("specloupe.functions")
_WIDER = 2  # times as many are searched: some have too low a score, or come twice


def retrieve(
    query: str, top_k: int = 5, min_score: float = 0.3, filter_metadata: Where | None = None
) -> list[RetrievalResult]:
    """The chunks that are most like a question, best first; none is below the score.

    Raises ValueError for an empty question, a number out of its range, and whatever fails.
    """
    query = checked_query(query)
    top_k = checked_top_k(top_k)
    checked_min_score(min_score)
    _LOG.info("query length %d", len(query))
    started = time.perf_counter()
    vector = embed_query(query)
    embedded = time.perf_counter()
    entries = search_similar(vector, min(top_k * _WIDER, MOST), filter_metadata)
    searched = time.perf_counter()
    results = process_results(entries, min_score, top_k)
    ended = time.perf_counter()
    times = (embedded - started, searched - embedded, ended - searched, ended - started)
    _counted.add([1_000 * seconds for seconds in times], results)
    return results


def retrieve_by_language(
    query: str, language: str, top_k: int = 5, min_score: float = 0.3
) -> list[RetrievalResult]:
    """The same among source code in one language."""
    return retrieve(query, top_k, min_score, {"language": checked_language(language)})


def retrieve_from_file(
    query: str, file_path: str, top_k: int = 5, min_score: float = 0.3
) -> list[RetrievalResult]:
    """The same in one file: its path, or an end of it that no other file has."""
    return retrieve(query, top_k, min_score, {FILE: checked_path(file_path)})


def get_retrieval_stats() -> dict[str, JSON]:
    """Figures of all retrievals of this process; milliseconds."""
    return _counted.figures()


async def aretrieve(
    query: str, top_k: int = 5, min_score: float = 0.3, filter_metadata: Where | None = None
) -> list[RetrievalResult]:
    """`retrieve` in a thread."""
    return await asyncio.to_thread(retrieve, query, top_k, min_score, filter_metadata)


async def aretrieve_by_language(
    query: str, language: str, top_k: int = 5, min_score: float = 0.3
) -> list[RetrievalResult]:
    """`retrieve_by_language` in a thread."""
    return await asyncio.to_thread(retrieve_by_language, query, language, top_k, min_score)


async def aretrieve_from_file(
    query: str, file_path: str, top_k: int = 5, min_score: float = 0.3
) -> list[RetrievalResult]:
    """`retrieve_from_file` in a thread."""
    return await asyncio.to_thread(retrieve_from_file, query, file_path, top_k, min_score)


async def aget_retrieval_stats() -> dict[str, JSON]:
    """`get_retrieval_stats`."""
    return get_retrieval_stats()


_STEPS = ("embed_ms", "search_ms", "process_ms", "total_ms")


@dataclass(slots=True)
class _Counted:
    """What is known of the retrievals so far; safe to share between threads."""

    queries: int = 0
    empty: int = 0
    sums: list[float] = field(default_factory=lambda: [0.0] * len(_STEPS))
    last: list[float] = field(default_factory=lambda: [0.0] * len(_STEPS))
    scores: tuple[float, float] | None = None  # of the last retrieval that found something
    lock: Lock = field(default_factory=Lock)

    def add(self, times: list[float], results: list[RetrievalResult]) -> None:
        found = (results[-1].score, results[0].score) if results else None
        with self.lock:
            self.queries += 1
            self.empty += not results
            self.sums = [before + new for before, new in zip(self.sums, times, strict=True)]
            self.last = times
            self.scores = found or self.scores
        said = ", ".join(
            f"{name[:-3]}_time {t:.1f} ms" for name, t in zip(_STEPS, times, strict=True)
        )
        _LOG.info("%s, %d results, score range %s", said, len(results), found or "none")

    def figures(self) -> dict[str, JSON]:
        with self.lock:
            count = max(self.queries, 1)
            average = {f"avg_{n}": s / count for n, s in zip(_STEPS, self.sums, strict=True)}
            last = {f"last_{name}": t for name, t in zip(_STEPS, self.last, strict=True)}
            return {
                "total_queries": self.queries,
                "empty_results": self.empty,
                **average,
                **last,
                "score_range": list(self.scores) if self.scores else None,
            }


_counted = _Counted()
