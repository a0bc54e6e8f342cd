"""Another embedder for a store: the same chunks, other vectors, and nothing in between."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest
from support.apis import api, contents, fill, write

from core.errors import StoreError
from core.index.disk.files import FolderFiles
from core.index.disk.journal import Journal, write_journal
from core.index.embed.hashed import HashEmbedder
from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store
from core.index.write.reembed import reembed
from core.index.write.report import Phase


class Other(HashEmbedder):
    dimensions = 32


@pytest.fixture
def path(tmp_path: Path) -> Path:
    files = {f"{name}.json": api(name.title()) for name in ("shop", "pets", "bank")}
    fill(tmp_path / "store", write(tmp_path / "apis", files))
    return tmp_path / "store"


def test_the_chunks_stay_and_the_vectors_change(path: Path) -> None:
    before = contents(path)
    events = list(reembed(Store.open(path), embedder=Other()))
    assert [e.phase for e in events] == [Phase.STORED] * 3 + [Phase.INDEX]
    store = Store.open(path)
    assert (store.embedder, store.dimensions) == (Other().fingerprint, 32)
    assert contents(path) == before
    text = before["shop.json:paths/users/get"].text
    (vector,) = Other().embed([text])
    hits = store.semantic(vector, limit=1, where=None)
    assert hits == [("shop.json:paths/users/get", pytest.approx(1.0, abs=1e-5))]
    index = Snapshot.open(path / "index", rendering=store.rendering)
    assert (index.embedder, index.generation) == (store.embedder, store.generation)


def test_an_interrupted_conversion_changes_nothing(path: Path) -> None:
    before, generation = contents(path), Store.open(path).generation
    converting = reembed(Store.open(path), embedder=Other())
    next(converting)
    converting.close()  # type: ignore[attr-defined]
    assert Store.open(path).generation == generation
    assert contents(path) == before
    list(reembed(Store.open(path), embedder=Other()))
    assert contents(path) == before


@pytest.mark.thorough
@pytest.mark.parametrize("data", ['{"z":"a"}', '{"z":"eA=="}', "[]", "{"])
def test_rows_that_cannot_be_read_are_one_sentence(path: Path, data: str) -> None:
    store = Store.open(path)
    with contextlib.closing(store.place.rows(store.manifest.collection, store.embedder)) as rows:
        (shop,) = rows.of_file("shop")
        metadata = [{**each, "data": data} for each in shop.metadata]
        list(rows.replace(["shop"], replace(shop, metadata=metadata)))
    generation = store.generation
    with pytest.raises(StoreError, match=r"rows that this version .* cannot read\. Choose"):
        list(reembed(Store.open(path), embedder=Other()))
    assert Store.open(path).generation == generation


def test_there_and_back(path: Path) -> None:
    generation = Store.open(path).generation
    list(reembed(Store.open(path), embedder=Other()))
    list(reembed(Store.open(path), embedder=HashEmbedder()))
    assert Store.open(path).generation == generation


def test_the_same_embedder(path: Path) -> None:
    assert [e.phase for e in reembed(Store.open(path), embedder=HashEmbedder())] == [Phase.INDEX]


def test_an_empty_store(tmp_path: Path) -> None:
    assert list(reembed(Store.open(tmp_path / "new"), embedder=Other())) == []


def test_a_store_that_is_not_whole(path: Path) -> None:
    write_journal(FolderFiles(path), Journal((), (), ("shop",)))
    with pytest.raises(StoreError, match="complete it with `specloupe ingest` first"):
        list(reembed(Store.open(path), embedder=Other()))
