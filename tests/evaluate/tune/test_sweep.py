"""A sweep gives the runs that evaluations of its combinations give, from fewer searches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.question_sets import as_bytes
from support.samples import SAMPLES

from core import Workbench
from core.errors import CallError, EvalSetError
from core.evaluate.compare.sweep import combinations
from core.evaluate.results import RunResult, SampleResult
from core.evaluate.sets.sample import EvalSet
from core.evaluate.sets.sets import parse, read
from core.evaluate.stop import Stopped
from core.evaluate.tune.sweep import Skipped, Step, Tried
from core.settings import Settings

AXES = {
    "min_score": (0.1, 0.3, 0.5),
    "max_depth": (0, 3),
    "token_limit": (300, 4000),
    "max_primary_results": (2, 5),
}


@pytest.fixture(scope="module")
def workbench(sample_store: Path) -> Iterator[Workbench]:
    with Workbench.open(sample_store, settings=Settings(log_stats=False)) as opened:
        yield opened


@pytest.fixture(scope="module")
def questions() -> EvalSet:
    shipped = read(SAMPLES.parent / "eval_sets" / "samples.yaml")
    return replace(shipped, samples=shipped.samples[:12])


def runs_of(steps: Iterator[Step]) -> dict[str, RunResult]:
    return {repr(dict(s.changes)): s.run for s in steps if isinstance(s, Tried)}


def evaluated(workbench: Workbench, questions: EvalSet, changes: Any) -> RunResult:
    *_, run = workbench.evaluate([questions], ragas=False, **changes)
    assert isinstance(run, RunResult)
    return run


def untimed(metrics: Any) -> dict[str, float]:
    return {name: value for name, value in metrics.items() if not name.startswith("latency.")}


@pytest.mark.long
def test_the_figures_are_those_of_evaluations(workbench: Workbench, questions: EvalSet) -> None:
    wanted = combinations(AXES)
    shared = runs_of(workbench.sweep([questions], wanted))
    whole = runs_of(workbench.sweep([questions], wanted, whole=True))
    for changes in ({}, *wanted[::5]):
        real = evaluated(workbench, questions, changes)
        if (name := repr(dict(changes))) not in shared:
            assert workbench.changed(**changes) == workbench.settings
            continue
        for run in (shared[name], whole[name]):
            assert untimed(run.metrics) == untimed(real.metrics)
            assert (run.settings, run.intervals) == (real.settings, real.intervals)
            assert "refs.followed" in run.metrics
            assert {n: untimed(m) for n, m in run.slices.items()} == {
                n: untimed(m) for n, m in real.slices.items()
            }
        timeless = tuple(replace(sample, milliseconds=0.0, stages={}) for sample in real.samples)
        assert whole[name].samples == timeless


def test_no_latency_is_made_up(workbench: Workbench, questions: EvalSet) -> None:
    runs = runs_of(workbench.sweep([questions], [{"max_depth": 0}]))
    assert not [n for run in runs.values() for n in run.metrics if n.startswith("latency.")]


def test_equal_contexts_are_scored_once(workbench: Workbench, questions: EvalSet) -> None:
    limits = [{"token_limit": n} for n in range(20_000, 20_500, 100)]
    runs = runs_of(workbench.sweep([questions], limits)).values()
    for answers in zip(*(run.samples for run in list(runs)[1:]), strict=True):
        assert len(set(map(id, answers))) == 1


def test_what_cannot_be_tried_is_told_first(workbench: Workbench, questions: EvalSet) -> None:
    wanted = [{"max_primary_results": 50}, {"max_depth": 3}, {"max_depth": 1}]
    first, *rest = workbench.sweep([questions], wanted)
    assert isinstance(first, Skipped)
    assert "max_total_chunks (15) is below" in str(first.error)
    assert [dict(s.changes) for s in rest if isinstance(s, Tried)] == [{}, {"max_depth": 1}]
    assert sum(isinstance(s, SampleResult) for s in rest) == len(questions.samples)


def test_it_refuses_what_cannot_be_measured(workbench: Workbench, questions: EvalSet) -> None:
    with pytest.raises(CallError, match="is not measured here"):
        list(workbench.sweep([questions], [{"max_depth": 1}], by="latency.mean_ms"))
    unknown = {"samples": [{"id": "a", "query": "q", "relevant": ["shop.json GET /nowhere"]}]}
    with pytest.raises(EvalSetError):
        next(workbench.sweep([parse(as_bytes(unknown), "shop.json")], [{"max_depth": 1}]))


def test_it_stops_in_the_middle(workbench: Workbench, questions: EvalSet) -> None:
    asked: list[Step] = []
    steps = workbench.sweep([questions], [{"max_depth": 1}], stop=lambda: len(asked) > 2)
    asked += [next(steps), next(steps), next(steps)]
    with pytest.raises(Stopped):
        next(steps)
