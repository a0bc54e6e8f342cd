"""Combinations of settings, and the one that is best by more than chance."""

from __future__ import annotations

import pytest
from support.retrieved import A, B, result, run_of

from core.errors import CallError, SettingsError
from core.evaluate.compare.sweep import axes, axis, check_measured, combinations, named, ranked
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import Sample


def run(right: int, of: int = 40) -> RunResult:
    """A run that finds the answer of so many questions."""
    samples = [Sample(f"{n}", "q", relevant=(A,)) for n in range(of)]
    return run_of(*(result(s, [A] if n < right else [B]) for n, s in enumerate(samples)))


def test_an_axis_is_a_setting_with_values_of_its_type() -> None:
    assert axis("max_depth=1, 2,2") == ("max_depth", (1, 2))
    assert axis("spelling=off,on") == ("spelling", (False, True))
    with pytest.raises(SettingsError, match=r"--set max_dept=1: .* Did you mean 'max_depth'"):
        axis("max_dept=1")
    for written in ("MAX_DEPTH=1", "Max-Depth=1", "RETRIEVAL_MAX_DEPTH=1"):
        with pytest.raises(SettingsError, match="Did you mean 'max_depth'"):
            axis(written)
    with pytest.raises(SettingsError, match="Did you mean 'max_primary_results'"):
        axis("top-k=1")
    with pytest.raises(CallError, match="--set max_depth: write SETTING=VALUE"):
        axis("max_depth")
    with pytest.raises(SettingsError, match="--set max_depth: 99 is not between"):
        axis("max_depth=1,99")


def test_a_setting_has_one_axis() -> None:
    assert axes(["max_depth=1,2", "spelling=off"]) == {"max_depth": (1, 2), "spelling": (False,)}
    with pytest.raises(CallError, match="--set max_depth is given twice: write all its values"):
        axes(["max_depth=1", "max_depth=2"])


def test_a_metric_that_no_question_defines_cannot_decide() -> None:
    check_measured(run(1, of=2), "search.recall@10")
    for name in ("intent.accuracy", "latency.mean_ms"):  # which is of a run, and of no question
        with pytest.raises(CallError, match="is not measured here, so it cannot rank"):
            check_measured(run(1, of=2), name)


def test_every_value_meets_every_other() -> None:
    assert [
        named(each) for each in combinations({"max_depth": (1, 2), "clauses": (True, False)})
    ] == [
        "max_depth=1, clauses=true",
        "max_depth=1, clauses=false",
        "max_depth=2, clauses=true",
        "max_depth=2, clauses=false",
    ]
    with pytest.raises(CallError, match="1024 combinations are more than 1000"):
        combinations({"a": range(32), "b": range(32)})


def test_the_best_comes_first_and_chance_counts_every_trial() -> None:
    tried = [({"max_depth": 1}, run(21)), ({"max_depth": 2}, run(36)), ({"max_depth": 3}, run(20))]
    best, second, last = ranked(run(20), tried, "search.recall@10")
    assert (best.name, best.delta.gain, best.delta.is_significant) == ("max_depth=2", 0.4, True)
    assert best.delta.p_holm == pytest.approx(3 * best.delta.p)
    assert (second.name, second.delta.is_significant) == ("max_depth=1", False)
    assert (last.delta.gain, last.delta.p_holm) == (0, 1)


def test_fewer_is_better_where_the_metric_says_so() -> None:
    lean = run_of(result(Sample("1", "q", relevant=(A,)), [A], tokens=50))
    rich = run_of(result(Sample("1", "q", relevant=(A,)), [A], tokens=900))
    tried = [({"max_depth": 3}, rich), ({"max_depth": 1}, lean)]
    assert [trial.delta.gain for trial in ranked(rich, tried, "context.tokens")] == [850, 0]
    with pytest.raises(CallError, match=r"intent\.accuracy is not measured here"):
        ranked(rich, tried, "intent.accuracy")
