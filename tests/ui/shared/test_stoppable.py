"""A job stops within a moment, whatever its work is in the middle of, and saves nothing then."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.apis import api, write

from core import Workbench
from core.evaluate.sets.sample import EvalSet, Sample
from core.evaluate.stop import Stop, Stopped
from core.jobs import Jobs, State, Step, Work
from core.settings import Settings
from ui.evaluate import work
from ui.shared.stoppable import stoppable

SET = EvalSet("set", tuple(Sample(f"{n}", f"Read /users {n}") for n in range(3)))
PATIENCE = 60  # seconds that something hangs, unless it is let go


def test_steps_come_in_order_and_time_passes_between_them() -> None:
    def slow(_: Stop) -> Iterator[int]:
        for number in range(3):
            time.sleep(0.05)
            yield number

    steps: list[int | None] = list(stoppable(slow, beat_s=0.01))
    assert [step for step in steps if step is not None] == [0, 1, 2]
    assert None in steps


def test_an_error_reaches_whoever_waits() -> None:
    def failing(_: Stop) -> Iterator[int]:
        yield 1
        raise ValueError("no")

    steps: Iterator[int | None] = stoppable(failing)
    assert next(steps) == 1
    with pytest.raises(ValueError, match="no"):
        list(steps)


def test_closing_returns_at_once_and_the_work_hears_of_it() -> None:
    let_on, heard = threading.Event(), threading.Event()

    def endless(stop: Stop) -> Iterator[int]:
        yield 1
        let_on.wait(PATIENCE)
        if stop():
            heard.set()
        raise Stopped

    steps: Any = stoppable(endless)
    assert next(steps) == 1
    steps.close()
    assert not heard.is_set()
    let_on.set()
    assert heard.wait(PATIENCE)


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    source = write(tmp_path / "apis", {"shop.json": api()})
    settings = Settings(embedder="hash", log_stats=False)
    with Workbench.open(tmp_path / "store", settings=settings) as opened:
        for _ in opened.ingest([source]):
            pass
        yield opened


def is_stopped(jobs: Jobs, work_of: Any) -> bool:
    """Whether a job stops when it is asked to, half a second after its start."""
    job = jobs.start("store", "set", work_of, total=3)
    time.sleep(0.5)
    jobs.stop(job)
    found = jobs.wait(job, PATIENCE / 2)
    return found is not None and found.state is State.STOPPED


@pytest.mark.parametrize("phase", ["_summary", "labels", "_retrieve", "_embed"])
def test_an_evaluation_stops_soon_in_every_phase(
    phase: str, workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that hangs where it reads the store, or a question is embedded or searched."""
    let_on = threading.Event()
    monkeypatch.setattr(workbench, phase, lambda *_, **__: let_on.wait(PATIENCE))
    assert is_stopped(Jobs(), lambda: work.evaluation(workbench, [SET], [{}], ragas=False))
    assert workbench.runs.newest() == []
    let_on.set()


def test_saving_waits_for_another_process_and_can_be_stopped(workbench: Workbench) -> None:
    workbench.runs.check_writable()
    with closing(sqlite3.connect(workbench.runs.path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        assert is_stopped(Jobs(), lambda: work.evaluation(workbench, [SET], [{}], ragas=False))
    assert workbench.runs.newest() == []


def test_saving_goes_on_when_the_other_process_is_done(workbench: Workbench) -> None:
    workbench.runs.check_writable()
    jobs = Jobs()
    with closing(sqlite3.connect(workbench.runs.path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        job = jobs.start(
            "store", "set", lambda: work.evaluation(workbench, [SET], [{}], ragas=False), total=3
        )
        until = time.monotonic() + PATIENCE
        while "another process" not in jobs.get(job).step.text:  # type: ignore[union-attr]
            assert time.monotonic() < until
            time.sleep(0.02)
        db.execute("ROLLBACK")
    found = jobs.wait(job, PATIENCE)
    assert found
    assert found.state is State.DONE
    assert [run.id for run in workbench.runs.newest()] == list(found.made)


def test_a_job_without_patience_is_as_before() -> None:
    def quick() -> Work:
        yield Step(1)
        return ("made",)

    jobs = Jobs()
    found = jobs.wait(jobs.start("g", "t", quick, total=1), PATIENCE)
    assert found
    assert found.made == ("made",)
