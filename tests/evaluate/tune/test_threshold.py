"""What a minimum score does, and whether an advised one keeps what it promises."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluate.sets.sample import Sample
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.measured import Measured, Row
from core.evaluate.tune.threshold import STEPS, advice, curve, highest, losses, on_others, parts
from core.settings import Settings

GOLD = "a.json:paths/~1users/get"


def grid(*scores: float, without: float | None = None) -> Grid:
    """A question for each score, which is that of its only expected answer; `without` is the best
    score of one that has no answer. Each result costs 100 tokens."""
    settings = [Settings(min_score=step) for step in STEPS]
    changes = [{}, *({"min_score": step} for step in STEPS[1:])]
    rows = [_row(score, is_gold=True) for score in scores]
    rows += [] if without is None else [_row(without, is_gold=False)]
    return Grid(changes, settings, rows)


def _row(score: float, *, is_gold: bool) -> Row:
    within = {
        "context.recall": 1.0,
        "context.direct": 1.0,
        "context.tokens": 100.0,
    }
    nothing = {"context.recall": 0.0, "context.direct": 0.0}
    contexts = (Measured(within, int(is_gold), 1), Measured(nothing, 0, 0))
    of = tuple(int(score < step) for step in STEPS)
    gold = ((GOLD,),) if is_gold else ()
    return Row(Sample("a", "q", intent="endpoint"), gold, ("a.json",), contexts, of)


def test_the_figures_of_a_line() -> None:
    found = grid(0.2, 0.5, 0.505, 0.9, without=0.3)
    at = {step.threshold: step for step in curve(found, found.rows)}
    assert (at[0.0].kept, at[0.0].dropped, at[0.0].empty, at[0.0].silent) == (4, 0, 0, 0)
    half = at[0.5]
    assert (half.kept, half.dropped, half.results, half.empty, half.silent) == (3, 1, 3, 1, 1)
    assert (half.tokens, half.recall, half.precision) == (75.0, 0.75, 1.0)
    assert at[1.0].precision == 1.0  # of no result, none is wrong


def test_the_advice_is_the_highest_that_keeps_the_promise() -> None:
    found = grid(*np.linspace(0.3, 0.9, 99))
    told = advice(found, found.rows, 0.9)
    assert told
    # (lost + 1) / 100 <= .1: nine may be lost
    lost = round((1 - told.kept) * 99)
    assert lost <= 9
    after = found.settings.index(Settings(min_score=told.at.threshold)) + 1
    assert curve(found, found.rows)[after].dropped > 9
    assert told.saved == pytest.approx(100 * lost / 99)
    assert told.interval[0] < told.kept < told.interval[1]


def test_few_questions_promise_little() -> None:
    few = grid(*[0.5] * 9)
    assert advice(few, few.rows, 0.95) is None
    told = advice(few, few.rows, 0.9)
    assert told
    assert told.at.threshold == 0.5
    assert advice(grid(), [], 0.8) is None


def test_what_a_question_never_finds_is_no_loss() -> None:
    found = grid(0.4, 0.6)
    missed = _row(0.5, is_gold=True)
    found.rows.append(Row(missed.sample, missed.gold, (), missed.contexts, (1,) * len(STEPS)))
    assert losses(found, found.rows).shape == (101, 2)


def test_questions_are_told_apart() -> None:
    found = grid(0.4, 0.6, without=0.1)
    by = parts(found.rows)
    assert {name: len(rows) for name, rows in by.items()} == {
        "API: a.json": 3,
        "intent: endpoint": 3,
        "kind: operation": 2,
    }


def drawn(random: np.random.Generator, questions: int, many: bool) -> np.ndarray:
    """(thresholds, questions): losses of questions with one or several answers, whose scores are
    spread out, bunched up or mixed."""
    answers = random.integers(1, 5, questions) if many else np.ones(questions, int)
    steps = np.array(STEPS)
    kinds = (lambda n: random.beta(5, 2, n), lambda n: random.beta(1, 1, n))
    columns = []
    for count in answers:
        scores = kinds[int(random.random() < 0.15)](count)
        columns.append((scores[None, :] < steps[:, None]).mean(1))
    return np.array(columns).T


@pytest.mark.thorough
@pytest.mark.parametrize("many", [False, True], ids=["one answer", "several"])
@pytest.mark.parametrize("promised", [0.95, 0.8])
def test_an_advised_threshold_keeps_its_promise_on_other_questions(
    promised: float, many: bool
) -> None:
    """300 times: advised on one half of 120 questions, looked at on the other."""
    random, inside, kept = np.random.default_rng(11), 0, []
    for _ in range(300):
        lost = drawn(random, 120, many)
        place = highest(lost[:, :60], promised)
        assert place is not None
        low, high = on_others(1 - lost[place, :60])
        other = 1 - lost[place, 60:].mean()
        inside += low - 1e-9 <= other <= high + 1e-9
        kept.append(other)
    assert np.mean(kept) >= promised - 0.004  # on average; .004 is two errors of 300
    assert inside >= 0.92 * 300
