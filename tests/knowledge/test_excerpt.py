"""An excerpt is a passage of the text as it is there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.excerpt import MORE, cut, excerpt
from core.text.words import query_terms

TEXT = "# Cable\n\nLook at the plug. The cable must click into the port.\n\n- Restart the box.\n"


@pytest.mark.parametrize(
    ("question", "longest", "expected"),
    [
        ("cable port", 40, "The cable must click into the port.…"),
        ("restart", 150, "Restart the box."),
        ("plug", 20, "Look at the plug.…"),
        ("nothing of it", 19, "Look at the plug.…"),
    ],
)
def test_the_sentence_that_holds_most(question: str, longest: int, expected: str) -> None:
    assert excerpt(TEXT, query_terms(question), longest) == expected


@given(st.text(max_size=400), st.text(max_size=20), st.integers(20, 200))
def test_it_is_verbatim_and_no_longer_than_it_may_be(text: str, asked: str, longest: int) -> None:
    found = excerpt(text, query_terms(asked), longest)
    assert len(found) <= longest
    assert found.removesuffix(MORE) in text


def test_it_is_cut_at_a_word() -> None:
    assert cut("one two three four", 12) == "one two…"
    assert cut("one two", 7) == "one two"
    assert cut("x" * 30, 10) == "x" * 9 + MORE
