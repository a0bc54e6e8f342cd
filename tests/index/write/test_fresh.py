"""What a run has cut waits for the read index: in memory while it is little, else on the disk."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from support.sources import operation

from core.errors import StoreError
from core.index.write import fresh
from core.index.write.fresh import Kept, Packed

VECTORS = np.arange(8, dtype=np.float32).reshape(2, 4)
CHUNKS = operation("a.json", "users"), operation("a.json", "cards")
RENDERINGS = ("all of users", "users"), ("all of cards", "cards")


def packed(rows: int = 2) -> Packed:
    return Packed.of(CHUNKS[:rows], VECTORS[:rows], RENDERINGS[:rows])


@pytest.mark.parametrize("room", [0, 1_000_000])
def test_what_was_kept_comes_back_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(fresh, "_IN_MEMORY", room)
    with closing(Kept(tmp_path / "index")) as kept:
        for file_id, rows in (("a", 1), ("none", 0), ("b", 2), ("a", 2)):
            kept.keep(file_id, packed(rows))
        for file_id, rows in (("b", 2), ("none", 0), ("a", 2)):
            found = kept.take(file_id)
            assert found is not None
            assert found.unpack() == (CHUNKS[:rows], RENDERINGS[:rows])
            assert found.vectors.tolist() == VECTORS[:rows].tolist()
            assert found.vectors.shape == (rows, 4)
            assert kept.take(file_id) is None
        kept.keep("c", packed(1))
        found = kept.take("c")
        assert found is not None
        assert found.vectors.tolist() == VECTORS[:1].tolist()


def test_where_there_is_no_room_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh, "_IN_MEMORY", 0)
    (tmp_path / "index").write_text("not a folder")
    with (
        closing(Kept(tmp_path / "index")) as kept,
        pytest.raises(StoreError, match=r"index cannot be written: .*--store"),
    ):
        kept.keep("a", packed())
