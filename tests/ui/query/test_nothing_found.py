from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from support import context_example as example

from core.model import LeftOut
from core.reasons import Cut
from ui.query.nothing_found import low_enough, nearest, shown


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


@pytest.mark.parametrize(
    ("score", "text"), [(0.296, "0.29"), (0.29, "0.29"), (0.3, "0.30"), (0.9999, "0.99")]
)
def test_a_score_below_the_minimum_never_looks_like_it(score: float, text: str) -> None:
    assert shown(score) == text


def out_of_time() -> None:
    from dataclasses import replace

    import streamlit as st
    from support import context_example as example

    from ui.query.nothing_found import nothing_found

    st.session_state.update(api=[], type="")
    context = example.example()
    stats = replace(context.retrieval_stats, timed_out=True)
    nothing_found(
        replace(context, retrieval_stats=stats, trace=replace(context.trace, left_out=()))
    )


def test_a_search_that_ran_out_of_time_is_not_told_as_one_that_found_nothing() -> None:
    app = AppTest.from_function(out_of_time).run()
    assert not app.exception
    assert app.info[0].value.startswith("Time ran out before anything was found.")
