from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.context_example import example

from core.errors import CallError, StoreBusy
from core.model import Consulted, KnowledgeContext
from core.workbench.running import Running, Statistics, percentile


def answer(
    milliseconds: float, *, cached: bool = False, timed_out: bool = False
) -> KnowledgeContext:
    context = example()
    stats = replace(
        context.retrieval_stats,
        milliseconds={"total": milliseconds, "search": milliseconds / 2},
        cached=cached,
        timed_out=timed_out,
    )
    return replace(context, retrieval_stats=stats)


def test_nothing_yet() -> None:
    assert Running().statistics() == Statistics()


def test_a_summary_by_hand() -> None:
    running = Running()
    for milliseconds in (1, 2, 3, 4, 100):
        running.add(answer(milliseconds, timed_out=milliseconds == 100))
    for _ in range(3):
        running.add(answer(50, cached=True))  # what it took once says nothing about now
    found = running.statistics(embedding_hit_rate=0.25)
    assert (found.retrievals, found.p50_ms, found.p95_ms) == (8, 3, 100)
    assert (found.result_hit_rate, found.embedding_hit_rate) == (3 / 8, 0.25)
    assert found.timed_out == 1
    assert (found.average_ms, found.stage_ms) == (22, {"search": 11})
    assert found.average_tokens == example().total_tokens
    assert found.average_followed == example().retrieval_stats.references_followed
    assert found.average_results == len(example().primary_chunks)
    assert found.average_chunks == len(example().chunks)


def test_how_often_a_model_had_answered_before_by_stage() -> None:
    running = Running()
    calls = (
        Consulted("choose_apis", is_kept=True),
        Consulted("expand", is_kept=True),
        Consulted("rerank"),
    )
    asked = answer(1)
    running.add(replace(asked, trace=replace(asked.trace, consulted=calls)))
    failed = replace(asked.trace, consulted=(Consulted("expand", failure="timeout"),))
    running.add(replace(asked, trace=failed))
    again = answer(1, cached=True)  # the whole was known, and no model asked
    running.add(replace(again, trace=replace(again.trace, consulted=calls)))
    found = running.statistics()
    assert (found.selection_hit_rate, found.expansion_hit_rate) == (1.0, 0.5)


def test_failures_by_their_class_and_reason() -> None:
    running = Running()
    for error in (StoreBusy("busy"), StoreBusy("busy"), CallError("empty")):
        running.failed(error)
    running.knowledge_failed("late")
    found = running.statistics()
    assert found.errors == {"StoreBusy": 2, "CallError": 1}
    assert (found.knowledge_failures, found.retrievals) == ({"late": 1}, 0)


def test_threads_lose_no_answer() -> None:
    running = Running()
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(running.add, [answer(1)] * 500))
    assert running.statistics().retrievals == 500


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([], 0.5, 0),
        ([7], 0.95, 7),
        ([1, 2], 0.5, 1),
        ([1, 2, 3], 0.5, 2),
        (range(1, 101), 0.95, 95),
    ],
    ids=["none", "one", "two", "three", "hundred"],
)
def test_percentiles(values: list[float], share: float, expected: float) -> None:
    assert percentile(values, share) == expected


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.01, 1))
def test_a_percentile_covers_its_share(values: list[float], share: float) -> None:
    found = percentile(sorted(values), share)
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9
