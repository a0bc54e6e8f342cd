from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.reasons import Part
from core.retrieve.score.fitted import CALIBRATION, LIKELIHOOD
from core.retrieve.score.likelihood import (
    BIAS,
    EXACT,
    NEARLY,
    PARTS,
    Likelihood,
    calibrated,
    likelihood,
    searched,
)
from core.settings import Settings

values = arrays(np.float32, 5, elements=st.floats(-3, 3, width=32))
weighted = st.sampled_from(sorted(LIKELIHOOD))
NOTHING = np.zeros(5, np.float32)


def features(of: str) -> st.SearchStrategy[dict[str, np.ndarray]]:
    return st.fixed_dictionaries({name: values for name in LIKELIHOOD[of] if name in PARTS})


def question(of: str) -> dict[str, float]:
    return {name: 0.5 for name in LIKELIHOOD[of] if name not in PARTS and name != BIAS}


@pytest.mark.thorough
@given(weighted.flatmap(lambda of: st.tuples(st.just(of), features(of))))
def test_a_score_is_a_share_and_its_parts_add_up_to_it(
    given_: tuple[str, dict[str, np.ndarray]],
) -> None:
    of, found = given_
    assert searched(found) == of
    likely = likelihood(found, question(of), NOTHING)
    assert ((likely.scores >= 0) & (likely.scores <= 1)).all()
    shares = likely.shares()
    assert sum(shares.values()) == pytest.approx(likely.scores, abs=1e-6)
    assert all((each >= -1e-9).all() for each in shares.values())
    assert {*shares} <= {*PARTS.values(), Part.START.value}


@pytest.mark.thorough
@given(weighted.flatmap(lambda of: st.tuples(st.just(of), features(of))))
def test_what_the_question_names_is_an_answer(given_: tuple[str, dict[str, np.ndarray]]) -> None:
    of, found = given_
    named = np.array([1, NEARLY, 0, 0, 0], np.float32)
    plain, raised = (likelihood(found, question(of), exact) for exact in (NOTHING, named))
    for at in range(3):
        odds = np.exp(plain.start + sum(each[at] for each in plain.added.values()))
        wanted = odds * np.exp(EXACT * named[at])
        shown = calibrated(wanted / (1 + wanted), CALIBRATION[of])
        assert raised.scores[at] == pytest.approx(shown, abs=1e-5)


def test_by_hand() -> None:
    """Log-odds of -1 and 2: the score is that of 1; half of what was added is of each part."""
    likely = Likelihood(-1.0, {"a": np.array([1.0, 1.0]), "b": np.array([1.0, -2.0])})
    assert likely.scores == pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.exp(2))])
    base = 1 / (1 + np.exp(1))
    shares = likely.shares()
    assert shares["a"][0] == shares["b"][0] == pytest.approx((likely.scores[0] - base) / 2)
    assert (shares["a"][1], shares["b"][1]) == (0, 0), "more speaks against it than for it"
    assert shares["start"] == pytest.approx([base, likely.scores[1]])


@pytest.mark.parametrize("of", sorted(CALIBRATION))
def test_a_calibration_keeps_the_order_and_what_passes_the_default_minimum(of: str) -> None:
    least, odds = Settings().min_score, np.linspace(0, 1, 1_001)
    shown = calibrated(odds, CALIBRATION[of])
    assert (shown[0], shown[-1]) == (0, 1)
    assert (np.diff(shown) > 0).all()
    assert ((shown >= least) == (odds >= least)).all()


def test_a_calibration_by_hand() -> None:
    """Half of the way from (.2, .1) to (.4, .5)."""
    points = ((0.0, 0.0), (0.2, 0.1), (0.4, 0.5), (1.0, 1.0))
    assert calibrated(np.array([0.3]), points) == pytest.approx([0.3])
    likely = Likelihood(0.0, {"a": np.array([np.log(0.25 / 0.75)])}, points)
    assert likely.scores == pytest.approx([0.2])
