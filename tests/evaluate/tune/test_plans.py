"""Which combinations are tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from core.errors import CallError
from core.evaluate.compare.sweep import combinations
from core.evaluate.sets.sample import Sample
from core.evaluate.tune.choose import Grid, by_chance
from core.evaluate.tune.measured import Measured, Row
from core.evaluate.tune.plans import FEWEST, at_random, every, halved, rounds, single
from core.settings import Settings

AXES = {"max_depth": (1, 2), "min_score": (0.1, 0.2, 0.3), "spelling": (True, False)}


def test_all_are_those_of_the_command_line() -> None:
    assert every(AXES) == combinations(AXES)
    assert len(single(AXES)) == 7
    assert single(AXES)[0] == {"max_depth": 1}


def test_some_at_random_are_different_and_always_the_same() -> None:
    some = at_random(AXES, 5)
    assert len({repr(each) for each in some}) == 5
    assert all(each in every(AXES) for each in some)
    assert at_random(AXES, 5) == some
    assert at_random(AXES, 99) == every(AXES)
    huge = {name: range(1000) for name in "abcde"}
    assert len(at_random(huge, 1000)) == 1000  # without making all of them


def test_too_many_are_refused() -> None:
    with pytest.raises(CallError, match="1,024 combinations are more than 1,000"):
        every({"a": range(32), "b": range(32)})
    with pytest.raises(CallError, match="at random"):
        at_random(AXES, 1001)


def test_rounds_leave_half_of_the_questions() -> None:
    assert rounds(60, 100) == [8, 16]
    assert sum(rounds(1000, 1000)) <= 500
    assert rounds(10, 100) == []  # too few questions to spare any
    assert rounds(1000, FEWEST) == []  # nothing to eliminate


def measure_of(goodness: np.ndarray):
    """(settings, questions) as rows, whichever settings are asked."""

    def measure(samples: Sequence[int], settings: Sequence[Settings]) -> Iterator[Row]:
        for sample in samples:
            scores = [float(goodness[each.token_limit - 1000, sample]) for each in settings]
            contexts = [Measured({"context.recall": s, "context.tokens": 1.0}) for s in scores]
            of = tuple(range(len(settings)))
            yield Row(Sample(str(sample), "q"), (), (), tuple(contexts), of)

    return measure


def grid(count: int) -> Grid:
    changes = [{"token_limit": 1000 + n} if n else {} for n in range(count)]
    return Grid(changes, [Settings(token_limit=1000 + n) for n in range(count)])


def test_halving_keeps_what_is_best_and_questions_that_chose_nothing() -> None:
    goodness = np.random.default_rng(1).uniform(0, 0.5, (65, 200))
    goodness[40] += 0.5
    *rows, (left, rest) = halved(grid(65), range(200), "context.recall", measure_of(goodness))
    assert {"token_limit": 1040} in left.changes
    assert left.changes[0] == {}
    assert len(left.changes) == 1 + FEWEST
    asked = {int(row.sample.id) for row in rows}
    assert not asked & set(rest)
    assert len(asked) + len(rest) == 200


@pytest.mark.thorough
def test_the_best_of_a_halving_is_called_better_by_chance_in_five_of_a_hundred() -> None:
    """160 sweeps in which no settings are any better: the rounds choose the luckiest, and their
    luck does not count."""
    wrong = 0
    for seed in range(160):
        goodness = np.random.default_rng(seed).normal(size=(33, 80))
        *_, last = halved(grid(33), range(80), "context.recall", measure_of(goodness), seed=seed)
        left, rest = last
        places = [each.token_limit - 1000 for each in left.settings]
        values = goodness[np.ix_(places, rest)]
        wrong += bool(by_chance(values - values[0])[1:].min() < 0.05)
    assert 2 <= wrong <= 16  # of 8
