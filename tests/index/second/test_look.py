from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.sources import MemorySource, operation, vector

from core.deadline import Deadline
from core.index.embed.hashed import HashEmbedder
from core.index.second.fill import fill
from core.index.second.look import LEAST, MOST, StoredLook
from core.index.second.second import SecondModel, measured
from core.index.second.table import open_table
from core.index.snapshot.build import current
from core.index.snapshot.snapshot import Snapshot

FINGERPRINT = HashEmbedder().fingerprint


def rows(folder: Path, count: int) -> Snapshot:
    chunks = [operation("a.json", f"n{at:02}", text=f"the text of {at}") for at in range(count)]
    source = MemorySource(
        rows=[(chunk, vector(1, 0, 0, 0)) for chunk in chunks], generation=f"{count}"
    )
    return current(folder / "index", source)


def partly(folder: Path, stored: int, count: int) -> StoredLook:
    """A look at so many rows, of which the first have stored vectors."""
    if stored:
        list(fill(folder / "second", rows(folder, stored), HashEmbedder()))
    table = open_table(folder / "second", FINGERPRINT)
    return StoredLook(rows(folder, count), table, SecondModel(HashEmbedder()))


def exact(*numbers: int) -> object:
    return HashEmbedder().embed([f"the text of {at}" for at in numbers])


def test_stored_vectors_come_with_the_first_of_the_others(tmp_path: Path) -> None:
    looked = partly(tmp_path, 3, 9).of([8, 1, 7, 6, 2], texts=2)
    assert looked.known.tolist() == [True, True, True, False, True]
    np.testing.assert_allclose(looked.vectors[[0, 2]], exact(8, 7))
    np.testing.assert_allclose(looked.vectors[[1, 4]], exact(1, 2), atol=0.01)
    assert not looked.vectors[3].any()


def test_what_is_remembered_counts_as_what_is_embedded(tmp_path: Path) -> None:
    look = partly(tmp_path, 0, 9)
    once = look.of([5, 6, 7], texts=2)
    again = look.of([5, 6, 7], texts=2)
    assert again.known.tolist() == once.known.tolist() == [True, True, False]
    np.testing.assert_array_equal(again.vectors, once.vectors)


def test_past_the_deadline_no_text_is_embedded(tmp_path: Path) -> None:
    passed = Deadline.after(-1)
    looked = partly(tmp_path, 3, 9).of([0, 8], texts=5, deadline=passed)
    assert looked.known.tolist() == [True, False]


def test_without_any_stored_vector(tmp_path: Path) -> None:
    look = partly(tmp_path, 0, 4)
    assert look.known is not None
    assert not look.known.any()
    assert look.cosines(np.ones((2, look.embed(["a"]).shape[1]), np.float32)).tolist() == [
        [0] * 4,
        [0] * 4,
    ]
    assert look.of([]).vectors.shape == (0, look.embed(["a"]).shape[1])


def test_the_number_of_texts_follows_from_the_pace_alone(tmp_path: Path) -> None:
    look = StoredLook(rows(tmp_path, 1), None, SecondModel(HashEmbedder()), pace=200)
    assert look.texts(150) == 30
    assert look.texts(0) == 0
    assert look.texts(10) == LEAST
    assert look.texts(10_000) == MOST


def test_the_state_tells_what_answers_depend_on(tmp_path: Path) -> None:
    before, model = partly(tmp_path, 3, 9), SecondModel(HashEmbedder())
    slower = StoredLook(rows(tmp_path, 9), None, model, pace=7)
    after = partly(tmp_path, 9, 9)
    assert len({before.state, after.state, slower.state}) == 3
    assert partly(tmp_path, 9, 9).state == after.state


@pytest.mark.parametrize(("seconds", "pace"), [(0.16, 100), (16.0, 1), (160.0, 1)], ids=str)
def test_the_pace_is_texts_a_second(seconds: float, pace: int) -> None:
    ticks = iter(at * seconds for at in range(100))
    assert measured(HashEmbedder(), clock=lambda: next(ticks)) == pace
