from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.index.ranking import best


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])), st.integers(0, 30))
def test_best_is_a_stable_sort_cut_off(scores: list[float], limit: int) -> None:
    expected = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:limit]
    assert best(np.array(scores, np.float32), limit).tolist() == expected
