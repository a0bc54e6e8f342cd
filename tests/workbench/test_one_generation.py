"""What takes several looks at a store sees one generation, whoever writes in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.stores import ingested, opened, version

from core import Workbench
from core.errors import StoreBusy, StoreError, UnknownId
from core.functions.documents.context import retrieve_context
from core.functions.documents.query import RetrievalOptions, RetrievalQuery
from core.functions.documents.search import (
    find_similar_documents,
    multi_vector_search,
    retrieve_documents,
)
from core.model import Level
from core.service.tools import Tools

USER = "bank.json:components/schemas/User"
ALL = RetrievalOptions(max_results=9, min_score=0.0, max_graph_distance=1)
CALLS: dict[str, Callable[[Workbench], object]] = {
    "documents": lambda it: retrieve_documents(
        RetrievalQuery("schema User", limit=9, max_graph_distance=1, min_score=0.0), it
    ),
    "context": lambda it: retrieve_context("schema User", ALL, it),
    "vectors": lambda it: multi_vector_search("schema User", workbench=it),
    "similar": lambda it: find_similar_documents(USER, min_score=0.0, workbench=it),
    "element": lambda it: it.element(USER, Level.JSON),
    "show": lambda it: it.show(USER),
    "tool": lambda it: Tools(it).search("schema User"),
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    write(tmp_path, 1)
    return tmp_path / "store"


def write(folder: Path, number: int) -> None:
    """Another process puts this version into the store."""
    with opened(folder / "store") as workbench:
        ingested(workbench, version(folder / "source", number))


def versions(said: object) -> set[str]:
    return {*re.findall(r"\bv(\d+)\b", str(said))}


@pytest.mark.thorough
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("look", range(4))
def test_a_store_that_is_written_to_between_two_looks(
    store: Path, monkeypatch: pytest.MonkeyPatch, call: Callable[[Workbench], object], look: int
) -> None:
    """The write comes after so many looks at which generation is the newest."""
    with opened(store) as workbench:
        assert versions(call(workbench)) == {"1"}
        after(look, lambda: write(store.parent, 2), workbench, monkeypatch)
        assert len(versions(call(workbench))) == 1
        monkeypatch.undo()
        write(store.parent, 3)
        assert versions(call(workbench)) == {"3"}


def after(
    looks: int, act: Callable[[], None], workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, original = iter(range(1_000)), workbench._newest._current

    def current() -> object:
        found = original()
        if next(numbers) == looks:
            act()
        return found

    monkeypatch.setattr(workbench._newest, "_current", current)


def test_what_has_gone_with_its_generation_is_read_again(store: Path) -> None:
    asked = iter([lambda: write(store.parent, 2), lambda: None])

    def both() -> tuple[object, object]:
        body = workbench.get_by_ids([USER])
        next(asked)()
        return body, workbench.element(USER, Level.JSON)

    with opened(store) as workbench:
        assert versions(workbench.of_one_generation(both)) == {"2"}


@pytest.mark.thorough
def test_a_store_that_changes_each_time_is_busy(store: Path) -> None:
    numbers = iter(range(2, 20))

    def both() -> None:
        workbench.catalog()
        write(store.parent, next(numbers))
        workbench.look(USER)

    with opened(store) as workbench:
        with pytest.raises(StoreBusy, match="is being written to: try again"):
            workbench.of_one_generation(both)
        assert next(numbers) == 7  # five times


@pytest.mark.parametrize("error", [StoreError("It is broken."), UnknownId("chunk", "x")])
def test_an_error_of_a_store_that_stayed_is_told_at_once(store: Path, error: Exception) -> None:
    calls: Iterator[int] = iter(range(9))

    def ask() -> None:
        workbench.look(USER)
        next(calls)
        raise error

    with opened(store) as workbench:
        with pytest.raises(type(error)):
            workbench.of_one_generation(ask)
        assert next(calls) == 1
        write(store.parent, 2)
        assert versions(workbench.look(USER)) == {"2"}  # nothing is held any more
