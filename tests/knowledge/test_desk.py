"""Whatever is asked and whatever breaks, there is an answer of four fields, and in time."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from support.stores import QUICK, copied

from core import Workbench
from core.errors import EmbeddingError, StoreBusy
from core.knowledge.answer import empty_sources
from core.knowledge.desk import Desk, Opened

FIELDS = ["sources_consulted", "coverage", "gaps", "retrieval_time_ms"]


def test_the_answer_has_exactly_the_fields_of_the_contract(workbench: Workbench) -> None:
    answer = workbench.retrieve_knowledge("no_power", "The lamp stays dark", {"product": "Kite"})
    assert list(answer) == FIELDS
    assert list(answer["sources_consulted"][0]) == [
        *("title", "url", "relevance_score", "excerpt", "last_updated")
    ]
    assert isinstance(answer["retrieval_time_ms"], int)
    first = answer["sources_consulted"][0]
    assert first["url"].startswith("https://help.example/")
    assert first["last_updated"] == "2026-03-01"


def test_excerpts_are_in_their_articles(workbench: Workbench) -> None:
    answer = workbench.retrieve_knowledge("no_power", "Is it the fuse of the lamp?")
    texts = [chunk.text for chunk in workbench.chunks() if chunk.type == "article"]
    for source in answer["sources_consulted"]:
        assert any(source["excerpt"].removesuffix("…") in text for text in texts)


def test_what_it_covers_and_what_it_lacks(workbench: Workbench) -> None:
    high = workbench.retrieve_knowledge(
        "no_power", "The lamp of my Kite stays dark", {"product": "Kite"}
    )
    assert (high["coverage"], high["gaps"]) == ("high", [])
    none = workbench.retrieve_knowledge("billing", "Hello, please cook rice", {"product": "Ibis"})
    assert none["coverage"] == "none"
    assert none["sources_consulted"] == []
    assert none["gaps"] == ["no article for intent billing", "no article for Ibis", "cook", "rice"]


def test_gaps_are_what_no_listed_article_says(workbench: Workbench) -> None:
    answer = workbench.retrieve_knowledge("shipping", "My parcel to Lisbon is late")
    assert answer["coverage"] == "medium"
    assert answer["gaps"] == ["Lisbon"]


def test_gaps_are_no_words_that_say_nothing(workbench: Workbench) -> None:
    said = "I've told me: it won't fly, isn't one of all, and couldn’t sing at all now"
    answer = workbench.retrieve_knowledge("", said)
    assert answer["gaps"] == ["told", "fly", "sing"]


def test_one_source_is_listed_and_all_are_counted(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNOWLEDGE_TOP_K", "1")
    answer = workbench.retrieve_knowledge("no_power", "The lamp of my Kite stays dark")
    assert (len(answer["sources_consulted"]), answer["coverage"]) == (1, "high")


@pytest.mark.parametrize(
    ("intent", "message", "metadata"),
    [
        (None, None, None),
        (b"setup", 3.5, "text"),
        ("", "   ", {"product": "Kite"}),
        ([], {}, []),
    ],
)
def test_where_nothing_is_asked(
    workbench: Workbench, intent: object, message: object, metadata: object
) -> None:
    answer = workbench.retrieve_knowledge(intent, message, metadata)  # type: ignore[arg-type]
    assert answer == empty_sources("No question")


def test_a_megabyte_is_a_message(workbench: Workbench) -> None:
    assert list(workbench.retrieve_knowledge("setup", "lamp " * 200_000)) == FIELDS


def failing(error: Exception) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (EmbeddingError("no key"), "embedding"),
        (StoreBusy("somebody writes"), "busy"),
        (RuntimeError("a mistake of ours"), "other"),
        (MemoryError(), "other"),
    ],
)
def test_a_failure_is_an_empty_answer_with_one_warning(
    workbench: Workbench,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    reason: str,
) -> None:
    workbench.retrieve_knowledge("", "warm")
    monkeypatch.setattr(workbench, "_opened", failing(error))
    workbench._knowledge._prepared._opened = workbench._opened  # type: ignore[union-attr]
    with caplog.at_level(logging.WARNING):
        assert workbench.retrieve_knowledge("setup", "lamp") == empty_sources()
    assert [record.name for record in caplog.records] == ["specloupe.knowledge"]
    assert workbench.statistics().knowledge_failures == {reason: 1}


def hanging(workbench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Whatever is embedded hangs until this is set, for a minute at most."""
    gate = Event()

    def hang(texts: object) -> np.ndarray:
        gate.wait(60)
        return np.zeros((1, 256), np.float32)

    monkeypatch.setattr(workbench, "_remembered", lambda settings: hang)
    return gate


def test_an_embedder_that_hangs_is_not_waited_for(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    workbench.retrieve_knowledge("no_power", "warm")
    monkeypatch.setenv("KNOWLEDGE_TIMEOUT_MS", "100")
    gate = hanging(workbench, monkeypatch)
    started = time.monotonic()
    for _ in range(6):
        assert workbench.retrieve_knowledge("no_power", "The lamp hangs") == empty_sources()
    assert time.monotonic() - started < 60  # of a gate that opens after them
    assert workbench.statistics().knowledge_failures == {"late": 6}
    gate.set()


def test_an_embedder_that_hangs_from_the_first_question_on_is_waited_for_once(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.knowledge.desk.WARM_S", 2.0)
    monkeypatch.setenv("KNOWLEDGE_TIMEOUT_MS", "100")
    gate = hanging(workbench, monkeypatch)
    took = []
    for _ in range(3):
        started = time.monotonic()
        assert workbench.retrieve_knowledge("no_power", "The lamp hangs") == empty_sources()
        took.append(time.monotonic() - started)
    gate.set()
    assert took[0] >= 2 > max(took[1:])


def test_a_store_that_is_gone(store: Path, tmp_path: Path) -> None:
    own = copied(store, tmp_path / "own")
    with Workbench.open(own, settings=QUICK.replace(embedder="static")) as workbench:
        shutil.rmtree(own)
        assert workbench.retrieve_knowledge("setup", "lamp") == empty_sources()
        assert workbench.statistics().knowledge_failures == {"store": 1}


def test_a_store_of_another_embedder(store: Path) -> None:
    with Workbench.open(store, settings=QUICK) as workbench:
        assert workbench.retrieve_knowledge("setup", "lamp") == empty_sources()


def test_a_wrong_setting(workbench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOWLEDGE_TOP_K", "many")
    assert workbench.retrieve_knowledge("setup", "lamp") == empty_sources()


def test_an_empty_store(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "none", settings=QUICK) as workbench:
        assert workbench.retrieve_knowledge("setup", "lamp")["coverage"] == "none"


def test_the_generation_before_answers_until_the_newest_can(workbench: Workbench) -> None:
    """As after a sync of many articles: what is looked up once takes longer than an answer may."""
    known, ready = workbench._opened(), Event()
    newest = replace(known, reader=copy(known.reader))
    held = [known]

    def opened() -> Opened:
        if held[0] is newest:
            assert ready.wait(60)
        return held[0]

    told: list[str] = []
    desk = Desk(opened, {"KNOWLEDGE_TIMEOUT_MS": "2000"}, told.append)
    first = desk.ask("no_power", "Is it the fuse of the lamp?", None)
    assert first["sources_consulted"]
    held[0] = newest
    for _ in range(3):
        again = desk.ask("no_power", "Is it the fuse of the lamp?", None)
        assert again["sources_consulted"] == first["sources_consulted"]
    assert desk._prepared._held is known
    ready.set()
    until = time.monotonic() + 60
    while desk._prepared._held is known:
        assert time.monotonic() < until
        desk.ask("no_power", "Is it the fuse of the lamp?", None)
    assert desk._prepared._held is newest
    assert told == []
