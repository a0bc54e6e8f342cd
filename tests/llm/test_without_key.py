"""A server may quote the key in any answer: it goes no further."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.without_key import HIDDEN, WithoutKey, without_key

KEY = "sk-abcabcabcabcabcabcab"


@given(st.lists(st.sampled_from([KEY, KEY[:9], KEY[9:], "sk-", "a", "b c"])))
def test_however_it_is_cut_the_key_is_not_in_it(pieces: list[str]) -> None:
    told = WithoutKey(KEY)
    passed = [*map(told.add, pieces), told.rest()]
    assert KEY not in "".join(passed)
    assert "".join(passed) == "".join(pieces).replace(KEY, HIDDEN)


def test_what_cannot_be_the_key_is_passed_on_at_once() -> None:
    assert WithoutKey(KEY).add("GET /user") == "GET /user"
    assert WithoutKey(KEY).add("call sk-a") == "call "


@pytest.mark.parametrize("key", ["", "ollama", "EMPTY", "none"])
def test_a_word_in_place_of_a_key_is_an_ordinary_word(key: str) -> None:
    assert without_key(f"run {key} here", key) == f"run {key} here"
