from __future__ import annotations

from dataclasses import replace

import pytest
from support.retrieved import A, B, C, D, result, run_of

from core.errors import CallError, EvalSetError
from core.evaluate.compare.compare import Difference, LabelMove, compare
from core.evaluate.report.report import comparison_markdown
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import Sample


def run_with(*ranked: list[str], **details: object) -> RunResult:
    """One question a list; its gold is A."""
    results = [
        result(Sample(str(n), f"q{n}", relevant=(A,)), each) for n, each in enumerate(ranked)
    ]
    return run_of(*results, **details)


def test_a_comparison_by_hand() -> None:
    before = run_with([A], [B, A], [B], [A])
    after = run_with([A], [A], [A], [B, C, A])
    found = compare(before, after, metrics=["search.mrr", "context.noise"])
    mrr, noise = found.deltas
    assert mrr.before == pytest.approx((1 + 1 / 2 + 0 + 1) / 4)
    assert mrr.after == pytest.approx((1 + 1 + 1 + 1 / 3) / 4)
    assert mrr.delta == pytest.approx(mrr.after - mrr.before)
    assert (mrr.wins, mrr.ties, mrr.losses) == (2, 1, 1)
    assert mrr.interval[0] <= mrr.delta <= mrr.interval[1]
    # of the 8 sign patterns of (1/2, 1, -2/3), those at least as far from 0 as 5/6
    assert mrr.p == 6 / 8
    assert mrr.p_holm == 1.0
    assert mrr.questions == 4
    # less noise is a win: 0, 1/2, 1, 0 became 0, 0, 0, 2/3
    assert (noise.wins, noise.ties, noise.losses) == (2, 1, 1)


def test_the_worst_regression_comes_first_with_what_was_lost() -> None:
    before = run_with([A], [A, B], [B])
    after = run_with([B, A], [B, C], [A])
    found = compare(before, after, metrics=["search.mrr", "context.recall"])
    assert [change.id for change in found.questions] == ["1", "0", "2"]
    assert [change.id for change in found.regressions] == ["1", "0"]
    worst = found.questions[0]
    assert worst.deltas == {"search.mrr": -1.0, "context.recall": -1.0}
    assert worst.moves == (LabelMove((A,), 1, 0, True, False),)
    assert [change.moves[0].kind for change in found.questions] == ["lost", "moved", "gained"]


def test_a_run_and_itself_do_not_differ() -> None:
    run = run_with([A], [B])
    found = compare(run, run)
    assert all(delta.delta == 0 and delta.p == 1.0 for delta in found.deltas)
    assert found.questions == found.settings == found.store == ()
    assert found.same_set


def test_only_common_questions_are_compared_and_the_others_are_named() -> None:
    before = run_with([A], [A])
    other = result(Sample("9", "other", relevant=(D,)), [D])
    changed = result(Sample("1", "another wording", relevant=(A,)), [B])
    after = run_of(before.samples[0], other, changed)
    found = compare(before, after)
    assert found.only_before == ("1",)
    assert found.only_after == ("9", "1")
    assert {delta.questions for delta in found.deltas} == {1}


def test_what_differs_between_settings_and_stores() -> None:
    before = run_with([A], settings={"a": 1, "b": 2}, store={"generation": "1"})
    after = run_with([A], settings={"a": 1, "b": 3, "c": 4}, store={"generation": "2"})
    found = compare(before, after)
    assert found.settings == (Difference("b", 2, 3), Difference("c", None, 4))
    assert found.store == (Difference("generation", "1", "2"),)


def test_holm_is_over_the_metrics_of_the_comparison() -> None:
    before = run_with(*[[B, A]] * 8)
    after = run_with(*[[A]] * 8)
    alone = compare(before, after, metrics=["search.mrr"]).deltas[0]
    assert alone.p == alone.p_holm == 2 / 2**8
    assert alone.is_significant
    both = compare(before, after, metrics=["search.mrr", "search.hit@10"]).deltas
    assert both[0].p_holm == 2 * alone.p
    assert both[1].p_holm == 1.0


def test_runs_without_a_common_question_are_refused() -> None:
    with pytest.raises(EvalSetError, match="have no question in common"):
        compare(run_with([A]), replace(run_with([A]), samples=()))


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(CallError, match="no metric"):
        compare(run_with([A]), run_with([A]), metrics=["nope"])


def test_what_a_question_costs_by_hand() -> None:
    before, after = run_with([A], [A]), run_with([A], [A])
    first, second = after.samples
    paid = {"cost.tokens_in": 300.0, "cost.usd": 0.01}
    after = replace(
        after,
        samples=(
            replace(first, metrics={**first.metrics, **paid}, milliseconds=9.0),
            replace(second, milliseconds=5.0),  # of which no model was asked
        ),
    )
    found = {cost.metric: (cost.before, cost.after) for cost in compare(before, after).costs}
    assert found == {
        "latency.p50_ms": (1.0, 5.0),
        "latency.p95_ms": (1.0, 9.0),
        "cost.tokens_in": (0.0, 150.0),
        "cost.usd": (0.0, 0.005),
    }
    assert "What a question costs" in comparison_markdown(compare(before, after))


def test_without_times_and_without_a_model_nothing_is_said_of_the_cost() -> None:
    run = run_with([A])
    untimed = replace(run, samples=tuple(replace(s, milliseconds=0.0) for s in run.samples))
    assert compare(untimed, run).costs == ()
