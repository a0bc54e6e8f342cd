"""What people did by hand is in the store at once, and is never lost in silence."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given as property_of
from hypothesis import settings
from hypothesis import strategies as st
from support.apis import api, fill, write

from core import Workbench
from core.errors import EvalSetError, StoreDamaged, StoreError
from core.evaluate.runs.kept import Kept
from core.evaluate.sets.sample import Sample
from core.index.chroma.folder import Folder
from core.index.disk.items import FileItems
from core.index.disk.lock import STORE, locked
from core.settings import Settings

HOSTILE = "<script>'; DROP TABLE items; -- \u202e\n\"=1"
SET = b"samples:\n- {id: a, query: why?, relevant: [GET /users]}\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "labels.sqlite"


@pytest.fixture
def kept(path: Path) -> Kept:
    return Kept(FileItems(path))


def test_nothing_is_kept_at_first_and_reading_makes_no_file(kept: Kept, path: Path) -> None:
    assert kept.thumbs("q") == {}
    assert kept.golden() is None
    assert kept.sets() == {}
    assert kept.read_set("set.yaml") is None
    assert not path.parent.exists()


def test_thumbs_are_of_a_question_and_an_element(kept: Kept, path: Path) -> None:
    kept.give_thumb(HOSTILE, "a.json:x", 1)
    kept.give_thumb(HOSTILE, "b", 0)
    kept.give_thumb("other", "a.json:x", 0)
    again = Kept(FileItems(path))
    assert again.thumbs(HOSTILE) == {"a.json:x": 1, "b": 0}
    again.give_thumb(HOSTILE, "a.json:x", 0)
    again.give_thumb(HOSTILE, "b", None)
    again.give_thumb(HOSTILE, "never", None)
    assert kept.thumbs(HOSTILE) == {"a.json:x": 0}
    assert kept.thumbs("other") == {"a.json:x": 0}


def test_golden_questions_are_a_set(kept: Kept) -> None:
    first = kept.keep_golden(Sample("", "why?", relevant=("a", "b"), apis=("shop",)))
    second = kept.keep_golden(Sample("", "how?", relevant=("c",)))
    changed = kept.keep_golden(Sample("", "why?", relevant=("b",)))
    assert changed.id == first.id != second.id
    found = kept.golden()
    assert found
    assert found.samples == (changed, second)  # in the order in which they came
    kept.forget_golden("why?")
    kept.forget_golden("why?")
    assert [sample.query for sample in kept.golden().samples] == ["how?"]  # type: ignore[union-attr]


@pytest.mark.parametrize("query", ["", "a\x07b", "x" * 20_001])
def test_a_golden_question_that_no_set_can_hold_is_refused(kept: Kept, query: str) -> None:
    with pytest.raises(EvalSetError):
        kept.keep_golden(Sample("", query, relevant=("a",)))
    assert kept.golden() is None


def test_an_uploaded_set_comes_back_with_its_lines(kept: Kept) -> None:
    parsed = kept.keep_set("mine.yaml", SET)
    assert list(kept.sets()) == ["mine.yaml"]
    found = kept.read_set("mine.yaml")
    assert found == parsed
    assert found.place(0) == "mine.yaml:2"
    stamp = kept.sets()["mine.yaml"]
    kept.keep_set("mine.yaml", SET + b"- {id: b, query: how?}\n")
    assert kept.sets()["mine.yaml"] != stamp
    with pytest.raises(EvalSetError):
        kept.keep_set("bad.yaml", b"samples: 7")
    kept.forget_set("mine.yaml")
    assert kept.sets() == {}


@settings(max_examples=25)  # each waits for the disk
@property_of(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20), st.booleans()), max_size=4)
)
def test_thumbs_are_what_was_given_last(
    tmp_path_factory: pytest.TempPathFactory, given: list[tuple[str, str, bool]]
) -> None:
    kept = Kept(FileItems(tmp_path_factory.mktemp("kept") / "labels.sqlite"))
    expected: dict[str, dict[str, int]] = {}
    for query, element, up in given:
        kept.give_thumb(query, element, int(up))
        expected.setdefault(query, {})[element] = int(up)
    assert {query: kept.thumbs(query) for query in expected} == expected


def give_many(path: Path, worker: int) -> None:
    kept = Kept(FileItems(path))
    for number in range(25):
        kept.give_thumb("q", f"{worker}-{number}", 1)


@pytest.mark.thorough
def test_several_processes_lose_nothing_of_each_other(kept: Kept, path: Path) -> None:
    workers = [
        multiprocessing.get_context("spawn").Process(target=give_many, args=(path, n))
        for n in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(kept.thumbs("q")) == 75


def test_a_kill_right_after_a_thumb_loses_nothing(kept: Kept, path: Path) -> None:
    def give_and_die() -> None:
        Kept(FileItems(path)).give_thumb("q", "e", 1)
        os.kill(os.getpid(), 9)

    worker = multiprocessing.get_context("fork").Process(target=give_and_die)
    worker.start()
    worker.join()
    assert worker.exitcode == -9
    assert kept.thumbs("q") == {"e": 1}


def test_labels_are_written_while_an_ingestion_holds_the_store(tmp_path: Path) -> None:
    fill(tmp_path / "store", write(tmp_path / "apis", {"shop.json": api()}))
    settings = Settings(embedder="hash")
    with Workbench.open(tmp_path / "store", settings=settings) as workbench:
        with locked(tmp_path / "store", STORE):
            workbench.kept.give_thumb("q", "e", 1)
            workbench.kept.keep_set("mine.yaml", SET)
        assert workbench.kept.thumbs("q") == {"e": 1}
        assert (tmp_path / "store" / "labels.sqlite").is_file()


def test_a_store_may_begin_with_labels_alone(tmp_path: Path) -> None:
    Kept(Folder(tmp_path).items).give_thumb("q", "e", 1)
    report = fill(tmp_path, write(tmp_path.parent / "apis", {"shop.json": api()}))
    assert report.chunks
    assert Kept(Folder(tmp_path).items).thumbs("q") == {"e": 1}


def test_a_damaged_file_is_refused_and_left_as_it_is(kept: Kept, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all " * 100)
    for act in (lambda: kept.thumbs("q"), lambda: kept.give_thumb("q", "e", 1), kept.sets):
        with pytest.raises(StoreDamaged, match=r"labels\.sqlite: this file of labels is damaged"):
            act()
    assert path.read_bytes() == b"no database at all " * 100


@pytest.mark.parametrize(
    ("harm", "read"),
    [
        ("value = x'00'", Kept.golden),
        ("key = '['", lambda kept: kept.thumbs("q")),
        ("value = x'789c030000000001'", Kept.golden),  # nothing, deflated
    ],
)
def test_a_damaged_row_is_named(kept: Kept, path: Path, harm: str, read: object) -> None:
    kept.give_thumb("q", "e", 1)
    kept.keep_golden(Sample("", "q", relevant=("a",)))
    with closing(sqlite3.connect(path)) as db, db:
        kind = "thumb" if harm.startswith("key") else "golden"
        db.execute(f"UPDATE items SET {harm} WHERE kind = ?", (kind,))
    with pytest.raises(StoreDamaged):
        read(kept)  # type: ignore[operator]


def test_labels_of_a_newer_version_are_left_alone(kept: Kept, path: Path) -> None:
    kept.give_thumb("q", "e", 1)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer Specloupe"):
        kept.thumbs("q")


def test_where_nothing_can_be_written_labels_can_be_read(
    kept: Kept, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.give_thumb("q", "e", 1)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert kept.thumbs("q") == {"e": 1}
    with pytest.raises(StoreError, match="can keep no labels"):
        kept.give_thumb("q", "e", 0)
