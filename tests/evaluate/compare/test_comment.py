from __future__ import annotations

from dataclasses import replace

from support.retrieved import A, B, result, run_of

from core.evaluate.compare.comment import MOST, won_and_lost
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import Sample

HOSTILE = "@all | ![x](http://h)"


def _run(found: bool, query: str = "q", questions: int = 2) -> RunResult:
    """Of as many questions, whose answer is found or not."""
    samples = (Sample(str(n), f"{query} {n}", relevant=(A,)) for n in range(questions))
    return run_of(*(result(sample, [A if found else B]) for sample in samples))


def test_an_answer_that_is_gone_is_listed_as_lost() -> None:
    text = won_and_lost(_run(True), _run(False))
    assert "#### Lost: 2" in text
    assert "#### Won: 0" in text
    assert f"| <code>q 0</code> | <code>{A}</code> | 1 → not found |" in text


def test_an_answer_that_is_new_is_listed_as_won() -> None:
    assert "#### Won: 2" in won_and_lost(_run(False), _run(True))


def test_a_metric_is_shown_before_and_now() -> None:
    assert "| search.hit@10 | 1.0000 | 0.0000 | -1.0000" in won_and_lost(_run(True), _run(False))


def test_long_lists_are_cut_and_counted() -> None:
    many = MOST + 3
    text = won_and_lost(_run(True, questions=many), _run(False, questions=many))
    assert f"#### Lost: {many}" in text
    assert "3 more are not listed." in text


def test_a_question_cannot_write_markdown() -> None:
    text = won_and_lost(_run(True, HOSTILE), _run(False, HOSTILE))
    row = next(line for line in text.splitlines() if "all" in line and A in line)
    assert row.count(" | ") == 2
    assert "![x]" not in row


def test_runs_of_other_questions_are_not_compared() -> None:
    assert "shares no question" in won_and_lost(_run(True), _run(True, "other"))


def test_questions_out_of_time_are_said() -> None:
    late = replace(_run(False), timed_out=1)
    assert "time" in won_and_lost(_run(True), late).splitlines()[-1]
