"""Long sections in pieces: at paragraphs, then at lines, sentences and words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.sources.documents.pieces import pieces


def test_what_fits_stays_together() -> None:
    assert pieces(["one", "two"]) == ("one\n\ntwo",)
    assert pieces([]) == ("",)


def test_paragraphs_are_kept_whole() -> None:
    assert pieces(["a" * 8, "b" * 8, "c" * 8], 20) == ("a" * 8 + "\n\n" + "b" * 8, "c" * 8)


def test_a_long_paragraph_is_cut_at_lines_then_sentences_then_words() -> None:
    assert pieces(["- first line\n- second"], 15) == ("- first line", "- second")
    assert pieces(["One goes. Two goes on."], 14) == ("One goes.", "Two goes on.")
    assert pieces(["alpha beta gamma"], 12) == ("alpha beta", "gamma")
    assert pieces(["x" * 25], 10) == ("x" * 10, "x" * 10, "x" * 5)


@given(st.lists(st.text(min_size=1, max_size=80), max_size=6), st.integers(5, 60))
def test_no_piece_is_too_long_and_no_letter_is_lost(blocks: list[str], limit: int) -> None:
    made = pieces(blocks, limit)
    assert all(len(piece) <= limit for piece in made)
    assert "".join("".join(made).split()) == "".join("".join(blocks).split())
