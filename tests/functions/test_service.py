"""Retrieval from an event loop: contexts, results, figures, and a loop that stays free."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from support.coroutines import finished
from support.samples import SAMPLES

from core import Settings, Workbench
from core.errors import CallError
from core.functions import (
    RetrievalMetrics,
    RetrievalOptions,
    RetrievalQuery,
    RetrievalService,
    retrieve_documents,
)
from core.functions.documents.sections import in_sections


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    store = tmp_path_factory.mktemp("service") / "store"
    with Workbench.open(store, settings=Settings(log_stats=False)) as opened:
        for _ in opened.ingest([SAMPLES / "shop.json"]):
            pass
        yield opened


def test_without_options_the_settings_decide(workbench: Workbench) -> None:
    async def asked() -> object:
        async with RetrievalService(workbench) as service:
            return await service.retrieve_context("create a user")

    context = finished(asked())
    assert context == in_sections(workbench.retrieve("create a user"))


def test_options_are_for_one_question(workbench: Workbench) -> None:
    async def asked() -> tuple[str, ...]:
        async with RetrievalService(workbench) as service:
            options = RetrievalOptions(
                max_results=1, min_score=0.2, filters={"type": "component"}, max_graph_distance=0
            )
            context = await service.retrieve_context("user", options)
            return tuple(each.content for each in context.sections)

    (content,) = finished(asked())
    assert content.count("\n## ") == 0
    assert "components/" in content


def test_results_are_those_of_the_plain_function(workbench: Workbench) -> None:
    query = RetrievalQuery("create a user", limit=3, min_score=0.2)

    async def asked() -> object:
        async with RetrievalService(workbench) as service:
            return await service.retrieve(query)

    assert finished(asked()) == retrieve_documents(query, workbench)


def test_what_fails_is_a_value_error_with_its_cause(workbench: Workbench) -> None:
    async def asked() -> None:
        async with RetrievalService(workbench) as service:
            await service.retrieve_context(" ")

    with pytest.raises(ValueError, match="empty") as failed:
        finished(asked())
    assert isinstance(failed.value.__cause__, CallError)


def test_no_more_calls_at_a_time_than_threads_and_the_loop_goes_on(workbench: Workbench) -> None:
    at_work: list[int] = []
    most: list[int] = []
    go, lock = threading.Event(), threading.Lock()

    def call() -> None:
        with lock:
            at_work.append(1)
            most.append(len(at_work))
        go.wait(30)
        with lock:
            at_work.pop()

    async def asked() -> None:
        async with RetrievalService(workbench, threads=2) as service:
            calls = [asyncio.ensure_future(service.run(call)) for _ in range(6)]
            while len(at_work) < 2:
                await asyncio.sleep(0)  # the loop is free meanwhile
            go.set()
            await asyncio.gather(*calls)

    finished(asked())
    assert max(most) == 2
    assert len(most) == 6


def test_figures_of_what_was_asked(workbench: Workbench) -> None:
    service = RetrievalService(workbench)
    for query in ("create a user", "create a user", "delete a user"):
        workbench.retrieve(query, max_depth=2)
    with pytest.raises(CallError):
        workbench.retrieve("")
    counted, found = workbench.statistics(), service.get_metrics()
    assert isinstance(found, RetrievalMetrics)
    assert found.retrievals == counted.retrievals
    assert found.cache_hit_rate == 100 * counted.result_hit_rate > 0
    assert 0 < found.vector_search_time + found.graph_time < found.avg_retrieval_time
    assert 0 < found.p50 <= found.p95
    assert (found.avg_results, found.avg_tokens) == (
        counted.average_results,
        counted.average_tokens,
    )
    assert found.avg_refs_followed > 0
    assert found.errors["CallError"] >= 1
    assert found.stages["search"] > 0
    service.close()
