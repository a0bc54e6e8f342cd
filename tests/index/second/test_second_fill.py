from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.sources import MemorySource, operation, vector

from core.errors import StoreBusy, StoreDamaged
from core.index.embed.hashed import HashEmbedder
from core.index.second.fill import Filled, fill
from core.index.second.look import StoredLook
from core.index.second.second import SecondModel
from core.index.second.table import POINTER, open_table
from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot
from core.index.snapshot.writer import Row

NAMES = [f"n{at:03}" for at in range(150)]


class Counting:
    """The embedder for tests, which knows what it was asked."""

    def __init__(self, fingerprint: str = "") -> None:
        self._hash = HashEmbedder()
        self.fingerprint = fingerprint or self._hash.fingerprint
        self.dimensions = self._hash.dimensions
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        self.asked += texts
        return self._hash.embed(texts)


def row(name: str, text: str = "") -> Row:
    return operation("a.json", name, text=text or f"the text of {name}"), vector(1, 0, 0, 0)


def snapshot(folder: Path, rows: Sequence[Row], generation: str = "1") -> Snapshot:
    return current(folder, MemorySource(rows=rows, generation=generation))


def texts_of(embedder: Counting) -> list[str]:
    return [text for text in embedder.asked if text.startswith("the text of")]


def look(folder: Path, rows: Snapshot, embedder: Counting) -> StoredLook:
    return StoredLook(rows, open_table(folder, embedder.fingerprint), SecondModel(embedder))


@pytest.fixture
def all_rows(tmp_path: Path) -> Snapshot:
    return snapshot(tmp_path / "index", [row(name) for name in NAMES])


def test_every_row_gets_the_vector_of_its_text(tmp_path: Path, all_rows: Snapshot) -> None:
    embedder = Counting()
    steps = list(fill(tmp_path / "second", all_rows, embedder))
    assert [(step.done, step.total) for step in steps] == [
        *((0, 150), (64, 150), (128, 150), (150, 150)),
        (150, 150),
    ]
    stored = look(tmp_path / "second", all_rows, embedder)
    assert stored.known is None
    asked = embedder.embed(["the text of n007", "elsewhere"])
    exact = embedder.embed([all_rows.text(at) for at in range(150)]) @ asked.T
    np.testing.assert_allclose(stored.cosines(asked), exact.T, atol=0.01)
    np.testing.assert_array_equal(stored.cosines(asked[0]), stored.cosines(asked)[0])


def test_equal_texts_are_embedded_once(tmp_path: Path) -> None:
    rows = snapshot(tmp_path / "index", [row("a", "the text of all"), row("b", "the text of all")])
    embedder = Counting()
    assert list(fill(tmp_path / "second", rows, embedder))[-1] == Filled(1, 1, 0.0)
    assert texts_of(embedder) == ["the text of all"]
    assert look(tmp_path / "second", rows, embedder).known is None


def test_what_was_made_before_an_end_is_not_made_again(tmp_path: Path, all_rows: Snapshot) -> None:
    first, second = Counting(), Counting()
    begun = fill(tmp_path / "second", all_rows, first)
    list(islice(begun, 2))  # a batch is made
    begun.close()
    assert open_table(tmp_path / "second", first.fingerprint) is None
    list(fill(tmp_path / "second", all_rows, second))
    assert len(texts_of(first)) == 64
    assert sorted(texts_of(first) + texts_of(second)) == [f"the text of {name}" for name in NAMES]
    assert look(tmp_path / "second", all_rows, second).known is None


@pytest.mark.parametrize("harm", ["cut short", "changed"])
def test_a_damaged_record_is_made_again(tmp_path: Path, all_rows: Snapshot, harm: str) -> None:
    begun = fill(tmp_path / "second", all_rows, Counting())
    list(islice(begun, 2))
    begun.close()
    (records,) = (tmp_path / "second").glob("*.records")
    data = bytearray(records.read_bytes())
    data[-20] ^= 1
    records.write_bytes(data[:-7] if harm == "cut short" else data)
    embedder = Counting()
    list(fill(tmp_path / "second", all_rows, embedder))
    assert len(texts_of(embedder)) == 150 - 63
    asked = embedder.embed(["the text of n063"])
    assert look(tmp_path / "second", all_rows, embedder).cosines(asked)[0, 63] > 0.99


def test_a_damaged_table_is_made_again(tmp_path: Path, all_rows: Snapshot) -> None:
    list(fill(tmp_path / "second", all_rows, Counting()))
    (vectors,) = (tmp_path / "second").glob("*/vectors.bin")
    data = bytearray(vectors.read_bytes())
    data[100] ^= 1
    vectors.write_bytes(data)
    embedder = Counting()
    list(fill(tmp_path / "second", all_rows, embedder))
    assert len(texts_of(embedder)) == 150
    assert look(tmp_path / "second", all_rows, embedder).known is None


def test_a_new_generation_keeps_what_it_shares_with_the_last(tmp_path: Path) -> None:
    folder, embedder = tmp_path / "second", Counting()
    before = snapshot(tmp_path / "index", [row("a"), row("b")])
    list(fill(folder, before, embedder))
    after = snapshot(tmp_path / "index", [row("b"), row("c"), row("d")], "2")
    known = look(folder, after, embedder).known
    assert known is not None
    assert known.tolist() == [True, False, False]
    assert look(folder, after, embedder).cosines(embedder.embed(["x"])[0])[1:].tolist() == [0, 0]
    embedder.asked.clear()
    list(fill(folder, after, embedder))
    assert texts_of(embedder) == ["the text of c", "the text of d"]
    table = open_table(folder, embedder.fingerprint)
    assert table
    assert len(table.keys) == 3  # the text that nothing has any more is forgotten
    assert len(list(folder.glob("t-*"))) == 1


def test_nothing_is_written_when_nothing_is_missing(tmp_path: Path, all_rows: Snapshot) -> None:
    list(fill(tmp_path / "second", all_rows, Counting()))
    before = sorted(path.name for path in (tmp_path / "second").iterdir())
    embedder = Counting()
    assert list(fill(tmp_path / "second", all_rows, embedder)) == [Filled(150, 150, 0.0)]
    assert not embedder.asked
    assert sorted(path.name for path in (tmp_path / "second").iterdir()) == before


def test_a_pointer_that_leads_nowhere_is_damage_and_mended(
    tmp_path: Path, all_rows: Snapshot
) -> None:
    folder, embedder = tmp_path / "second", Counting()
    list(fill(folder, all_rows, embedder))
    (folder / POINTER).write_bytes(b"\0" * 11)
    with pytest.raises(StoreDamaged):
        open_table(folder)
    list(fill(folder, all_rows, embedder))
    assert look(folder, all_rows, embedder).known is None


def test_another_model_starts_anew(tmp_path: Path, all_rows: Snapshot) -> None:
    list(fill(tmp_path / "second", all_rows, Counting("first")))
    assert open_table(tmp_path / "second", "second") is None
    embedder = Counting("second")
    list(fill(tmp_path / "second", all_rows, embedder))
    assert len(texts_of(embedder)) == 150
    assert look(tmp_path / "second", all_rows, embedder).known is None


def test_one_at_a_time(tmp_path: Path, all_rows: Snapshot) -> None:
    begun = fill(tmp_path / "second", all_rows, Counting())
    next(begun)
    with pytest.raises(StoreBusy, match="being made already"):
        next(fill(tmp_path / "second", all_rows, Counting()))
    begun.close()


def test_a_store_without_rows(tmp_path: Path) -> None:
    rows = snapshot(tmp_path / "index", [])
    assert list(fill(tmp_path / "second", rows, Counting())) == [Filled(0, 0, 0.0)]
    assert look(tmp_path / "second", rows, Counting()).cosines(vector(1)).shape == (0,)
