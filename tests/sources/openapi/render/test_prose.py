from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.openapi.render.prose import clip, first_sentence, opening, plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", "One."),
        ("No end", "No end"),
        ("Uses e.g. this one. Not that.", "Uses e.g. this one."),
        ("Version 2.0 is out. Really.", "Version 2.0 is out."),
        ("A\nbroken line. Next.", "A broken line."),
        ("First paragraph\n\nSecond", "First paragraph"),
        ("Intro:\n- one\n- two", "Intro:"),
        ("<p>In <b>HTML</b>.</p><p>More.</p>", "In HTML ."),
        ("See [the docs](https://example.org/x_y). Then go.", "See the docs."),
        ("# Heading\nText", "Heading Text"),
        ("Really? Yes.", "Really?"),
        ("  \n Spaces. Then.", "Spaces."),
        ("", ""),
    ],
)
def test_the_first_sentence(text: str, expected: str) -> None:
    assert first_sentence(text, 200) == expected


def test_a_placeholder_is_no_html() -> None:
    assert plain("GET /users/<id> or <br/> <Name>") == "GET /users/<id> or <Name>"


def test_the_opening_ends_with_a_sentence_where_one_fits() -> None:
    assert opening("One two. Three four. Five six seven.", 25) == "One two. Three four."
    assert opening("one two three four five six", 12) == "one two…"
    assert opening("Short.", 12) == "Short."


@given(st.text(), st.integers(1, 40))
def test_nothing_is_longer_than_its_limit(text: str, limit: int) -> None:
    for shortened in (clip(text, limit), first_sentence(text, limit), opening(text, limit)):
        assert len(shortened) <= limit
