from __future__ import annotations

import numpy as np
import pytest

from core.retrieve.score.fitted import FEW_LOOKED, SECOND_LOOK
from core.retrieve.score.second_look import added, features_of_few, weight_of


def of(**features: float) -> dict[str, np.ndarray]:
    names = {
        name: features.get(name.replace(" ", "_").replace(",", ""), 0.0) for name in SECOND_LOOK
    }
    return {name: np.array([value, 0.0], np.float32) for name, value in names.items()}


def test_what_is_nearer_the_question_is_raised() -> None:
    nearer = added(of(above_the_20th=2.0), SECOND_LOOK, clauses=1, apis=200)
    assert nearer[0] == pytest.approx(0.2 * 2.0 * SECOND_LOOK["above the 20th"])
    assert nearer[1] == 0


def test_a_part_of_an_element_is_not_put_before_the_element() -> None:
    assert added(of(part=1.0), SECOND_LOOK, clauses=1, apis=200)[0] < 0


def test_it_counts_less_for_several_clauses_and_more_for_one_in_one_api() -> None:
    assert weight_of(1, 1) > weight_of(1, 200) > weight_of(4, 200) == weight_of(4, 1) > 0


def test_of_a_few_the_nearest_is_raised_most() -> None:
    cosines = np.array([[0.2, 0.8, 0.5]], np.float32)
    found = features_of_few(np.arange(3), cosines, np.zeros(3, np.float32), Rows3())  # type: ignore[arg-type]
    assert np.argmax(added(found, FEW_LOOKED, clauses=1, apis=200)) == 1


class Rows3:
    """A reader of three operations."""

    def mask(self, where: object) -> np.ndarray:
        return np.ones(3, np.bool_)
