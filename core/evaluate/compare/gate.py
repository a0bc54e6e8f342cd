"""Hold a run against bounds and a baseline, for a build that must fail when retrieval got worse."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import CallError, EvalSetError
from core.evaluate.compare.compare import paired
from core.evaluate.compare.summary import metrics
from core.evaluate.measures import measure
from core.evaluate.results import RunResult
from core.text.safe import code, xml
from core.text.writing import ENGLISH

SLACK = 1e-9  # a mean that equals its bound but for the last bits passes


@dataclass(frozen=True, slots=True)
class Check:
    """One bound, and whether the run meets it."""

    metric: str
    rule: str  # "at least 0.85", "at most 0.02 below the baseline's 0.87"
    value: float
    passed: bool

    def __str__(self) -> str:
        verdict = "ok" if self.passed else "FAILED"
        return f"{verdict}: {self.metric} is {self.value:.4f}, required: {self.rule}"


def bounds(options: Sequence[str], option: str) -> dict[str, float]:
    """`NAME=VALUE` texts as metric → value; raises CallError naming the option."""
    return dict(_bound(text, option) for text in options)


def check(
    run: RunResult,
    *,
    fail_under: Mapping[str, float] | None = None,
    fail_over: Mapping[str, float] | None = None,
    baseline: RunResult | None = None,
    max_drop: Mapping[str, float] | None = None,
) -> tuple[Check, ...]:
    """One `Check` a bound. A drop is a change for the worse, in the metric's own direction.

    Where the set has changed since the baseline, a drop is that over the questions that both have,
    so that new questions neither hide nor make one.
    Raises CallError for a metric that the run has not, or for `max_drop` without a baseline;
    EvalSetError for a run without questions, or a baseline that shares none.
    """
    if not run.samples:
        raise EvalSetError(f"{run.name}: nothing was evaluated, so no bound can be checked.")
    if max_drop and baseline is None:
        raise CallError("--max-drop needs a --baseline to measure the drop from.")
    return (
        *(_at_least(run, name, low) for name, low in (fail_under or {}).items()),
        *(_at_most(run, name, high) for name, high in (fail_over or {}).items()),
        *_drops(run, baseline, max_drop or {}),
    )


def passed(checks: Sequence[Check]) -> bool:
    return all(check.passed for check in checks)


def _bound(text: str, option: str) -> tuple[str, float]:
    name, equals, raw = text.partition("=")
    try:
        value = float(raw)
    except ValueError:
        value = float("nan")
    if not equals or value != value or abs(value) == float("inf"):
        raise CallError(f"{option} {text}: write NAME=VALUE, as in search.recall@10=0.85.")
    return measure(name.strip()).name, value


def _value(run: RunResult, name: str) -> float:
    known = measure(name)
    if known.name not in run.metrics:
        raise CallError(
            f"{name} was not measured in the run of {run.name}: no question has it, "
            "or it was left out."
        )
    return run.metrics[known.name]


def _at_least(run: RunResult, name: str, low: float) -> Check:
    if not measure(name).higher_is_better:
        raise CallError(f"--fail-under {name}: lower is better there; use --fail-over.")
    value = _value(run, name)
    return Check(name, f"at least {ENGLISH.said(low)}", value, value >= low - SLACK)


def _at_most(run: RunResult, name: str, high: float) -> Check:
    if measure(name).higher_is_better:
        raise CallError(f"--fail-over {name}: higher is better there; use --fail-under.")
    value = _value(run, name)
    return Check(name, f"at most {ENGLISH.said(high)}", value, value <= high + SLACK)


def _drops(
    run: RunResult, baseline: RunResult | None, max_drop: Mapping[str, float]
) -> Iterator[Check]:
    if baseline is None or not max_drop:
        return
    late = run.timed_out + baseline.timed_out
    if late:  # a drop may be the machine's, and one may be hidden
        yield Check("questions out of time", "none in the run and its baseline", late, False)
    run, baseline, among = _on_the_same_questions(run, baseline)
    for name, allowed in max_drop.items():
        before, value = _value(baseline, name), _value(run, name)
        sign, word = (1, "below") if measure(name).higher_is_better else (-1, "above")
        drop = (before - value) * sign
        rule = f"at most {ENGLISH.said(allowed)} {word} the baseline's {before:,.4f}{among}"
        yield Check(name, rule, value, drop <= allowed + SLACK)


def _on_the_same_questions(run: RunResult, baseline: RunResult) -> tuple[RunResult, RunResult, str]:
    """Both with figures over what both were asked, and what to say of it."""
    if run.set_hash == baseline.set_hash:
        return run, baseline, ""
    pairs, _, _ = paired(baseline, run)
    if not pairs:
        raise EvalSetError(
            f"The baseline, a run of {baseline.name}, shares no question with {run.name}."
        )
    old, new = zip(*pairs, strict=True)
    among = f", over the {len(pairs)} questions that both have"
    return replace(run, metrics=metrics(new)), replace(baseline, metrics=metrics(old)), among


def junit(run: RunResult, checks: Sequence[Check]) -> str:
    """The checks as JUnit XML, one test case a bound."""
    failures = sum(not check.passed for check in checks)
    attributes = {"name": xml(f"specloupe eval {run.name}"), "tests": str(len(checks))}
    suite = ET.Element("testsuite", {**attributes, "failures": str(failures)})
    for each in checks:
        case = ET.SubElement(suite, "testcase", {"classname": "specloupe.eval"})
        case.set("name", xml(f"{each.metric} {each.rule}"))
        if not each.passed:
            ET.SubElement(case, "failure", {"message": xml(str(each))})
    ET.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suite, "unicode") + "\n"


def markdown(run: RunResult, checks: Sequence[Check]) -> str:
    """The checks as a summary for a pull request."""
    verdict = "passed" if passed(checks) else "failed"
    heading = f"### Retrieval gate {verdict}: {code(run.name)}"
    rows = [
        f"| {'✅' if each.passed else '❌'} | {each.metric} | {each.value:.4f} | {each.rule} |"
        for each in checks
    ]
    table = ["| | metric | value | required |", "|---|---|---|---|", *rows]
    facts = " ".join(filter(None, [f"{len(run.samples)} questions.", run.paid, run.out_of_time]))
    return "\n".join([heading, "", facts, "", *table]) + "\n"
