from __future__ import annotations

from support.german import GERMAN

from core.evaluate.audit.findings import findings
from core.evaluate.audit.results import Answer, ApiSeen, Audit, Seen
from core.story.audit import of_audit

GET, TWIN = "a.json:paths/teams/{id}/users/get", "a.json:paths/users/get"


def _told(*elements: Seen) -> dict[str, str]:
    audit = Audit((ApiSeen("a", elements),), 5, 4000, max_depth=3, generation="g")
    deck = of_audit(audit, findings(audit))
    return {slide.step: f"{slide.sentence} {slide.picture}" for slide in deck.slides}


def test_what_is_not_found_is_told_with_what_would_mend_it() -> None:
    told = _told(
        Seen(GET, "operation", (Answer("summary", "list users", 9, (TWIN,)),)),
        Seen(TWIN, "operation", (Answer("summary", "list all", 1, ()),)),
    )
    assert "2 operations and schemas of 1 API were asked 2 questions." in told["What was asked"]
    assert told["What is found"].startswith("50% of the questions find what answers them.")
    assert "Something is wrong with 1 operation or schema." in told["What is wrong"]
    assert "hidden behind another" in told["What is wrong"]
    assert "GET /teams/{id}/users" in told["What would mend it"]


def test_where_nothing_is_wrong_it_says_so() -> None:
    told = _told(Seen(GET, "operation", (Answer("summary", "list users", 1, ()),)))
    assert told["What is wrong"].startswith("Nothing is wrong.")
    assert told["What would mend it"].startswith("There is nothing to mend.")


def test_shares_are_written_as_their_reader_does() -> None:
    seen = Seen(GET, "operation", (Answer("summary", "list users", 1, ()),))
    deck = of_audit(
        Audit((ApiSeen("a", (seen,)),), 5, 4000, max_depth=3, generation="g"), (), GERMAN
    )
    told = {slide.step: f"{slide.sentence} {slide.picture}" for slide in deck.slides}
    assert told["What is found"].startswith("100 % of the questions")
    assert "100 % of 1<" in told["Which questions find it"]
