from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from support.retrieved import A, B, result, run_of

from core.errors import CallError, EvalSetError
from core.evaluate.compare import gate
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import Sample

HALF = run_of(
    result(Sample("1", "q", relevant=(A,)), [A]), result(Sample("2", "r", relevant=(A,)), [B])
)
FULL = run_of(result(Sample("1", "q", relevant=(A,)), [A]))


@pytest.mark.parametrize(("low", "passes"), [(0.4, True), (0.5, True), (0.500001, False)])
def test_fail_under(low: float, passes: bool) -> None:
    (check,) = gate.check(HALF, fail_under={"search.recall@10": low})
    assert check.passed is passes
    assert check.value == 0.5
    assert str(check).startswith("ok" if passes else "FAILED: search.recall@10 is 0.5000")


@pytest.mark.parametrize(("high", "passes"), [(0.6, True), (0.5, True), (0.4, False)])
def test_fail_over_for_what_should_be_low(high: float, passes: bool) -> None:
    (check,) = gate.check(HALF, fail_over={"context.noise": high})
    assert check.passed is passes


@pytest.mark.parametrize(
    ("metric", "run", "baseline", "allowed", "passes"),
    [
        ("search.mrr", HALF, FULL, 0.5, True),
        ("search.mrr", HALF, FULL, 0.4, False),
        ("search.mrr", FULL, HALF, 0.0, True),
        ("context.noise", HALF, FULL, 0.4, False),  # more noise is the drop
        ("context.noise", FULL, HALF, 0.0, True),
    ],
)
def test_max_drop(
    metric: str, run: RunResult, baseline: RunResult, allowed: float, passes: bool
) -> None:
    (check,) = gate.check(run, baseline=baseline, max_drop={metric: allowed})
    assert check.passed is passes


def test_bounds_are_read() -> None:
    texts = ["search.recall@10=0.85", "search.mrr = .5"]
    assert gate.bounds(texts, "--fail-under") == {"search.recall@10": 0.85, "search.mrr": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search.mrr", "write NAME=VALUE"),
        ("search.mrr=high", "write NAME=VALUE"),
        ("search.mrr=nan", "write NAME=VALUE"),
        ("search.mmr=1", r"Did you mean 'search\.mrr'"),
    ],
)
def test_wrong_bounds_are_refused(text: str, message: str) -> None:
    with pytest.raises(CallError, match=message):
        gate.bounds([text], "--fail-under")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fail_under": {"intent.accuracy": 0.5}}, "was not measured"),
        ({"fail_under": {"context.tokens": 5}}, "use --fail-over"),
        ({"fail_over": {"search.mrr": 5}}, "use --fail-under"),
        ({"max_drop": {"search.mrr": 0}}, "needs a --baseline"),
    ],
)
def test_bounds_that_cannot_be_held_are_refused(
    options: dict[str, dict[str, float]], message: str
) -> None:
    with pytest.raises(CallError, match=message):
        gate.check(HALF, **options)


def test_an_empty_run_is_refused() -> None:
    with pytest.raises(EvalSetError, match="nothing was evaluated"):
        gate.check(run_of())


def test_a_bound_of_thousands_is_written_like_one() -> None:
    run = run_of(result(Sample("1", "q", relevant=(A,)), [A]))
    (check,) = gate.check(run, fail_over={"context.tokens": 1_234_567.0})
    assert check.rule == "at most 1,234,567"


def test_junit_and_markdown_name_every_bound_and_survive_any_name() -> None:
    run = replace(HALF, name='a "<&> \x00 \ud800 | set')
    checks = gate.check(run, fail_under={"search.mrr": 0.9, "search.recall@1": 0.1})
    assert not gate.passed(checks)
    suite = ET.fromstring(gate.junit(run, checks).encode())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite] == [
        "search.mrr at least 0.9",
        "search.recall@1 at least 0.1",
    ]
    assert suite[0][0].get("message") == "FAILED: search.mrr is 0.5000, required: at least 0.9"
    summary = gate.markdown(run, checks)
    assert "### Retrieval gate failed" in summary
    assert "| ❌ | search.mrr | 0.5000 | at least 0.9 |" in summary
    summary.encode()


def test_a_drop_is_measured_on_the_questions_that_both_were_asked() -> None:
    grown = replace(HALF, set_hash="newer")  # FULL, and a question that finds nothing
    (check,) = gate.check(grown, baseline=FULL, max_drop={"search.mrr": 0.0})
    assert check.passed
    assert check.value == 1.0
    assert "over the 1 questions that both have" in check.rule
    other = replace(run_of(result(Sample("9", "else", relevant=(A,)), [A])), set_hash="other")
    with pytest.raises(EvalSetError, match="shares no question"):
        gate.check(HALF, baseline=other, max_drop={"search.mrr": 0.0})
