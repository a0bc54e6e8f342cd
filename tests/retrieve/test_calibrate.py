from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.retrieve.calibrate import EXACT, WEIGHTS, calibrated, settled

shares = arrays(np.float32, 5, elements=st.floats(0, 1, width=32))
evidence = st.fixed_dictionaries({}, optional=dict.fromkeys(WEIGHTS, shares))


@given(evidence, st.integers(1, 3000), st.floats(0, 1))
def test_scores_are_shares_and_more_evidence_never_lowers_one(
    found: dict[str, np.ndarray], apis: int, strange: float
) -> None:
    scores = calibrated({EXACT: np.zeros(5, np.float32), **found}, apis=apis, strange=strange)
    assert ((scores >= 0) & (scores <= 1)).all()
    more = {name: np.minimum(values + 0.1, 1) for name, values in found.items()}
    raised = calibrated({EXACT: np.zeros(5, np.float32), **more}, apis=apis, strange=strange)
    assert (raised >= scores - 1e-6).all()


def test_among_more_apis_the_same_evidence_says_less() -> None:
    found = {name: np.full(1, 0.5, np.float32) for name in ("semantic", "coverage", "home")}
    few, many = (calibrated(found, apis=n, strange=0.0)[0] for n in (5, 500))
    assert few > many > calibrated(found, apis=500, strange=1.0)[0]


@given(arrays(np.float32, 8, elements=st.floats(0, 1, width=32)))
def test_no_rank_scores_below_a_later_one(scores: np.ndarray) -> None:
    found = settled(scores)
    assert (np.diff(found) <= 0).all()
    assert (found >= scores).all()
