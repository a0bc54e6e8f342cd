"""From what a search found to what is returned: filter, rank, convert, once each, limit."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence

from core.functions.checked import checked_min_score, checked_top_k
from core.functions.results import RetrievalResult, StorageEntry
from core.model import JSON
from core.text.safe import terminal

_LOG = logging.getLogger("specloupe.functions")
_SHOWN = 200  # characters of a content


def process_results(
    storage_entries: Iterable[StorageEntry], min_score: float, top_k: int
) -> list[RetrievalResult]:
    """The best results that reach the score, each chunk once; warns where nothing does."""
    top_k = checked_top_k(top_k)
    kept = filter_by_score(storage_entries, min_score)
    results = convert_to_retrieval_results(rank_by_score(kept))
    results = limit_results(deduplicate_results(results), top_k)
    if not results:
        _LOG.warning("No results above threshold %s", min_score)
    return results


def filter_by_score(results: Iterable[StorageEntry], min_score: float) -> list[StorageEntry]:
    """Those that reach the score; one without a score is kept, for `convert` to tell."""
    checked_min_score(min_score)
    return [one for one in results if one.score is None or one.score >= min_score]


def rank_by_score(results: Iterable[StorageEntry]) -> list[StorageEntry]:
    """Best first, ties by id; those without a score last."""
    return sorted(results, key=lambda one: (one.score is None, -(one.score or 0.0), one.id))


def convert_to_retrieval_results(entries: Iterable[StorageEntry]) -> list[RetrievalResult]:
    """Results in the same order; an entry without a score is left out with a warning."""
    results = []
    for entry in entries:
        try:
            results.append(RetrievalResult.from_storage_entry(entry))
        except ValueError as error:
            _LOG.warning("Left out: %s", error)
    return results


def deduplicate_results(results: Iterable[RetrievalResult]) -> list[RetrievalResult]:
    """Each chunk once: the first counts."""
    first: dict[str, RetrievalResult] = {}
    for one in results:
        first.setdefault(one.chunk_id, one)
    return list(first.values())


def limit_results(results: Sequence[RetrievalResult], top_k: int) -> list[RetrievalResult]:
    return list(results[: checked_top_k(top_k)])


def get_result_statistics(results: Sequence[RetrievalResult]) -> dict[str, JSON]:
    """How many, their scores, and how many of each category, language and file."""
    scores = [one.score for one in results]
    return {
        "count": len(results),
        "min_score": min(scores, default=0.0),
        "max_score": max(scores, default=0.0),
        "avg_score": sum(scores) / len(scores) if scores else 0.0,
        "relevant": sum(one.is_relevant for one in results),
        "categories": dict(Counter(one.relevance_category for one in results)),
        "languages": _count(results, "language"),
        "files": _count(results, "file"),
    }


def _count(results: Iterable[RetrievalResult], key: str) -> dict[str, int]:
    return dict(Counter(str(one.metadata[key]) for one in results if one.metadata.get(key)))


def format_results_for_display(results: Sequence[RetrievalResult]) -> str:
    """A line with score and place for each result, and the beginning of its content below."""
    if not results:
        return "No results."
    return "\n\n".join(_displayed(number, one) for number, one in enumerate(results, 1))


def _displayed(number: int, one: RetrievalResult) -> str:
    name = f" {one.function_name}" if one.function_name else ""
    head = f"{number}. {one.score:.3f} ({one.relevance_category}) {one.location}{name}"
    text = " ".join(one.content.split())
    return f"{terminal(head)}\n   {terminal(text[:_SHOWN])}{'…' if len(text) > _SHOWN else ''}"
