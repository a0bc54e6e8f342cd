"""Questions from a paste, from a run's misses, and from what a specification says."""

from __future__ import annotations

import pytest

from core.evaluate.labelling.sources import draft, pasted, spread
from core.model import Chunk, ChunkType

USER = Chunk("s.json:components/schemas/NewUserAccount", "", ChunkType.COMPONENT, "s")


def operation(number: int = 0) -> Chunk:
    id = f"s.json:paths/users{number}/get"
    return Chunk(id, id, ChunkType.OPERATION, "s", method="GET", path=f"/users{number}")


def test_a_question_a_line() -> None:
    found = pasted("1. why?\n - how?\n\n• 3 of what?\n2024 in review\nhow?")
    assert [sample.query for sample in found] == ["why?", "how?", "3 of what?", "2024 in review"]
    assert pasted("how?")[0].id == found[1].id


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ({"summary": "Create a user."}, "How can I create a user?"),
        ({"summary": "List  users.\nAll"}, "How can I list users?"),
        ({"description": "Get it. Then go."}, "How can I get it?"),
        ({"summary": " ", "description": "URL of it"}, "How can I URL of it?"),
        ({"summary": "Login"}, "Which operation is for: Login?"),
        ({"summary": 7}, None),
        ([], None),
    ],
)
def test_a_draft_of_an_operation(body: object, query: str | None) -> None:
    found = draft(operation(), body)  # type: ignore[arg-type]
    assert (found.query if found else None) == query
    if found:
        assert (found.relevant, found.apis, found.tags) == ((operation().id,), ("s",), ("draft",))


def test_a_draft_of_a_schema() -> None:
    found = draft(Chunk(USER.id, USER.id, USER.type, "s"), {"description": "Who joins."})
    assert found
    assert found.query == "Which fields does the new user account have: who joins?"


def test_drafts_are_spread_over_what_there_is() -> None:
    elements = [operation(n) for n in range(10)]
    assert [e.path for e in spread(elements, 3)] == ["/users0", "/users3", "/users6"]
    assert list(spread(elements, 100)) == elements
    assert list(spread([USER], 3)) == []
