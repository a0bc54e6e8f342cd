from __future__ import annotations

import pytest

from core.errors import SettingsError
from core.retrieve.score.candidate import scored, single, weights_of
from core.settings import Search, Settings, resolve


def test_no_weight_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="both 0"):
        weights_of(Search(vector_weight=0.0, keyword_weight=0.0))


def test_entries_without_a_score_are_counted() -> None:
    ranking = [("a", 0.5), ("b", None), ("c", float("nan")), ("d", -0.25), ("e", 1.25)]
    assert scored(ranking) == ([("a", 0.5), ("d", 0.0), ("e", 1.0)], 2)


def test_a_single_ranking_keeps_its_order() -> None:
    assert [c.chunk_id for c in single([("a", 0.8), ("b", 0.6)], "semantic")] == ["a", "b"]


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
