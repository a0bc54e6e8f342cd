from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieve.score.evidence import Said, gather
from core.settings import Search

COSINE = np.array([0.8, 0.6, 0.2, 0.0], dtype=np.float32)
WORDS = np.array([0.0, 0.5, 0.0, 0.4], dtype=np.float32)

scores = st.lists(st.floats(0, 1, width=32), min_size=5, max_size=5).map(
    lambda values: np.array(values, dtype=np.float32)
)


def fused(
    cosine: Any = COSINE,
    words: Any = WORDS,
    allowed: Any = None,
    second: Any = None,
    **settings: Any,
) -> Any:
    halves = {"vector_weight": 0.5, "keyword_weight": 0.5}
    return gather((), Said(cosine, second, words), allowed, Search(**halves | settings)).fused


def test_convex_is_the_weighted_mean_of_both_scaled() -> None:
    assert fused() == pytest.approx([0.5, 0.375 + 0.5, 0.125, 0.4])


def test_weights_count_as_shares() -> None:
    assert fused(vector_weight=0.2, keyword_weight=0.2) == pytest.approx(fused())


def test_one_ranking_alone_is_scaled() -> None:
    assert fused(words=None) == pytest.approx([1, 0.75, 0.25, 0])
    assert fused(cosine=None) == pytest.approx([0, 1, 0, 0.8])


def test_both_embedders_count_alike() -> None:
    second = np.array([0.0, 0.2, 0.2, 0.1], dtype=np.float32)
    sums = [1.0 + 0.0, 0.75 + 1.0, 0.25 + 1.0, 0.0 + 0.5]
    scaled = [(each - 0.5) / 1.25 for each in sums]
    assert fused(second=second, words=None) == pytest.approx(scaled, abs=1e-6)


def test_rrf_sums_the_reciprocal_ranks() -> None:
    sums = [0.5 / 2, 0.5 / 3 + 0.5 / 2, 0.5 / 4, 0.5 / 3]  # of k = 1
    low, high = min(sums), max(sums)
    scaled = [(s - low) / (high - low) for s in sums]
    assert fused(fusion="rrf", rrf_k=1) == pytest.approx(scaled, abs=1e-6)


def test_the_constant_of_rank_fusion_may_be_0() -> None:
    best = fused(fusion="rrf", rrf_k=0)
    assert best[1] == pytest.approx(1.0)  # first by words, second by vectors
    assert np.isfinite(best).all()


def test_a_row_that_may_not_be_found_does_not_set_the_scale() -> None:
    allowed = np.array([False, True, True, True])
    assert fused(allowed=allowed, words=None)[1] == pytest.approx(1.0)


@given(scores, scores, st.sampled_from(["convex", "rrf"]))
def test_what_may_be_found_is_scored_from_0_to_1(cosine: Any, words: Any, fusion: str) -> None:
    found = fused(cosine, words, fusion=fusion)
    assert ((found >= 0) & (found <= 1 + 1e-6)).all()
