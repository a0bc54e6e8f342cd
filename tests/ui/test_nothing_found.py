from dataclasses import replace

import pytest
from support import context_example as example

from core.model import Cut, LeftOut
from ui.nothing_found import low_enough, nearest


def test_the_nearest_are_what_only_the_minimum_score_kept_out() -> None:
    context = example.example()
    left = tuple(
        LeftOut(id, cut, score=score)
        for id, cut, score in (
            ("a.json:info", Cut.BELOW_MIN_SCORE, 0.1),
            ("c.json:info", Cut.BELOW_MIN_SCORE, 0.2),
            ("b.json:info", Cut.BELOW_MIN_SCORE, 0.2),
            ("d.json:info", Cut.FILTER, 0.9),
        )
    )
    found = nearest(replace(context, trace=replace(context.trace, left_out=left)))
    assert [each.chunk_id[0] for each in found] == ["b", "c", "a"]


@pytest.mark.parametrize(
    ("score", "step"), [(0.47, 0.45), (0.45, 0.45), (0.3, 0.3), (0.299, 0.25), (0.02, 0.0)]
)
def test_the_offered_minimum_is_a_step_of_the_slider(score: float, step: float) -> None:
    assert low_enough(score) == step
