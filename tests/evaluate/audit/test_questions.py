"""The questions that an element should answer."""

from __future__ import annotations

import pytest

from core.evaluate.audit.fields import Audited
from core.evaluate.audit.questions import misspelt, opening, questions, reworded, shortened
from core.model import Chunk, ChunkType

RARE = {"list": 1.0, "past": 3.0, "invoic": 4.0, "custom": 2.0, "bill": 4.0}


def rarity(term: str) -> float:
    return RARE.get(term, 0.0)


def operation(summary: str = "", description: str = "", names: tuple[str, ...] = ()) -> Audited:
    chunk = Chunk(
        "a.json:paths/x/get", "a.json:paths/x/get", ChunkType.OPERATION, "a", method="GET"
    )
    return Audited(0, chunk, summary, description, names)


def test_each_field_asks_and_the_first_is_asked_in_other_ways_too() -> None:
    element = operation("List past invoices of a customer", "All of them. More.", ("userId", "to"))
    asked = {each.kind: (each.text, each.field) for each in questions(3, element, rarity)}
    assert asked == {
        "summary": ("List past invoices of a customer", "summary"),
        "description": ("All of them", "description"),
        "parameters": ("get by user id and to", "parameters"),
        "shortened": ("past invoices customer", "summary"),
        "misspelt": ("List past invocies of a customer", "summary"),
        "in other words": ("show past bills of a client", "summary"),
    }


def test_what_says_nothing_is_asked_nothing() -> None:
    assert list(questions(0, operation(), rarity)) == []
    assert list(questions(0, operation(names=("only",)), rarity)) == []


def test_a_schema_is_asked_for_as_one() -> None:
    chunk = Chunk("a.json:components/schemas/X", "x", ChunkType.COMPONENT, "a")
    element = Audited(0, chunk, "", "A bill", ("id", "total", "dueDate"))
    own, listed, *_ = questions(0, element, rarity)
    assert (own.text, own.field) == ("schema: A bill", "description")
    assert (listed.text, listed.field) == ("schema: with id, total and due date", "properties")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Get users. Then more.", "Get users"),
        ("v1.2 of it", "v1.2 of it"),
        ("word " * 40, " ".join(["word"] * 25)),
    ],
    ids=["first sentence", "no end inside", "cut"],
)
def test_opening(text: str, expected: str) -> None:
    assert opening(text) == expected


def test_a_short_text_is_not_shortened() -> None:
    assert shortened("past invoices", rarity) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [("get address", "get adderss"), ("get a user", ""), ("aaaaaaa", "")],
    ids=["longest word", "short words", "equal letters"],
)
def test_misspelt(text: str, expected: str) -> None:
    assert misspelt(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Delete users", "remove people"), ("frobnicate", "")],
    ids=["known words, plural kept", "unknown"],
)
def test_reworded(text: str, expected: str) -> None:
    assert reworded(text) == expected
