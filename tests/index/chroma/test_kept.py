from __future__ import annotations

from pathlib import Path

import pytest
from support.stores import ingested, opened, version

from core.index.chroma.collection import ChunkCollection
from core.index.chroma.kept import KeptChunks
from core.index.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    with opened(tmp_path / "store") as made:
        ingested(made, version(tmp_path / "apis", 1))
    return Store.open(tmp_path / "store")


def test_what_was_looked_up_is_not_asked_for_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    get = ChunkCollection.get

    def told(rows: ChunkCollection, ids: list[str]) -> object:
        asked.extend(ids)
        return get(rows, ids)

    monkeypatch.setattr(ChunkCollection, "get", told)
    (file_id, *_) = store.file_ids
    first, second, *_ = [chunk.id for chunk in store.chunks_of(file_id)]
    once = store.chunks([first])
    both = store.chunks([second, first, "nothing"])
    assert asked == [first, second, "nothing"]
    assert list(both) == [second, first]
    assert both[first] == once[first]


def test_the_least_recently_used_go_first(store: Store) -> None:
    (file_id, *_) = store.file_ids
    a, b, c, *_ = store.chunks_of(file_id)
    kept = KeptChunks(most=2)
    kept.keep([a, b])
    kept.of([a.id])
    kept.keep([c])
    assert set(kept.of([a.id, b.id, c.id])) == {a.id, c.id}
