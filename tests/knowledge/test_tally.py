"""What was asked is counted, without the text of messages."""

from __future__ import annotations

from core import Workbench
from core.knowledge.asked import Asked
from core.knowledge.tally import MOST, Answered, Tally


def test_coverage_by_intent_and_gaps_by_how_often(workbench: Workbench) -> None:
    assert workbench.knowledge_answered() == Answered()
    for message in ("My parcel to Lisbon is late", "A parcel to Lisbon?", "The parcel is lost"):
        workbench.retrieve_knowledge("shipping", message)
    workbench.retrieve_knowledge("billing", "")
    workbench.retrieve_knowledge("", "")  # nothing was asked
    found = workbench.knowledge_answered()
    assert {intent: sum(each.values()) for intent, each in found.coverage.items()} == {
        "shipping": 3,
        "billing": 1,
    }
    assert found.gaps[0] == ("Lisbon", 2)
    assert ("no article for intent billing", 1) in found.gaps


def test_what_is_counted_has_a_bound() -> None:
    tally = Tally()
    for number in range(MOST + 5):
        tally.add(Asked(f"i{number}", "", ""), {"coverage": "none", "gaps": [f"g{number}"]})
    found = tally.answered()
    assert (len(found.coverage), len(found.gaps)) == (MOST, MOST)
