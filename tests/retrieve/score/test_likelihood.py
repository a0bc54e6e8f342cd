from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.retrieve.score.likelihood import EXACT, SETTLED, START, WEIGHTS, calibrated, settled
from core.retrieve.score.likelihood import shares as made_of

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


@given(evidence, st.integers(1, 3000), st.floats(0, 1), st.sampled_from(["static", "minilm"]))
def test_what_a_score_is_made_of_adds_up_to_it(
    found: dict[str, np.ndarray], apis: int, strange: float, embedder: str
) -> None:
    known = {EXACT: np.zeros(5, np.float32), **found}
    own = calibrated(known, apis=apis, strange=strange, embedder=embedder)
    scores = settled(own)
    parts = made_of(known, scores, apis=apis, strange=strange, embedder=embedder)
    assert np.allclose(sum(parts.values()), scores, atol=1e-6)
    assert set(parts) == {START, SETTLED, *known}
    assert np.allclose(parts[SETTLED], scores - own, atol=1e-6)
    if embedder == "static":  # evidence is never negative there, and neither is what it adds
        assert all((values >= -1e-9).all() for name, values in parts.items() if name != SETTLED)


def test_the_same_weighed_evidence_has_the_same_share() -> None:
    """By hand: cosine 0.5 weighs 2.6 and home 0.619 as much, so both add half of what is added."""
    found = {"semantic": np.array([0.5]), "home": np.array([2.6 / WEIGHTS["home"]])}
    scores = calibrated(found, apis=1, strange=0.0)
    parts = made_of(found, scores, apis=1, strange=0.0)
    assert np.isclose(parts["semantic"][0], parts["home"][0])
    assert np.isclose(parts["semantic"][0], (scores[0] - parts[START][0]) / 2, atol=1e-6)
