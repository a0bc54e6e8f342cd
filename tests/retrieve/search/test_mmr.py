"""What is new comes before what says the same again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.retrieve.search.mmr import most_new_first


def test_of_two_alike_the_second_waits_for_something_new() -> None:
    texts = ["list tickets", "list tickets", "send mail"]
    assert most_new_first(texts, [0.9, 0.8, 0.5], 0.5) == [0, 2, 1]
    assert most_new_first(texts, [0.9, 0.8, 0.5], 0.0) == [0, 1, 2]


@given(st.integers(0, 5), st.floats(0, 1))
def test_every_order_has_each_once(count: int, weight: float) -> None:
    texts = ["List the open tickets of a customer"] * count
    assert sorted(most_new_first(texts, [0.5] * count, weight)) == list(range(count))
