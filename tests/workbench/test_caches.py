"""What is answered again, and that it is never what the store no longer says."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.stores import QUESTIONS, ingested, opened, plain, version

from core import Workbench
from core.model import KnowledgeContext

QUERY = QUESTIONS[0]


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    with opened(tmp_path / "store") as made:
        ingested(made, version(tmp_path / "apis", 1))
        yield made


def cached(context: KnowledgeContext) -> bool:
    return context.retrieval_stats.cached


def test_an_equal_question_is_answered_from_the_cache(workbench: Workbench) -> None:
    first, second = workbench.retrieve(QUERY), workbench.retrieve(QUERY)
    assert (cached(first), cached(second)) == (False, True)
    assert plain(first, without=("cached",)) == plain(second, without=("cached",))


@pytest.mark.parametrize(
    "changes",
    [
        {"max_depth": 1},
        {"filter_metadata": {"type": "component"}},
        {"apis": ("shop",)},
        {"cache_ttl_s": 0},
        {"cache_size": 0},
    ],
    ids=["setting", "filter", "api", "no time", "no room"],
)
def test_another_question_is_not(workbench: Workbench, changes: dict[str, object]) -> None:
    workbench.retrieve(QUERY)
    for _ in range(2 if "cache_ttl_s" in changes or "cache_size" in changes else 1):
        assert not cached(workbench.retrieve(QUERY, **changes))  # type: ignore[arg-type]


def test_no_answer_is_older_than_the_store(workbench: Workbench, tmp_path: Path) -> None:
    before = workbench.retrieve(QUERY)
    ingested(workbench, version(tmp_path / "apis", 2))
    after = workbench.retrieve(QUERY)
    assert not cached(after)
    assert "/v1/" in before.to_markdown()
    assert "/v2/" in after.to_markdown()
    assert "/v1/" not in json.dumps(after.to_dict())


def test_nor_than_what_another_process_made_of_it(workbench: Workbench, tmp_path: Path) -> None:
    workbench.retrieve(QUERY)
    with opened(tmp_path / "store") as other:  # as another process would, by the folder alone
        ingested(other, version(tmp_path / "apis", 2))
    after = workbench.retrieve(QUERY)
    assert not cached(after)
    assert "/v1/" not in json.dumps(after.to_dict())


def test_what_ran_out_of_time_is_asked_again(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.deadline.Deadline.passed", True)
    assert workbench.retrieve(QUERY).retrieval_stats.timed_out
    monkeypatch.undo()
    again = workbench.retrieve(QUERY)
    assert not cached(again)
    assert again.primary_chunks


def test_statistics(workbench: Workbench) -> None:
    assert workbench.statistics().retrievals == 0
    contexts = [workbench.retrieve(query) for query in (*QUESTIONS, *QUESTIONS, QUESTIONS[0])]
    workbench.retrieve(QUESTIONS[0], max_depth=1)  # known words, another question
    found = workbench.statistics()
    assert found.retrievals == len(contexts) + 1
    assert found.result_hit_rate == pytest.approx((len(QUESTIONS) + 1) / (len(contexts) + 1))
    assert found.embedding_hit_rate > 0
    assert 0 < found.p50_ms <= found.p95_ms
    assert 0 < found.average_results <= found.average_chunks


def test_a_line_is_logged_for_every_answer(
    workbench: Workbench, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "specloupe.retrieve"):
        for _ in range(2):
            workbench.retrieve(QUERY, log_stats=True)
    lines = [json.loads(record.getMessage()) for record in caplog.records]
    assert [line["cached"] for line in lines] == [False, True]
    assert lines[0]["milliseconds"]["total"] > 0
    assert all(QUERY not in record.getMessage() for record in caplog.records)
