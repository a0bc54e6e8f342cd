from __future__ import annotations

import pytest

from core.retrieve.understand.wording import MOST, wording


@pytest.mark.parametrize(
    ("piece", "token"),
    [
        ("409", "<status>"),
        ("5xx", "<status>"),
        ("12.50€", "<number>"),
        ("DELETE", "<method>"),
        ("/boats/{id}", "<path>"),
        ("https://api.example.com/boats", "<url>"),
        ("createBoat", "<operation>"),
        ("Boats_List", "<operation>"),
        ("harbour.boats.moor", "<name>"),
        ("harbour.boats.list", "<operation>"),
        ("BoatRequest", "<schema>"),
        ("NoSuchBoatException", "<failure>"),
        ("boat_not_found", "<name_of_several>"),
        ("BoatLine", "<Name>"),
        ("Boat", "boat"),
        ("feilds", "fields"),
        ("don’t", "don't"),
    ],
)
def test_names_are_masked_and_words_put_right(piece: str, token: str) -> None:
    assert [word.token for word in wording(piece)] == [token]


def test_words_are_where_they_stand() -> None:
    text = "Why does  createBoat give 409?"
    found = {word.token: text[word.start : word.end] for word in wording(text)}
    assert found == {
        "why": "Why",
        "does": "does",
        "<operation>": "createBoat",
        "give": "give",
        "<status>": "409?",
        "?": "?",
    }


@pytest.mark.parametrize("text", ["", " \n", "🍕", "订单怎么取消"])
def test_a_text_without_our_letters_has_no_words(text: str) -> None:
    assert wording(text) == ()


def test_a_pasted_log_is_read_up_to_a_point() -> None:
    assert len(wording("a,b " * 5_000)) == MOST
