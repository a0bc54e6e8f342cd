from __future__ import annotations

import multiprocessing
import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.retrieved import A, B, C, result, run_of

from core.errors import StoreBusy, StoreDamaged, StoreError, UnknownId
from core.evaluate.results import RunResult
from core.evaluate.runs.runs import Runs
from core.evaluate.sets.sample import Sample

HOSTILE = "<script>alert(1)</script>'; DROP TABLE runs; -- =1+1 \u202e"


def run_at(second: int, name: str = "set") -> RunResult:
    made = run_of(result(Sample("1", f"q{second} {HOSTILE}", relevant=(A,)), [B, A]))
    return replace(made, name=name, created=f"2026-11-28T01:00:{second:02}+00:00")


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "store" / "runs.sqlite", keep=3)


def test_a_saved_run_comes_back_whole(runs: Runs) -> None:
    saved = runs.save(run_at(1))
    assert saved.id.startswith("20261128-010001-")
    assert runs.get(saved.id) == saved
    assert runs.get("latest") == saved
    assert runs.get(saved.id[:15]) == saved
    (listed,) = runs.newest()
    assert listed == replace(saved, samples=())


def test_of_one_second_the_run_that_was_saved_last_is_the_latest(runs: Runs) -> None:
    for name in "abcdef":
        saved = runs.save(run_at(1, name))
        assert runs.get("latest").id == runs.newest()[0].id == saved.id


def test_a_saved_run_says_what_the_score_of_a_result_is_made_of(runs: Runs) -> None:
    sample = Sample("1", "q", relevant=(A,))
    made = run_of(result(sample, [B, A], primary=1, references={C: (B,)}))
    found = runs.get(runs.save(made).id).samples[0].context
    assert [(item.element, dict(item.shares)) for item in found] == [
        (B, {"semantic": 0.25, "start": 0.749}),
        (C, {}),
    ]
    assert found[0].score == pytest.approx(0.999)


def test_the_oldest_are_dropped_but_never_what_somebody_marked(runs: Runs) -> None:
    first, second, third = (runs.save(run_at(n)) for n in range(3))
    runs.mark_baseline(first.id)
    runs.annotate(second.id, notes=HOSTILE)
    runs.annotate(third.id, tags=["keep", "keep"])
    later = [runs.save(run_at(n)) for n in range(3, 9)]
    kept = [run.id for run in runs.newest()]
    assert kept == [run.id for run in (*later[:-4:-1], third, second, first)]
    assert runs.get("baseline").id == first.id
    assert runs.get(second.id).notes == HOSTILE
    assert runs.get(third.id).tags == ("keep",)


def test_the_list_can_be_filtered(runs: Runs) -> None:
    first, second = runs.save(run_at(1, "alpha")), runs.save(run_at(2, "beta"))
    runs.annotate(first.id, tags=["t"], notes="nightly")
    runs.mark_baseline(second.id)
    assert [r.name for r in runs.newest(text="ALPH")] == ["alpha"]
    assert [r.name for r in runs.newest(text="night")] == ["alpha"]
    assert [r.name for r in runs.newest(tag="t")] == ["alpha"]
    assert [r.name for r in runs.newest(baseline=True)] == ["beta"]
    assert [r.name for r in runs.newest(limit=1)] == ["beta"]


def test_there_is_one_baseline_or_none(runs: Runs) -> None:
    first, second = runs.save(run_at(1)), runs.save(run_at(2))
    runs.mark_baseline(first.id)
    runs.mark_baseline(second.id)
    assert [run.id for run in runs.newest(baseline=True)] == [second.id]
    runs.mark_baseline(None)
    with pytest.raises(UnknownId):
        runs.get("baseline")


@pytest.mark.parametrize("run_id", ["", "nope", "2026%", "2026", HOSTILE])
def test_an_unknown_or_ambiguous_id_is_refused_with_the_latest(runs: Runs, run_id: str) -> None:
    runs.save(run_at(1))
    newest = runs.save(run_at(2))
    for call in (runs.get, runs.delete, runs.annotate, runs.mark_baseline):
        with pytest.raises(UnknownId) as caught:
            call(run_id)  # type: ignore[operator]
        assert caught.value.nearest[0] == newest.id


def test_deleting(runs: Runs) -> None:
    saved = runs.save(run_at(1))
    runs.delete(saved.id)
    assert runs.newest() == []


def test_an_interrupted_run_is_marked(runs: Runs) -> None:
    assert not runs.get(runs.save(replace(run_at(1), complete=False)).id).complete


def _die_while_saving(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("UPDATE runs SET name = 'half'")
    os._exit(9)


def test_a_crash_while_saving_loses_nothing_that_was_saved(runs: Runs) -> None:
    saved = runs.save(run_at(1))
    process = multiprocessing.get_context("spawn").Process(
        target=_die_while_saving, args=(runs.path,)
    )
    process.start()
    process.join()
    assert process.exitcode == 9
    assert runs.get(saved.id) == saved
    with closing(sqlite3.connect(runs.path)) as db, db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_damaged_file_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    path.write_bytes(b"no database at all " * 100)
    with pytest.raises(StoreDamaged, match="this file of saved runs is damaged"):
        Runs(path).newest()


@pytest.mark.parametrize(
    ("text", "harmed"),
    [(b"summary TEXT", b"\xffummary TEXT"), (b"sqlite_autoindex_runs_1", b"\xff" * 23)],
    ids=["a column", "a name"],
)
def test_tables_whose_names_are_no_text_are_said_in_a_sentence(
    runs: Runs, text: bytes, harmed: bytes
) -> None:
    runs.save(run_at(1))
    data = runs.path.read_bytes()
    assert text in data
    runs.path.write_bytes(data.replace(text, harmed))
    with pytest.raises(StoreDamaged, match="move it away to begin a new one"):
        runs.get("latest")


def test_a_run_with_notes_that_are_no_text_hides_no_other(runs: Runs) -> None:
    first, second = (runs.save(run_at(n)) for n in (1, 2))
    with closing(sqlite3.connect(runs.path)) as db, db:
        db.execute("UPDATE runs SET notes = CAST(x'ff' AS TEXT) WHERE id = ?", (second.id,))
    assert [run.id for run in runs.newest()] == [first.id]
    assert runs.damaged() == (second.id,)
    with pytest.raises(StoreDamaged):
        runs.get(second.id)


def test_runs_of_a_newer_version_are_left_alone(runs: Runs) -> None:
    runs.save(run_at(1))
    with closing(sqlite3.connect(runs.path)) as db, db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer Specloupe"):
        runs.newest()


def test_a_folder_that_cannot_be_made_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="saved runs cannot be used"):
        Runs(tmp_path / "file" / "runs.sqlite").check_writable()


@pytest.mark.parametrize(
    "harm", ["summary = '[1, 2]'", "samples = x'00'", "tags = '5'", "summary = '{}'"]
)
def test_a_damaged_run_is_named(runs: Runs, harm: str) -> None:
    saved = runs.save(run_at(1))
    with closing(sqlite3.connect(runs.path)) as db, db:
        db.execute(f"UPDATE runs SET {harm}")
    with pytest.raises(StoreDamaged, match=f"the saved run {saved.id} is damaged"):
        runs.get(saved.id)


def test_where_nothing_can_be_written_runs_can_be_read(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_only = Runs(runs.path.parent / "other" / "runs.sqlite")
    saved = runs.save(run_at(1))
    monkeypatch.setattr(os, "access", lambda *_: False)
    before = sorted(runs.path.parent.iterdir())
    assert runs.get("latest") == saved
    assert read_only.newest() == []
    with pytest.raises(UnknownId):
        read_only.get("latest")
    assert sorted(runs.path.parent.iterdir()) == before
    with pytest.raises(StoreError, match="cannot be written, so it can keep no saved runs"):
        runs.save(run_at(2))


def test_a_damaged_run_hides_no_other(runs: Runs) -> None:
    first, second, third = (runs.save(run_at(n)) for n in (1, 2, 3))
    with closing(sqlite3.connect(runs.path)) as db, db:
        db.execute("UPDATE runs SET summary = '{' WHERE id = ?", (second.id,))
    assert [run.id for run in runs.newest()] == [third.id, first.id]
    assert runs.damaged() == (second.id,)
    assert runs.get(first.id) == first
    runs.delete(runs.find(second.id[:-1]))
    assert runs.damaged() == ()
    assert len(runs.newest()) == 2


def test_several_runs_are_saved_together_or_not_at_all(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = [run_at(1), run_at(2)]
    assert [run.id for run in runs.save_all(pair)] == [run.id for run in runs.newest()][::-1]
    broken = replace(run_at(3), settings={"odd": object()})  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        runs.save_all([run_at(4), broken])
    assert len(runs.newest()) == 2


def test_whether_runs_can_be_saved_is_known_before(runs: Runs, tmp_path: Path) -> None:
    runs.check_writable()
    with closing(sqlite3.connect(runs.path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="another process is writing saved runs"):
            runs.check_writable(busy_s=0.1)
        with pytest.raises(StoreBusy):
            runs.save_all([run_at(1)], busy_s=0.1)
    runs.check_writable()
    assert runs.newest() == []
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(b"no database at all " * 100)
    with pytest.raises(StoreDamaged):
        Runs(damaged).check_writable()
