"""Figures of retrievals: bounded, kept for all processes, cheap, and without any question."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.context_example import example
from support.german import GERMAN

from core.errors import CallError, StoreBusy, StoreDamaged
from core.model import KnowledgeContext
from core.workbench.recorder import SCHEMA, Recorded, Recorder, in_words, slowest_in_words


def answer(milliseconds: float = 1.0, **stats: object) -> KnowledgeContext:
    context = example()
    changed = replace(
        context.retrieval_stats,
        milliseconds={"total": milliseconds},
        **stats,  # type: ignore[arg-type]
    )
    return replace(context, retrieval_stats=changed)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "statistics.sqlite"


def test_nothing_yet(path: Path) -> None:
    assert Recorder(path).recorded() == Recorded()
    assert in_words(Recorded()) == [("retrievals", "none yet")]
    assert not path.exists()


def test_figures_are_summed(path: Path) -> None:
    recorder = Recorder(path)
    for number in range(1, 101):
        recorder.add(answer(number, timed_out=number > 97, cached=False))
    recorder.add(answer(9_999.0, cached=True, fallback=True), evaluating=True)
    found = recorder.recorded()
    assert (found.retrievals, found.from_cache, found.in_evaluations) == (101, 1, 1)
    assert (found.p50_ms, found.p95_ms) == (50.0, 95.0)  # of those that were not from the cache
    assert (found.timed_out, found.filter_dropped) == (3, 1)
    assert found.average_results == len(example().primary_chunks)
    assert found.average_chunks == len(example().chunks)
    assert found.average_tokens == example().total_tokens
    assert found.since <= found.until
    assert ("out of time", "3 (3%)") in in_words(found)
    assert ("out of time", "3 (3 %)") in in_words(found, GERMAN)


def test_stages_and_the_slowest_are_kept_of_every_process(path: Path) -> None:
    first, second = Recorder(path), Recorder(path)
    for number in range(1, 8):
        first.add(staged(number, search=number, follow=1))
    first.add(answer(9_999.0, cached=True))
    first.flush()
    second.add(staged(100, search=20, follow=80))
    found = second.recorded()
    assert found.stage_ms == {"search": 6.0, "follow": 10.875}
    assert [slow.milliseconds for slow in found.slowest] == [100, 7, 6, 5, 4]
    assert (found.slowest[0].stage, found.slowest[0].stage_ms) == ("follow", 80)
    assert slowest_in_words(found)[0][1:3] == ("100 ms", "follow, 80 ms")
    assert found.slowest[0].tokens == example().total_tokens


def staged(total: float, **stages: float) -> KnowledgeContext:
    found = answer(total)
    spent = {"total": total, **stages}
    return replace(found, retrieval_stats=replace(found.retrieval_stats, milliseconds=spent))


def test_failures_are_counted_by_their_class(path: Path) -> None:
    recorder = Recorder(path)
    for error in (StoreBusy("One."), CallError("Two."), StoreBusy("Three.")):
        recorder.failed(error)
    assert recorder.recorded().errors == {"StoreBusy": 2, "CallError": 1}
    recorder.failed(StoreBusy("Four."))
    other = Recorder(path)
    assert recorder.recorded().errors == {"StoreBusy": 3, "CallError": 1}
    assert other.recorded().errors == {"StoreBusy": 3, "CallError": 1}


def test_a_file_of_an_older_version_is_read_and_written(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(SCHEMA)
        row = [0.0, 0, 0, 5.0, 1, 2, 3, 0, 0, 0, 0, 0]
        db.execute(f"INSERT INTO retrievals VALUES (NULL, {', '.join('?' * 12)})", row)
        db.commit()
    before = Recorder(path).recorded()
    assert (before.retrievals, before.stage_ms, before.slowest[0].stage) == (1, {}, "")
    recorder = Recorder(path)
    recorder.add(staged(7, search=7))
    assert recorder.recorded().stage_ms == {"search": 7}
    assert recorder.recorded().retrievals == 2


def test_the_oldest_go(path: Path) -> None:
    recorder = Recorder(path, keep=10)
    for number in range(35):
        recorder.add(answer(number))
        if number % 4 == 0:
            recorder.flush()
    found = recorder.recorded()
    assert (found.retrievals, found.p50_ms) == (10, 29.0)
    with closing(sqlite3.connect(path)) as db:
        for kept in ("retrievals", "stages"):
            assert db.execute(f"SELECT count(*) FROM {kept}").fetchone() == (10,)


def test_processes_share_them(path: Path) -> None:
    first, second = Recorder(path), Recorder(path)
    first.add(answer())
    first.flush()
    second.add(answer())
    assert second.recorded().retrievals == 2
    assert first.recorded().retrievals == 2


def test_they_are_written_a_moment_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.workbench.recorder.LATER_S", 0.05)
    recorder = Recorder(path)
    recorder.add(answer())
    until = time.monotonic() + 60
    while not Recorder(path).recorded().retrievals and time.monotonic() < until:
        time.sleep(0.02)
    assert Recorder(path).recorded().retrievals == 1


def test_no_question_is_kept(path: Path) -> None:
    recorder = Recorder(path)
    recorder.add(replace(answer(), query="my secret question"))
    recorder.flush()
    kept = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"secret" not in kept


def test_what_cannot_be_written_now_waits_and_holds_up_nobody(path: Path) -> None:
    recorder = Recorder(path)
    recorder.add(answer())
    recorder.flush()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        recorder.add(answer())
        recorder.flush()
    assert recorder.recorded().retrievals == 2


def test_a_damaged_file_holds_up_no_answer_and_is_told_when_asked(path: Path) -> None:
    path.write_bytes(b"no database at all " * 100)
    recorder = Recorder(path)
    recorder.add(answer())
    recorder.flush()
    with pytest.raises(StoreDamaged, match="this file of statistics is damaged"):
        recorder.recorded()
    assert path.read_bytes() == b"no database at all " * 100


def test_a_store_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    recorder = Recorder(store / "statistics.sqlite")
    recorder.add(answer())
    shutil.rmtree(store)
    recorder.flush()
    assert not store.exists()


def test_taking_one_costs_next_to_nothing(path: Path) -> None:
    """Some 4 µs; the bound is for machines that do much else."""
    recorder, context = Recorder(path), answer()
    began = time.perf_counter()
    for _ in range(5_000):
        recorder.add(context)
    assert (time.perf_counter() - began) / 5_000 < 0.000_5
