"""Whatever the pieces, an answer is within its tokens and counts what it left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.service.budget import fit
from core.tokens import counter

TOKENS = counter("cl100k_base")
lines = st.text("ab é\t", max_size=30).map(lambda text: f"{text}\n")
pieces = st.lists(st.lists(lines, min_size=1, max_size=8).map("".join), min_size=1, max_size=6)


@given(pieces, st.integers(0, 120))
def test_it_is_within_the_limit_and_accounts_for_every_piece(given: list[str], most: int) -> None:
    fitted = fit(given, most, TOKENS)
    assert TOKENS.count(fitted.text) <= most
    assert fitted.taken + fitted.left_out == len(given)
    if not fitted.cut_tokens:
        assert fitted.text.startswith("".join(given[: fitted.taken]))


def test_all_that_fits_is_there() -> None:
    assert fit(["one\n", "two\n"], 100, TOKENS).text == "one\ntwo\n"


@pytest.mark.parametrize("first", ["word word word word\n" * 40, "word " * 160 + "\n"])
def test_a_first_piece_that_is_too_long_is_cut(first: str) -> None:
    fitted = fit([first, "two\n"], 60, TOKENS)
    assert fitted.text.startswith("word word")
    assert f"{fitted.cut_tokens} tokens were cut" in fitted.text
    assert "1 more were left out" in fitted.text
    assert 30 < TOKENS.count(fitted.text) <= 60
