"""A question in other words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieve.understand.variations import MOST, SYNONYMS, expand_query


@pytest.mark.parametrize(
    ("query", "others"),
    [
        ("implement it", ["build it", "develop it", "create it"]),
        (
            "The Design of refunds",
            [f"The {w} of refunds" for w in ("architecture", "structure", "pattern")],
        ),
        ("a requirement", ["a constraint", "a specification", "a must have"]),
    ],
)
def test_each_group(query: str, others: list[str]) -> None:
    assert expand_query(query) == [query, *others]


def test_whole_words_alone() -> None:
    for query in ("redesigned", "designer", "implementation", "nothing"):
        assert expand_query(query) == [query]


def test_ten_at_most_the_question_first() -> None:
    assert len(expand_query("implement a design requirement")) == 10 == MOST
    assert set(SYNONYMS) == {"implement", "design", "requirement"}


@given(st.text(alphabet="designimplt requ", max_size=40))
def test_none_twice(query: str) -> None:
    made = expand_query(query)
    assert made[0] == query
    assert len({*made}) == len(made) <= MOST
