"""Questions that run out of time are said and compared with nothing; stopping takes a moment."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest
from support.apis import api, write
from support.retrieved import A, B, labels, result, run_of

from core import Workbench
from core.evaluate.compare import gate
from core.evaluate.compare.compare import compare
from core.evaluate.report import report
from core.evaluate.results import RunResult, SampleResult
from core.evaluate.run import run
from core.evaluate.sets.sample import EvalSet, Sample
from core.evaluate.stop import Stopped
from core.settings import Settings

SAMPLE = Sample("1", "q", relevant=(A,))
IN_TIME = run_of(*(result(replace(SAMPLE, id=f"{n}"), [A]) for n in range(9)))
LATE = run_of(*(result(replace(SAMPLE, id=f"{n}"), [B], timed_out=n < 3) for n in range(9)))


def test_a_run_counts_the_questions_that_ran_out_of_time() -> None:
    assert (IN_TIME.timed_out, IN_TIME.out_of_time) == (0, "")
    assert LATE.timed_out == 3
    assert LATE.out_of_time.startswith("3 of 9 questions ran out of time")
    again = RunResult.from_dict(LATE.to_dict(), "file")
    assert again == LATE
    summary = RunResult.from_dict({**LATE.to_dict(), "samples": []}, "list")
    assert summary.out_of_time.startswith("3 of 9 questions")


def test_a_run_that_was_saved_before_tells_of_time_by_its_notes() -> None:
    old = LATE.to_dict()
    note = "The 5000 ms were up: this is what was there so far."
    for number, sample in enumerate(old["samples"]):
        del sample["timed_out"]
        sample["notes"] = [note] if number < 2 else ["Search: 1 candidate."]
    del old["timed_out"]
    assert RunResult.from_dict(old, "file").timed_out == 2


@pytest.mark.parametrize(("before", "after"), [(IN_TIME, LATE), (LATE, IN_TIME), (LATE, LATE)])
def test_such_runs_are_not_called_comparable(before: RunResult, after: RunResult) -> None:
    found = compare(before, after)
    assert found.incomparable.startswith("Not comparable: ")
    assert not any(delta.is_significant for delta in found.deltas)
    assert "Not comparable" in report.comparison_text(found)
    assert "(significant)" not in report.comparison_text(found)
    assert "Not comparable" in report.comparison_markdown(found)


def test_the_same_difference_is_significant_in_time() -> None:
    in_time = run_of(*(result(replace(SAMPLE, id=f"{n}"), [B]) for n in range(9)))
    found = compare(IN_TIME, in_time)
    assert found.incomparable == ""
    assert any(delta.is_significant for delta in found.deltas)


@pytest.mark.parametrize("style", ["text", "markdown", "html"])
def test_a_report_says_it(style: str) -> None:
    assert "ran out of time" in report.write(LATE, style)
    assert "ran out of time" not in report.write(IN_TIME, style)


def test_a_gate_lets_no_drop_pass_that_time_may_hide() -> None:
    checks = gate.check(IN_TIME, baseline=LATE, max_drop={"search.recall@10": 0.5})
    assert not gate.passed(checks)
    assert "questions out of time" in str(checks[0])
    assert "ran out of time" in gate.markdown(LATE, checks)
    assert gate.passed(gate.check(IN_TIME, baseline=IN_TIME, max_drop={"search.recall@10": 0.5}))


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    source = write(tmp_path / "apis", {"shop.json": api()})
    settings = Settings(embedder="hash", timeout_ms=1, log_stats=False)
    with Workbench.open(tmp_path / "store", settings=settings) as opened:
        for _ in opened.ingest([source]):
            pass
        yield opened


SET = EvalSet("set", tuple(Sample(f"{n}", f"Read /users {n}") for n in range(5)))


def test_no_time_limit_holds_while_evaluating(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a limit of 1 ms, and an embedder that takes 5."""
    embedder = workbench._embed()

    class Slow:
        fingerprint, dimensions = embedder.fingerprint, embedder.dimensions

        def embed(self, texts: list[str]) -> object:
            time.sleep(0.005)
            return embedder.embed(texts)

    monkeypatch.setattr(workbench, "_embedder", Slow())
    assert workbench.retrieve("Read /users").retrieval_stats.timed_out
    *results, last = workbench.evaluate([SET], ragas=False)
    assert isinstance(last, RunResult)
    assert last.timed_out == 0
    assert all(isinstance(one, SampleResult) and one.ranked for one in results)
    assert last.settings["timeout_ms"] == 1  # what was asked for


def test_a_search_is_stopped_in_the_middle(workbench: Workbench) -> None:
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 30  # somewhere inside a retrieval

    with pytest.raises(Stopped):
        list(workbench.evaluate([SET], ragas=False, stop=stop))
    assert len(asked) < 40  # a stopwatch or two looks once more
    assert workbench.statistics().retrievals < 5


def test_a_scoring_ragas_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    popen = subprocess.Popen
    started: list[subprocess.Popen[bytes]] = []
    stopping: list[bool] = []

    def sleeper(*_: object, **options: object) -> subprocess.Popen[bytes]:
        code = "import sys, time; sys.stdin.read(); time.sleep(60)"
        started.append(popen([sys.executable, "-c", code], **options))  # type: ignore[call-overload]
        Timer(0.3, stopping.append, [True]).start()
        return started[0]

    monkeypatch.setattr("core.evaluate.score.ragas_metrics.subprocess.Popen", sleeper)
    answer = result(SAMPLE, [A])
    assert answer.gold
    from support.retrieved import context

    events = run(
        [EvalSet("set", (SAMPLE,))],
        retrieve=lambda _: context([A]),
        labels=labels(),
        settings=Settings(),
        store={},
        stop=lambda: bool(stopping),
    )
    next(events)
    with pytest.raises(Stopped):
        next(events)
    assert started[0].returncode  # it was killed in its sleep
