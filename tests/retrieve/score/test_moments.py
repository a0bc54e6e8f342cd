from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import blocks
from core.retrieve.score.moments import moments


@given(size=st.integers(1, 300), seed=st.integers(0, 99), masked=st.booleans())
def test_they_are_those_of_what_may_be_found(size: int, seed: int, masked: bool) -> None:
    chance = np.random.default_rng(seed)
    scores = chance.normal(0.4, 0.1, size).astype(np.float32)
    allowed = chance.random(size) < 0.7
    seen = scores[allowed] if masked else scores
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(blocks, "BLOCK", 64)
        found = moments(scores, allowed if masked else None)
    wanted = (float(seen.mean()), float(seen.std())) if len(seen) else (0, 0)
    assert found == pytest.approx(wanted, rel=1e-4, abs=1e-7)


def test_of_nothing_they_are_0() -> None:
    assert moments(np.ones(3, np.float32), np.zeros(3, np.bool_)) == (0, 0)
