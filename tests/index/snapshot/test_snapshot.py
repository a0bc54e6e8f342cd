from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.sources import DIMENSIONS, MemorySource, component, operation, vector

from core.errors import CallError, StoreDamaged, UnknownId
from core.index.snapshot.build import current
from core.index.snapshot.lexical import LexicalIndex
from core.index.snapshot.snapshot import Snapshot
from core.index.snapshot.writer import Row
from core.model import CatalogEntry, Chunk, Level
from core.retrieve.reader import Reader

on_disk = settings(deadline=None, max_examples=40)  # each example writes files
numbers = st.sampled_from([-0.5, 0.0, 0.25, 0.5])  # few, so that scores tie
vectors = st.lists(numbers, min_size=DIMENSIONS, max_size=DIMENSIONS)
chunks = st.builds(
    lambda make, file, name, **fields: make(file, name, **fields),
    st.sampled_from([operation, component]),
    st.sampled_from(["a.json", "a-b.json", "b.yaml", "c/d.json"]),
    st.text(st.characters(codec="utf-8", exclude_characters=":%"), min_size=1, max_size=3),
    text=st.lists(st.sampled_from(["user", "order", "card"]), max_size=4).map(" ".join),
    deprecated=st.booleans(),
)
stores = st.lists(st.tuples(chunks, vectors), max_size=12, unique_by=lambda row: row[0].id).map(
    lambda rows: [(chunk, vector(*values)) for chunk, values in rows]
)
wheres: st.SearchStrategy[dict[str, Any] | None] = st.sampled_from(
    [
        None,
        {"type": "operation"},
        {"source_file": "a"},
        {"source_file": {"$in": ["a", "c/d"]}},
        {"deprecated": True},
        {"$and": [{"type": {"$ne": "operation"}}, {"source_file": {"$nin": ["a"]}}]},
    ]
)


def opened(rows: Sequence[Row], **fields: Any) -> Snapshot:
    with TemporaryDirectory() as folder:
        return current(Path(folder), MemorySource(rows, **fields))


def passes(chunk: Chunk, where: dict[str, Any] | None) -> bool:
    """The filters of `wheres`, said again in Python."""
    if where is None or where == {"type": "operation"}:
        return where is None or chunk.type == "operation"
    if "$and" in where:
        return chunk.type != "operation" and chunk.source_file != "a"
    if "deprecated" in where:
        return chunk.deprecated
    return chunk.source_file in (["a"] if where["source_file"] == "a" else ["a", "c/d"])


def units(count: int) -> NDArray[np.float32]:
    found = np.random.default_rng(1).standard_normal((count, 256), np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def ranked(scores: dict[str, float], limit: int) -> list[str]:
    return sorted(scores, key=lambda id: (-scores[id], id))[:limit]


@pytest.mark.thorough
@on_disk
@given(stores, vectors, st.integers(1, 15), wheres)
def test_semantic_search_is_brute_force(
    rows: list[Row], values: list[float], limit: int, where: dict[str, Any] | None
) -> None:
    query = vector(*values)
    scores = {c.id: float(v @ query) for c, v in rows if passes(c, where)}
    found = opened(rows).semantic(query, limit=limit, where=where)
    assert [id for id, _ in found] == ranked(scores, limit)
    assert dict(found) == pytest.approx({id: scores[id] for id, _ in found})


@pytest.mark.thorough
@on_disk
@given(stores)
def test_what_is_stored_is_read(rows: list[Row]) -> None:
    source = MemorySource(rows)
    with TemporaryDirectory() as folder:
        snapshot = current(Path(folder), source)
    assert list(snapshot.ids) == sorted(source.chunks)
    assert snapshot.chunks([*source.chunks, "a.json:absent"]) == source.chunks
    for chunk, values in rows:
        row = snapshot.row(chunk.id)
        assert row is not None
        assert snapshot.vectors[row].tolist() == values.tolist()
        for level in Level:
            assert snapshot.rendering(chunk, level) == source.rendering(chunk, level)


@pytest.mark.thorough
@on_disk
@given(stores)
def test_a_file_is_a_slice(rows: list[Row]) -> None:
    snapshot = opened(rows)
    for file_id, part in snapshot.file_slices.items():
        of_file = [snapshot.chunk(row).source_file for row in range(part.start, part.stop)]
        assert set(of_file) == {file_id}
        assert len(of_file) == sum(chunk.source_file == file_id for chunk, _ in rows)


def test_equal_vectors_score_the_same_wherever_they_stand() -> None:
    *others, same, query = units(503)
    rows = [
        (
            operation("a.json", f"{i:04}"),
            same if i % 7 == 3 else others[i],
        )
        for i in range(501)
    ]
    snapshot = opened(rows, dimensions=256)
    scores = snapshot.cosines(query)
    assert len(set(scores[3::7].tolist())) == 1
    np.testing.assert_array_equal(snapshot.cosines(np.stack([query, same]))[0], scores)
    few = snapshot.semantic(query, limit=3, where={"source_file": "a"})
    assert few == snapshot.semantic(query, limit=3, where=None)


SHOP = [
    (
        operation(
            "shop.json",
            "orders",
            text="GET /orders List all orders",
            token_count={Level.JSON: 30, Level.COMPACT: 9},
            ref_ids={
                "shop.json:components/schemas/Order": ("responses.200",),
                "shop.json:components/schemas/Gone": (),
            },
        ),
        vector(1, 0, 0, 0),
    ),
    (
        component(
            "shop.json",
            "Order",
            text="Order An order",
            referenced_by=("shop.json:paths/orders/get",),
        ),
        vector(0, 1, 0, 0),
    ),
]


@pytest.fixture
def shop(tmp_path: Path) -> Snapshot:
    entry = CatalogEntry("shop", "shop.json", "Shop", "Orders.", "1", (), {"operations": 1})
    return current(tmp_path, MemorySource(SHOP, entries=[entry]))


def test_it_is_a_reader(shop: Snapshot) -> None:
    reader: Reader = shop
    assert (reader.kind, reader.generation, reader.embedder) == ("snapshot", "1", "test")
    assert [entry.name for entry in reader.catalog()] == ["Shop"]
    assert reader.arrays is shop
    assert list(reader.file_ids) == ["shop"]


def test_chunks_keep_their_references(shop: Snapshot) -> None:
    assert shop.chunks([chunk.id for chunk, _ in SHOP]) == {chunk.id: chunk for chunk, _ in SHOP}
    assert shop.graph.successors(1).tolist() == [0, 2]
    assert shop.node_id(2) == "shop.json:components/schemas/Gone"
    assert shop.tokens.tolist() == [[-1] * 4, [30, 9, -1, -1]]


def test_facts_are_the_chunks_without_their_references(shop: Snapshot) -> None:
    known = shop.chunks(list(shop.ids))
    bare = {id: replace(chunk, ref_ids={}, referenced_by=()) for id, chunk in known.items()}
    assert {chunk.id: chunk for chunk in shop.facts()} == bare


def test_what_only_the_rendering_says_is_found(shop: Snapshot) -> None:
    assert shop.lexicon.scores(["compact"]).any()


def test_a_wrong_filter_is_refused(shop: Snapshot) -> None:
    with pytest.raises(CallError):
        shop.semantic(vector(1, 0, 0, 0), limit=1, where={"colour": "red"})


def test_a_chunk_of_another_store_is_unknown(shop: Snapshot) -> None:
    with pytest.raises(UnknownId, match="pets"):
        shop.rendering(operation("pets.json", "pets"), Level.COMPACT)


def test_without_an_index_the_error_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(StoreDamaged, match="specloupe index rebuild"):
        Snapshot.open(tmp_path, rendering=MemorySource().rendering)


def test_threads_get_the_answers_that_one_gets() -> None:
    *queries, _ = units(65)
    rows = [
        (
            operation(f"{i % 5}.json", f"item{i}/user{i % 9}"),
            queries[i % 64],
        )
        for i in range(800)
    ]
    snapshot = opened(rows, dimensions=256)

    def answer(i: int) -> object:
        found = snapshot.semantic(queries[i], limit=8, where={"source_file": str(i % 5)})
        words = snapshot.lexicon.scores([f"user{i % 9}", f"item{i}"]).tolist()
        return found, words, snapshot.chunks([id for id, _ in found])

    alone = [answer(i) for i in range(len(queries))]
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(answer, range(len(queries)))) == alone


def test_the_lexicon_is_open_to_other_rankings(shop: Snapshot) -> None:
    assert isinstance(shop.lexicon, LexicalIndex)
    assert shop.lexicon.scores(["order"]).max() > 0
    assert shop.bounds.tolist() == [0, 2]


def test_the_vector_of_a_text_whose_key_is_near_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of 63 bits that are one number as floats."""
    names = [f"user{number}" for number in range(5)]
    rows = [operation("a.json", name, text=name) for name in names]
    found = opened([(row, vector(0.5, 0, 0, at / 8)) for at, row in enumerate(rows)])
    texts = [found.text(row) for row in range(len(found))]
    keys = {text: (1 << 62) + at for at, text in enumerate(texts)}
    monkeypatch.setattr("core.index.snapshot.snapshot.text_key", lambda text: keys.get(text, 1))
    found.text_keys = np.array([keys[text] for text in texts], np.uint64)
    for row, text in enumerate(texts):
        of = found.vector_of(text)
        assert of is not None
        assert np.array_equal(of, found.vectors[row])
    assert found.vector_of("of no row") is None
