"""A context recomputed from one search is the context of a real run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from support.samples import EMBED, sample_index

from core.errors import CallError
from core.evaluate.tune.trace import DeepTrace, deep_trace
from core.index.snapshot.snapshot import Snapshot
from core.model import JSON, KnowledgeContext
from core.retrieve.pipeline import Searched, retrieve
from core.settings import Settings
from core.tokens import counter

TOKENS = counter("cl100k_base")
QUESTIONS = (
    "How do I create a customer and charge their card?",
    "which errors can an upload return, and what does the error schema look like",
    "GET /repos/{owner}/{repo}/issues",
    "Wie wird das Wetter morgen?",
)
CHANGES: dict[str, st.SearchStrategy[Any]] = {
    "min_score": st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9, 1.0]),
    "max_primary_results": st.sampled_from([1, 3, 5, 12]),
    "max_total_chunks": st.sampled_from([12, 15, 30, 80]),
    "max_depth": st.integers(0, 5),
    "token_limit": st.sampled_from([100, 400, 1500, 4000, 30_000]),
    "mode": st.sampled_from(["semantic", "exact", "hybrid"]),
    "selection": st.sampled_from(["eager", "scored", "mmr"]),
    "rendering": st.sampled_from(["json", "compact", "signature"]),
    "prioritize_primary": st.booleans(),
    "primary_share": st.sampled_from([0.0, 0.6, 1.0]),
    "stop_early": st.booleans(),
    "beyond_depth": st.booleans(),
    "per_resource": st.integers(0, 3),
    "group_repeated": st.booleans(),
    "diversity": st.sampled_from([0.0, 0.5]),
    "adaptive_results": st.booleans(),
    "weak_results": st.integers(0, 2),
    "intent_filter": st.sampled_from(["off", "soft", "hard"]),
    "api_filter": st.sampled_from(["off", "soft", "hard"]),
    "overfetch": st.integers(1, 4),
    "expansion": st.sampled_from([0.0, 0.5]),
}
LIMITS = ("min_score", "max_total_chunks", "max_depth", "token_limit", "rendering")


def some(*names: str) -> st.SearchStrategy[list[Settings]]:
    changes = {name: CHANGES[name] for name in names}
    made = st.fixed_dictionaries({}, optional=changes).map(
        lambda values: Settings(timeout_ms=600_000, log_stats=False, **values)
    )
    return st.lists(made, min_size=2, max_size=6)


SOME = some(*LIMITS) | some(*CHANGES)


@pytest.fixture(scope="module")
def index(sample_store: Path) -> Iterator[Snapshot]:
    with sample_index(sample_store) as reader:
        yield reader


def trace(query: str, index: Snapshot) -> DeepTrace:
    return deep_trace(query, reader=index, embed=EMBED, tokens=TOKENS)


def real(query: str, index: Snapshot, settings: Settings) -> KnowledgeContext:
    return retrieve(query, reader=index, embed=EMBED, tokens=TOKENS, settings=settings)


def told(context: KnowledgeContext) -> JSON:
    """All that a context says, its text as a model gets it, without the time that it took."""
    said = context.to_dict()
    stats = said["retrieval_stats"]
    assert isinstance(stats, dict)
    stats.pop("milliseconds")
    return [said, context.to_markdown()]


@pytest.mark.thorough
@given(query=st.sampled_from(QUESTIONS), wanted=SOME)
@examples(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_equals_a_real_run_whatever_was_asked_before(
    query: str, wanted: list[Settings], index: Snapshot
) -> None:
    traced = trace(query, index)
    for settings in wanted:
        assert told(traced.context(settings)) == told(real(query, index, settings))


def test_limits_and_thresholds_search_once_and_modes_twice(index: Snapshot) -> None:
    traced, searches = trace(QUESTIONS[0], index), list[Settings]()
    search = traced.search

    def counted(settings: Settings) -> Searched:
        searches.append(settings)
        return search(settings)

    traced.search = counted
    base = Settings(log_stats=False)
    for mode in ("hybrid", "exact"):
        for least in (0.1, 0.4):
            for depth in (0, 3):
                for tokens in (500, 4000):
                    limits = {"min_score": least, "max_depth": depth, "token_limit": tokens}
                    traced.context(base.replace(mode=mode, **limits))
    assert [each.mode for each in searches] == ["hybrid", "exact"]


def test_an_empty_question_is_refused(index: Snapshot) -> None:
    with pytest.raises(CallError, match="empty"):
        trace(" ", index)


def test_the_tokens_of_a_context_are_known_without_it(index: Snapshot) -> None:
    for settings in (Settings(log_stats=False), Settings(log_stats=False, min_score=1.0)):
        traced = trace(QUESTIONS[0], index)
        assert traced.tokens_of(settings) == traced.context(settings).total_tokens
