from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.retrieve.follow.ranks import first, ranks

PRIMARIES = st.sets(st.integers(0, 80))


def bits(primaries: set[int]) -> int:
    return sum(1 << number for number in primaries)


@given(PRIMARIES)
def test_ranks_are_the_numbers_of_the_primaries_from_one(primaries: set[int]) -> None:
    assert ranks(bits(primaries)) == tuple(number + 1 for number in sorted(primaries))


@given(PRIMARIES)
def test_the_first_is_the_least_number(primaries: set[int]) -> None:
    assert first(bits(primaries)) == min(primaries, default=-1)
