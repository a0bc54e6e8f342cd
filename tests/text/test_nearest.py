from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import nearest as module
from core.text.nearest import CHUNK, KEY, NAME, Likeness, folded, letters_apart, nearest, slips

PURPOSES = [each for each in vars(module).values() if isinstance(each, Likeness)]
names = st.lists(st.text("abcde/-", max_size=12), max_size=8)


@pytest.mark.parametrize(
    ("wanted", "known", "like", "found"),
    [
        ("token_limt", ["max_depth", "token_limit"], NAME, ("token_limit",)),
        ("colour", ["max_depth", "token_limit"], NAME, ()),
        ("querry", ["id", "query"], KEY, ("query",)),
        ("note", ["notes", "grades"], KEY, ("notes",)),
        ("tone", ["notes", "grades"], KEY, ()),
        (
            "users/post",
            ["shop.json:paths/users/post", "media.json:info"],
            CHUNK,
            ("shop.json:paths/users/post",),
        ),
        ("anything", [], NAME, ()),
        ("", ["a"], NAME, ()),
    ],
)
def test_what_is_near(
    wanted: str, known: list[str], like: Likeness, found: tuple[str, ...]
) -> None:
    assert nearest(wanted, known, like) == found


def test_the_most_alike_come_first_and_of_equals_the_first_known() -> None:
    assert nearest("user", ["users", "user", "uses"], limit=3) == ("user", "users", "uses")
    assert nearest("cat", ["cab", "car", "can"], limit=2) == ("cab", "car")


@pytest.mark.thorough
@pytest.mark.parametrize("like", PURPOSES)
@given(known=names, limit=st.integers(1, 4))
def test_a_known_name_is_nearest_to_itself(like: Likeness, known: list[str], limit: int) -> None:
    for name in filter(None, known):
        found = nearest(name, known, like, limit=limit)
        assert found
        assert len(found) <= limit
        if not like.in_part:
            assert found[0] == name


def test_slips() -> None:
    assert slips("usres", ["users", "user", "order"], letters=1, limit=5) == [("users", 1)]
    assert letters_apart("cats", "dogs") == 3
    assert folded("User-ID") == "user id"


@given(names, st.text("abcde/-", min_size=1, max_size=12))
def test_what_is_near_has_a_length_that_can_be_near(known: list[str], wanted: str) -> None:
    shortest, longest = KEY.lengths(len(wanted))
    found = nearest(wanted, known, KEY, limit=len(known) or 1)
    assert all(shortest <= len(name) <= longest for name in found)
