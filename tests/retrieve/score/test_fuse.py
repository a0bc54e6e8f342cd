from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.retrieve.score.fuse import fuse, scored, single, weights_of
from core.settings import Settings, resolve

SEMANTIC = [("a", 0.8), ("b", 0.6), ("c", 0.2)]
LEXICAL = [("b", 0.5), ("d", 0.4)]
HALVES = Settings(vector_weight=0.5, keyword_weight=0.5)

rankings = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 1), max_size=8).map(
    lambda scores: sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
)


def test_convex_is_the_weighted_mean() -> None:
    found = {c.chunk_id: c.score for c in fuse(SEMANTIC, LEXICAL, HALVES, reach=10)}
    assert found == pytest.approx({"a": 0.4, "b": 0.55, "c": 0.1, "d": 0.2})


def test_weights_count_as_shares() -> None:
    doubled = Settings(vector_weight=0.2, keyword_weight=0.2)
    assert fuse(SEMANTIC, LEXICAL, doubled, reach=10) == fuse(SEMANTIC, LEXICAL, HALVES, reach=10)


def test_beyond_the_reach_the_last_score_counts() -> None:
    (d,) = [c for c in fuse(SEMANTIC, LEXICAL, HALVES, reach=3) if c.chunk_id == "d"]
    assert d.score == pytest.approx(0.5 * 0.2 + 0.5 * 0.4)
    assert d.parts == {"semantic": 0.2, "lexical": 0.4}


def test_rrf_ranks_by_reciprocal_ranks_and_keeps_the_score() -> None:
    settings = HALVES.replace(fusion="rrf", rrf_k=1)
    found = fuse(SEMANTIC, LEXICAL, settings, reach=10)
    orders = {c.chunk_id: c.order for c in found}
    assert orders == pytest.approx({"b": 0.5 / 3 + 0.5 / 2, "a": 0.5 / 2, "d": 0.5 / 3, "c": 0.125})
    assert {c.chunk_id: c.score for c in found} == {
        c.chunk_id: c.score for c in fuse(SEMANTIC, LEXICAL, HALVES, reach=10)
    }


def test_no_weight_is_a_settings_error() -> None:
    nothing = Settings(vector_weight=0.0, keyword_weight=0.0)
    with pytest.raises(SettingsError, match="both 0"):
        fuse(SEMANTIC, LEXICAL, nothing, reach=10)


def test_entries_without_a_score_are_counted() -> None:
    ranking = [("a", 0.5), ("b", None), ("c", float("nan")), ("d", -0.25), ("e", 1.25)]
    assert scored(ranking) == ([("a", 0.5), ("d", 0.0), ("e", 1.0)], 2)


def test_a_single_ranking_keeps_its_order() -> None:
    assert [c.chunk_id for c in single(SEMANTIC, "semantic")] == ["a", "b", "c"]


@given(rankings, rankings, st.sampled_from(["convex", "rrf"]))
def test_scores_stay_between_0_and_1_and_ties_break_on_the_id(semantic, lexical, fusion) -> None:  # type: ignore[no-untyped-def]
    found = fuse(semantic, lexical, Settings(fusion=fusion), reach=8)
    assert all(0 <= c.score <= 1 for c in found)
    assert [(-c.order, c.chunk_id) for c in found] == sorted((-c.order, c.chunk_id) for c in found)
    assert {c.chunk_id for c in found} == {i for i, _ in [*semantic, *lexical]}


def test_the_weights_of_a_better_embedder_differ_by_default() -> None:
    tuned = Settings.from_values({"embedder": "minilm"})
    assert weights_of(tuned) == (pytest.approx(0.8), pytest.approx(0.2))
    found = resolve({"embedder": "minilm"}, environment={})
    assert found.settings == tuned
    assert found.origin["vector_weight"] == "default of minilm"
    assert weights_of(Settings()) == (0.5, 0.5)


@pytest.mark.parametrize("vector", [0.0, 0.3, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("embedder", ["static", "minilm"])
def test_weights_that_are_asked_for_are_used(vector: float, embedder: str) -> None:
    asked = {"embedder": embedder, "vector_weight": vector, "keyword_weight": round(1 - vector, 1)}
    for settings in (
        Settings.from_values(asked),
        resolve(asked, environment={}).settings,
        Settings.from_values({"embedder": embedder}).replace(
            vector_weight=vector, keyword_weight=round(1 - vector, 1)
        ),
    ):
        assert weights_of(settings) == (pytest.approx(vector), pytest.approx(1 - vector))


def test_the_constant_of_rank_fusion_may_be_0() -> None:
    settings = Settings(fusion="rrf", rrf_k=0)
    best = fuse([("a", 0.9), ("b", 0.8)], [("a", 0.5)], settings, reach=10)[0]
    assert (best.chunk_id, best.order) == ("a", pytest.approx(1.0))
