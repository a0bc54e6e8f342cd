from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieve.understand.clauses import BY_NAME, MOST, clauses, names_a_thing


def known(word: str) -> bool:
    return word != "BIGBANG"


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("How do I create a user?", []),
        (
            "Skip to the next track and set the volume to 60",
            ["Skip to the next track", "set the volume to 60"],
        ),
        (
            "Retrieve the active alerts, analyze the impact of weather, and submit a report",
            ["Retrieve the active alerts", "analyze the impact of weather", "submit a report"],
        ),
        (
            "Check grid balance by calibrating all sensors",
            ["Check grid balance", "calibrating all sensors"],
        ),
        ("Find an order by id", []),
        (
            "Cancel the order. Then refund the charge.",
            ["Cancel the order.", "Then refund the charge."],
        ),
        ("fields: name, avatar and email", []),
        ("", []),
        ("🍕🍕, 🍕", []),
    ],
    ids=[
        "one thing",
        "and before a verb",
        "commas",
        "by doing",
        "by a thing",
        "sentences",
        "a list",
        "empty",
        "emoji",
    ],
)
def test_parts(query: str, parts: list[str]) -> None:
    whole, *others = clauses(query, named_weight=0, known=known)
    assert whole.text == query
    assert [clause.text for clause in others] == parts


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Rename my playlist to 'My First'", True),
        ('Who is "Ada Lovelace"?', True),
        ("Play a song by Adele", True),
        ("add a song of BIGBANG to it", True),
        ("answer as JSON please", False),
        ("List all orders", False),
        ("don't say it's John's", True),
        ("the users' orders and the shops' addresses", False),
    ],
)
def test_things_called_by_their_name(query: str, named: bool) -> None:
    assert names_a_thing(query, known) is named
    found = clauses(query, named_weight=0.5, known=known)
    assert found[-1].is_ours is named


def test_a_question_may_be_worded_as_the_search_by_name() -> None:
    query = f"List all orders; {BY_NAME}"
    found = clauses(query, named_weight=0.5, known=known)
    assert [clause.text for clause in found] == [query, "List all orders;", BY_NAME]
    assert not any(clause.is_ours for clause in found)


@given(st.text(max_size=2000))
def test_any_text_has_few_clauses(query: str) -> None:
    found = clauses(query, named_weight=0.5, known=known)
    assert found[0].text == query
    assert len(found) <= MOST + 2
    assert len({clause.text for clause in found}) >= len(found) - 1
