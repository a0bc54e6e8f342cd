"""The process that writes for another one: the same answers, and an end in every case."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import numpy as np
import pytest

from core.errors import StoreBusy, StoreError
from core.index.chroma.rows import Rows
from core.index.chroma.writer import LocalWriter, ProcessWriter, Writer, serve
from core.index.disk import lock as locking


def rows(file_id: str, count: int) -> Rows:
    metadata = [{"source_file": file_id, "data": "{}"} for _ in range(count)]
    ids = [f"{file_id}.json:{n}" for n in range(count)]
    vectors = np.random.default_rng(1).random((count, 4), np.float32)
    return Rows(ids, [f"text {n}" for n in range(count)], metadata, vectors)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [LocalWriter, ProcessWriter])
def test_replacing(tmp_path: Path, kind: type[LocalWriter | ProcessWriter]) -> None:
    writer: Writer = kind(tmp_path, "chunks", "e")
    assert list(writer.replace([], rows("a", 2_500))) == [1_000, 2_000, 2_500]
    assert list(writer.replace(["a"], rows("a", 3))) == [3]
    (got,) = writer.of_file("a")
    assert sorted(got.ids) == ["a.json:0", "a.json:1", "a.json:2"]
    order = np.argsort(got.ids)
    assert got.vectors[order] == pytest.approx(rows("a", 3).vectors)
    assert list(writer.of_file("b")) == []
    writer.close()


def test_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.index.chroma.writer._LAST_BATCH_SECONDS", 0.1)
    writer = LocalWriter(tmp_path, "chunks", "e")
    with pytest.raises(StoreBusy, match="try again when it is done"):
        LocalWriter(tmp_path, "chunks", "e")
    writer.close()
    LocalWriter(tmp_path, "chunks", "e").close()


@pytest.mark.thorough
def test_what_goes_wrong_over_there_is_raised_here(tmp_path: Path) -> None:
    (tmp_path / "chroma").write_text("not a folder")
    writer = ProcessWriter(tmp_path, "chunks", "e")
    with pytest.raises(StoreError, match="chroma cannot be used"):
        list(writer.replace([], rows("a", 1)))
    writer.close()


def test_a_collection_of_another_embedder(tmp_path: Path) -> None:
    LocalWriter(tmp_path, "chunks", "one").close()
    with pytest.raises(StoreError, match="was not made by the embedder 'other'"):
        LocalWriter(tmp_path, "chunks", "other")


def test_the_lock_is_free_after_a_failure(tmp_path: Path) -> None:
    (tmp_path / "chroma").write_text("not a folder")
    with pytest.raises(StoreError):
        LocalWriter(tmp_path, "chunks", "e")
    with locking.locked(tmp_path, locking.ROWS):
        pass


@pytest.mark.parametrize("commands", [b"", b"\x80\x05cut off"], ids=["end", "cut-off"])
def test_serving_ends_with_the_other_process(tmp_path: Path, commands: bytes) -> None:
    answers = io.BytesIO()
    serve(io.BytesIO(commands), answers, lambda: LocalWriter(tmp_path, "chunks", "e"))
    assert answers.getvalue() == b""


def test_serving_nobody(tmp_path: Path) -> None:
    class Gone(io.BytesIO):
        def write(self, *_: object) -> int:
            raise BrokenPipeError

    commands = io.BytesIO(pickle.dumps(("of_file", ("a",))))
    serve(commands, Gone(), lambda: LocalWriter(tmp_path, "chunks", "e"))
