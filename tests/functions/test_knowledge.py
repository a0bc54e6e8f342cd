"""Support messages as plain functions: the same answer as the workbench's, and never an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import write
from support.articles import article, base
from support.coroutines import finished
from support.stores import opened

from core import Workbench
from core.functions import aretrieve_knowledge, retrieve_knowledge, use
from core.functions.opened import STORE

SOURCES = "sources_consulted"


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("articles")
    cable = article(
        "cable", "No power", "When the lamp stays dark, check the cable.", intent=["no_power"]
    )
    write(folder / "in", {"kb.json": base(cable)})
    with opened(folder / "store") as made:
        for _ in made.ingest([folder / "in"], formats=("article",)):
            pass
        yield made


@pytest.fixture(autouse=True)
def _shared(workbench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("KNOWLEDGE_TIMEOUT_MS", "20000")
    use(workbench)
    yield
    use(None)


def test_it_answers_as_the_workbench_does(workbench: Workbench) -> None:
    found = retrieve_knowledge("no_power", "the lamp stays dark")
    assert [source["title"] for source in found[SOURCES]] == ["No power"]
    again = workbench.retrieve_knowledge("no_power", "the lamp stays dark")
    assert {**found, "retrieval_time_ms": 0} == {**again, "retrieval_time_ms": 0}


def test_the_answer_of_a_thread_is_the_same() -> None:
    found = finished(aretrieve_knowledge("no_power", "the lamp stays dark", {"product": "Kite"}))
    assert found[SOURCES] == retrieve_knowledge("no_power", "the lamp stays dark")[SOURCES]


def test_without_a_store_the_answer_is_empty_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(STORE, str(tmp_path / "nowhere"))
    use(None)
    with caplog.at_level("WARNING", "specloupe.knowledge"):
        found = retrieve_knowledge("no_power", "the lamp stays dark")
    assert found[SOURCES] == []
    assert found["coverage"] == "none"
    assert caplog.records
