"""What is said of an element that is not found."""

from __future__ import annotations

import pytest

from core.evaluate.audit.findings import Cause, by_cause, drafted, findings, set_apart
from core.evaluate.audit.results import Answer, ApiSeen, Audit, Seen

GET, TWIN = "a.json:paths/teams/{id}/users/get", "a.json:paths/users/get"


def audit(*elements: Seen) -> Audit:
    return Audit((ApiSeen("a", elements),), limit=5, token_limit=4000, max_depth=3, generation="g")


def answer(kind: str, rank: int, *ahead: str) -> Answer:
    return Answer(kind, f"asked by {kind}", rank, ahead)


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        ([answer("summary", 9, TWIN), answer("shortened", 1)], Cause.HIDDEN),
        ([answer("summary", 9), answer("description", 8)], Cause.NEVER),
        ([answer("summary", 2), answer("in other words", 7, TWIN)], Cause.WORDS),
    ],
    ids=["behind a twin", "by nothing of its own", "other words"],
)
def test_the_cause_of_a_miss(answers: list[Answer], cause: Cause) -> None:
    (found,) = findings(audit(Seen(GET, "operation", tuple(answers))))
    assert found.cause is cause
    assert found.query.startswith("asked by")


def test_the_twin_is_named_with_what_sets_it_apart() -> None:
    (found,) = findings(audit(Seen(GET, "operation", (answer("summary", 9, TWIN),))))
    assert found.twin == TWIN
    assert found.said == (
        "Found by 0 of 1 question; rank 9 of its API for “asked by summary”, behind GET /users."
    )
    assert found.adds == "Unlike GET /users, this is about teams id."
    assert found.adds in found.remedy


def test_a_name_that_adds_no_word_sets_nothing_apart() -> None:
    assert set_apart(TWIN, GET) == ""


def test_what_is_found_and_harmless_has_no_finding() -> None:
    assert findings(audit(Seen(GET, "operation", (answer("summary", 5),), crowds=4))) == []


def test_every_other_cause_and_their_numbers() -> None:
    bare = Seen(TWIN, "operation", is_documented=False)
    loud = Seen(GET, "operation", (answer("summary", 1),), crowds=7, closure=4001)
    found = findings(audit(bare, loud))
    assert by_cause(found) == {Cause.UNDOCUMENTED: 1, Cause.CROWDS: 1, Cause.CLOSURE: 1}
    assert found[0].adds == "Get users."
    assert "Raise token_limit to 4,500" in found[2].remedy


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("a.json:paths/v2/userGroups/{groupId}/delete", "Delete user groups by group id."),
        ("a.json:components/schemas/UserGroup", "What user group holds, and where it is used."),
    ],
    ids=["operation", "schema"],
)
def test_a_draft_from_the_name_alone(id: str, expected: str) -> None:
    assert drafted(id) == expected
