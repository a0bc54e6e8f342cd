"""From a question to results over a real store, and everything that can be wrong about a call."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.apis import api, write
from support.coroutines import finished
from support.stores import opened

from core import StoreError, Workbench
from core.functions import (
    StorageEntry,
    aget_retrieval_stats,
    aretrieve,
    aretrieve_by_language,
    aretrieve_from_file,
    embed_queries_batch,
    embed_query,
    get_retrieval_stats,
    retrieve,
    retrieve_by_language,
    retrieve_from_file,
    search_by_file,
    search_by_language,
    search_similar,
    search_with_embedding,
    use,
    validate_query_embedding,
    workbench,
)

FILES = {
    "src/cart.py": 'def add_item(cart, x):\n    """Put an item into the cart."""\n    return 1\n',
    "src/mail.py": 'def send_mail(to):\n    """Write to a buyer."""\n    return to\n',
    "web/cart.ts": "/** Put an item into the browser's cart. */\nexport function addItem() {}\n",
    "old/mail.py": "def send():\n    pass\n",
}
ADD = "src/cart.py:function/add_item"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("functions")
    write(folder / "in", {**FILES, "shop.json": api("Shop")})
    with opened(folder / "store") as shared:
        for _ in shared.ingest([folder / "in"], formats=("all",)):
            pass
        yield shared


@pytest.fixture(autouse=True)
def shared(store: Workbench) -> Iterator[None]:
    use(store)
    yield
    use(None)


def test_the_nearest_chunks_best_first() -> None:
    results = retrieve("put an item into the cart")
    assert str(results[0].metadata["file"]).partition("/")[2].startswith("cart")
    assert [one.score for one in results] == sorted((o.score for o in results), reverse=True)
    assert len(results) <= 5
    (add,) = (one for one in results if one.chunk_id == ADD)
    assert add.content == FILES["src/cart.py"].rstrip()
    assert add.location == "src/cart.py:1-3"
    assert add.function_name == "add_item"
    assert (add.metadata["language"], add.metadata["kind"]) == ("python", "function")


def test_by_language_and_by_file() -> None:
    assert {
        one.metadata["language"] for one in retrieve_by_language("item", "TypeScript", 5, 0)
    } == {"typescript"}
    for path in ("src/mail.py", "./src/mail.py", "web/cart.ts", "cart.ts"):
        files = {one.metadata["file"] for one in retrieve_from_file("anything", path, 5, 0)}
        assert files == {path.removeprefix("./") if "/" in path else "web/cart.ts"}
    assert retrieve_by_language("item", "cobol") == []


def test_an_empty_file_has_no_lines_and_an_odd_encoding_has_its_own(
    store: Workbench, tmp_path: Path
) -> None:
    names = {"empty.py": b"", "blank.py": b"\n \n", "wide.py": "# é\nx = 1\n".encode("utf-16")}
    for name, data in names.items():
        (tmp_path / name).write_bytes(data)
    with opened(tmp_path / "store") as other:
        for _ in other.ingest([tmp_path / name for name in names]):
            pass
        use(other)
        found = {str(one.metadata["file"]): one.content for one in retrieve("x", 5, 0)}
    assert found == {"empty.py": "", "blank.py": "\n ", "wide.py": "# é\nx = 1"}


def test_a_filter_of_the_store_holds() -> None:
    found = retrieve("users", 10, 0.0, {"type": "operation"})
    assert {one.metadata["type"] for one in found} == {"operation"}
    assert found[0].location.startswith("shop.json#/paths/")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: retrieve(""), "Query cannot be empty"),
        (lambda: retrieve(" \n"), "Query cannot be empty"),
        (lambda: retrieve(None), "Query cannot be empty"),
        (lambda: embed_query("\t"), "Query cannot be empty"),
        (lambda: retrieve("a", 0), "top_k"),
        (lambda: retrieve("a", 5, 2), "min_score"),
        (lambda: retrieve("a", 5, 0.3, {"color": "red"}), "'color' is not one of"),
        (lambda: retrieve_from_file("a", "mail.py"), "More than one file ends in 'mail.py'"),
        (lambda: retrieve_from_file("a", "src/maill.py"), "Did you mean src/mail.py"),
        (lambda: validate_query_embedding([0.1] * 12), "Invalid dimension: 12, expected"),
        (lambda: search_similar([0.1] * 12, 5), "Invalid dimension: 12, expected"),
        (lambda: retrieve_by_language("a", None), "language must be the name of one, not None"),
        (lambda: retrieve_by_language("a", " "), "language must be"),
        (lambda: search_by_language(embed_query("a"), 5, 3), "language must be"),
        (lambda: retrieve_from_file("a", None), "file_path must be a path, not None"),
        (lambda: search_by_file(embed_query("a"), "", 3), "file_path must be"),
        (
            lambda: retrieve("a", 5, 0.3, "python"),
            "filter_metadata must be a mapping, not 'python'",
        ),
        (lambda: embed_queries_batch("abc"), "queries must be a list of texts, not 'abc'"),
        (lambda: embed_queries_batch(None), "queries must be"),
        (lambda: embed_queries_batch([None]), "Query cannot be empty"),
        (lambda: validate_query_embedding(None), "Invalid embedding: .* not NoneType"),
        (lambda: validate_query_embedding(x for x in [0.1]), "not generator"),
        (lambda: validate_query_embedding("0" * 256), "not str"),
        (lambda: validate_query_embedding(["a"] * 256), "Invalid embedding: not .* finite"),
        (lambda: validate_query_embedding([None] * 256), "not .* finite"),
        (lambda: validate_query_embedding([10**400] * 256), "not .* finite"),
        (lambda: search_similar([[0.1]] * 256, 5), "not .* finite"),
    ],
)
def test_what_is_wrong_is_a_value_error_in_a_sentence(call: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()


def test_numbers_of_numpy_are_numbers() -> None:
    found = retrieve("put an item into the cart", np.int64(2), np.float32(0))
    assert len(found) == 2
    assert len(search_similar(np.array(embed_query("item")), np.int32(1))) == 1


def test_numbers_that_are_none_are_no_embedding(store: Workbench) -> None:
    with pytest.raises(ValueError, match="not every number is finite"):
        validate_query_embedding([float("nan")] * store.dimensions)


class Client:
    """Speaks as OpenAI's does, about vectors of a length."""

    def __init__(self, length: int, error: Exception | None = None) -> None:
        self.length, self.error = length, error
        self.asked: list[dict[str, Any]] = []
        self.embeddings = self

    def create(self, **asked: Any) -> SimpleNamespace:
        self.asked.append(asked)
        if self.error:
            raise self.error
        rows = [
            SimpleNamespace(index=at, embedding=[float(at + 1)] * self.length)
            for at in range(len(asked["input"]))
        ]
        return SimpleNamespace(data=rows[::-1])


def test_a_client_of_the_caller(store: Workbench) -> None:
    client = Client(store.dimensions)
    vectors = embed_queries_batch([" one ", "two"], client)
    assert [vector[0] for vector in vectors] == [1.0, 2.0]
    assert client.asked == [{"model": "text-embedding-3-small", "input": ["one", "two"]}]
    assert embed_queries_batch([], client) == []
    with pytest.raises(ValueError, match=f"Invalid dimension: 1536, expected {store.dimensions}"):
        embed_query("one", Client(1_536))
    with pytest.raises(ValueError, match="Failed to embed query: no more"):
        embed_query("one", Client(1, RuntimeError("no more")))


def test_vectors_of_openais_length_where_the_store_has_them(
    monkeypatch: pytest.MonkeyPatch, store: Workbench
) -> None:
    monkeypatch.setattr(Workbench, "dimensions", 1_536)
    assert len(embed_query("one", Client(1_536))) == 1_536
    with pytest.raises(ValueError, match=r"Invalid dimension: \d+, expected 1536"):
        embed_query("one")


def test_a_search_by_vector() -> None:
    vector = embed_query("put an item into the cart")
    entries = search_similar(vector, 50)
    assert {entry.score is not None for entry in entries} == {True}
    assert ADD in [entry.id for entry in entries]
    (add,) = (entry for entry in entries if entry.id == ADD)
    assert len(add.embedding) == len(vector)
    assert {one.metadata["language"] for one in search_by_language(vector, "python", 9)} == {
        "python"
    }
    assert {one.metadata["file"] for one in search_by_file(vector, "src/mail.py", 9)} == {
        "src/mail.py"
    }


def test_a_store_as_its_manager(store: Workbench) -> None:
    question, only = "put an item into the cart", {"language": "python"}
    found = store.search(question, 3, only)
    entries = search_with_embedding(embed_query(question), 3, only)
    assert [near.chunk.id for near in found] == [entry.id for entry in entries]
    assert len(found) == 3
    ids = [near.chunk.id for near in found][::-1]
    assert [chunk.id for chunk in store.get_by_ids([*ids, "nothing"])] == ids


def test_a_storage_manager_of_the_caller() -> None:
    class Manager:
        def search(self, vector: Any, limit: int, filters: Any) -> list[StorageEntry]:
            if filters:
                raise StoreError("gone")
            return [StorageEntry("x", "", vector, {}, 0.5)] * limit

    assert len(search_similar([0.1], 3, None, Manager())) == 3
    with pytest.raises(ValueError, match="Failed to search ChromaDB: gone"):
        search_similar([0.1], 3, {"a": 1}, Manager())


def test_a_store_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use(None)
    monkeypatch.setenv("SPECLOUPE_STORE", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="none"):
        retrieve("a")


def test_the_store_of_the_environment_is_opened_once(
    monkeypatch: pytest.MonkeyPatch, store: Workbench
) -> None:
    use(None)
    monkeypatch.setenv("SPECLOUPE_STORE", store.store)
    with ThreadPoolExecutor(4) as pool:
        assert len({id(one) for one in pool.map(lambda _: workbench(), range(8))}) == 1
    workbench().close()


@pytest.mark.parametrize(("top_k", "asked"), [(1, 2), (5, 10), (500, 1_000), (1_000, 1_000)])
def test_twice_as_many_are_searched_as_are_wanted(
    top_k: int, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def noted(vector: Any, limit: int, filters: Any) -> list[StorageEntry]:
        seen.append(limit)
        return [StorageEntry(f"{at:04}", "", vector, {}, 0.5) for at in range(limit)]

    monkeypatch.setattr(sys.modules[retrieve.__module__], "search_similar", noted)
    assert len(retrieve("item", top_k)) == min(top_k, asked)
    assert seen == [asked]


def test_figures_and_log(caplog: pytest.LogCaptureFixture) -> None:
    before = get_retrieval_stats()
    with caplog.at_level(logging.INFO, "specloupe.functions"):
        retrieve("item cart")
        assert retrieve("zzz qqq", min_score=1.0) == []
    after = get_retrieval_stats()
    assert after["total_queries"] - before["total_queries"] == 2
    assert after["empty_results"] - before["empty_results"] == 1
    assert after["last_total_ms"] >= after["last_search_ms"] > 0
    assert len(after["score_range"]) == 2
    assert "query length 9" in caplog.text
    for step in ("embed_time", "search_time", "process_time", "total_time", "score range"):
        assert step in caplog.text
    assert "item cart" not in caplog.text  # what is asked is not logged


def test_asynchronous_twins_answer_alike() -> None:
    async def all_of_them() -> list[Any]:
        return await asyncio.gather(
            aretrieve("item cart"),
            aretrieve_by_language("item cart", "python"),
            aretrieve_from_file("item cart", "src/cart.py"),
        )

    assert finished(all_of_them()) == [
        retrieve("item cart"),
        retrieve_by_language("item cart", "python"),
        retrieve_from_file("item cart", "src/cart.py"),
    ]
    assert (
        finished(aget_retrieval_stats())["total_queries"] == get_retrieval_stats()["total_queries"]
    )


def test_top_k_of_the_workbench(store: Workbench) -> None:
    assert len(store.retrieve("write users", top_k=1).primary_chunks) <= 1
