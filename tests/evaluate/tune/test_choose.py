"""The best of many settings, and how much of its lead is luck."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from support.retrieved import A

from core.evaluate.sets.sample import Sample
from core.evaluate.tune.choose import (
    Grid,
    by_chance,
    chosen,
    frontier,
    held_out_gain,
    moved_labels,
)
from core.evaluate.tune.measured import Measured, Row
from core.settings import Settings


def grid(*right: int, questions: int = 40, tokens: tuple[int, ...] = ()) -> Grid:
    """Settings that answer the first so many questions, in contexts of so many tokens."""
    costs = tokens or (100,) * len(right)
    rows = [
        row(Sample(f"{n}", "q", relevant=(A,)), [n < found for found in right], costs)
        for n in range(questions)
    ]
    changes = [{}, *({"max_depth": n} for n in range(1, len(right)))]
    return Grid(changes, [Settings(max_depth=n) for n in range(len(right))], rows)


def row(sample: Sample, found: Sequence[bool], tokens: Sequence[int]) -> Row:
    contexts = [
        Measured({"context.recall": float(right), "context.tokens": float(cost)}, int(right))
        for right, cost in zip(found, tokens, strict=True)
    ]
    return Row(sample, ((A,),), (), tuple(contexts), tuple(range(len(contexts))))


def test_the_best_is_found_with_its_gain() -> None:
    found = chosen(grid(20, 36, 19), "context.recall")
    assert found.best == 1
    best = found.options[1]
    assert (best.value, best.gain) == (0.9, pytest.approx(0.4))
    assert (best.wins, best.ties, best.losses) == (16, 24, 0)
    assert best.is_better
    assert best.gain_interval[0] > 0.2
    assert not found.options[2].is_better
    assert found.held_out == pytest.approx(0.4)  # the same wins whatever is held out


def test_what_is_beyond_the_tokens_is_not_chosen() -> None:
    rich = grid(20, 36, 30, tokens=(500, 4000, 900))
    assert chosen(rich, "context.recall", 1000).best == 2
    assert chosen(rich, "context.recall", 600).best == 0
    nothing = chosen(rich, "context.recall", 100)
    assert (nothing.best, nothing.held_out) == (None, None)


def test_of_equals_the_cheapest_is_best_and_fewer_tokens_are_better() -> None:
    assert chosen(grid(20, 30, 30, tokens=(100, 900, 300)), "context.recall").best == 2
    lean = chosen(grid(20, 20, tokens=(900, 300)), "context.tokens")
    assert (lean.best, lean.options[1].gain) == (1, 600)


def test_the_frontier_holds_what_nothing_beats_for_as_few_tokens() -> None:
    tokens, goodness = np.array([3.0, 1.0, 2.0, 2.0, 4.0]), np.array([0.9, 0.5, 0.4, 0.7, 0.9])
    assert frontier(tokens, goodness) == {1, 3, 0}
    found = chosen(grid(20, 36, 30, tokens=(500, 4000, 400)), "context.recall")
    assert [option.at for option in found.frontier] == [2, 1]


def test_what_may_be_as_good_as_the_best_is_told() -> None:
    found = chosen(grid(5, 36, 35, 10), "context.recall")
    assert [option.near_best for option in found.options] == [False, True, True, False]


def test_labels_are_won_and_lost_in_the_context() -> None:
    moved = moved_labels(grid(2, 3, 1, questions=4), 1)
    assert [(r.sample.id, group) for r, group in moved["won"]] == [("2", (A,))]
    assert moved["lost"] == []
    assert [r.sample.id for r, _ in moved_labels(grid(2, 3, 1, questions=4), 2)["lost"]] == ["1"]


def test_a_metric_that_some_settings_do_not_define_counts_where_all_do() -> None:
    half = grid(2, 4, questions=4)
    assert half.values("context.recall").shape == (2, 4)
    assert "latency.mean_ms" not in half.metrics()
    assert not half.values("no_answer.accuracy").size
    half.rows[0] = Row(half.rows[0].sample, ((A,),), (), (Measured({}),), (0, 0))
    assert half.values("context.recall").shape == (2, 3)


@pytest.mark.thorough
@pytest.mark.parametrize("alike", [0.0, 0.8], ids=["independent", "alike"])
def test_the_best_of_many_is_called_better_by_chance_in_five_of_a_hundred(alike: float) -> None:
    """240 sweeps of 60 settings over 40 questions, none of which is any better."""
    random, wrong = np.random.default_rng(7), 0
    for _ in range(240):
        shared = random.normal(size=(1, 40))
        own = random.normal(size=(60, 40))
        p = by_chance(alike * shared + (1 - alike) * own)
        wrong += bool(p.min() < 0.05)
    assert 3 <= wrong <= 22  # of 12; the binomial gives less or more once in two hundred


def test_a_real_difference_among_many_is_seen() -> None:
    random = np.random.default_rng(3)
    table = random.normal(size=(60, 40))
    table[17] += 1.0
    p = by_chance(table)
    assert p[17] < 0.05
    assert (p < 0.05).sum() == 1


def test_what_luck_chose_gains_nothing_on_other_questions() -> None:
    random = np.random.default_rng(5)
    gains, held = [], []
    for _ in range(60):
        values = random.normal(size=(50, 40))
        gains.append(float((values - values[0]).mean(1).max()))
        held.append(held_out_gain(values, np.zeros((50, 40)), None))
    assert np.mean(gains) > 0.3
    assert abs(np.mean([each for each in held if each is not None])) < 0.1
    assert held_out_gain(np.zeros((2, 3)), np.zeros((2, 3)), None) is None
