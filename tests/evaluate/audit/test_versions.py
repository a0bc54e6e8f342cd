"""A newer version beside the one in the store: each element and label gets its fate."""

from __future__ import annotations

from support.retrieved import labels

from core.evaluate.audit.results import Answer, ApiSeen, Seen
from core.evaluate.audit.versions import Fate, GoneLabel, Versions, changes, usable
from core.evaluate.sets.sample import EvalSet, Sample


def seen(id: str, *ranks: int) -> Seen:
    answers = tuple(Answer("summary", f"{id} {n}", rank) for n, rank in enumerate(ranks))
    return Seen(id, "operation", answers)


BEFORE = ApiSeen("a", (seen("lost", 1, 1), seen("gone", 1), seen("less", 1, 1, 1), seen("same", 9)))
AFTER = ApiSeen("a", (seen("lost", 9, 8), seen("less", 1, 9, 1), seen("same", 8), seen("new", 1)))


def fates(before: ApiSeen, after: ApiSeen) -> dict[str, Fate]:
    return {change.id: change.fate for change in changes(before, after, 5)}


def test_each_element_that_is_found_otherwise_has_its_fate_worst_first() -> None:
    found = fates(BEFORE, AFTER)
    assert found == {"lost": Fate.LOST, "gone": Fate.GONE, "less": Fate.LESS, "new": Fate.NEW}
    assert [*found] == ["lost", "gone", "less", "new"]


def test_the_other_way_round_is_the_opposite() -> None:
    found = fates(AFTER, BEFORE)
    assert found == {"new": Fate.GONE, "less": Fate.MORE, "lost": Fate.FOUND, "gone": Fate.NEW}


def test_a_question_that_does_not_find_it_is_shown() -> None:
    first, *_ = changes(BEFORE, AFTER, 5)
    assert (first.before, first.after, first.query) == (1.0, 0.0, "lost 0")


def test_nothing_is_lost_against_itself() -> None:
    assert changes(BEFORE, BEFORE, 5) == ()


def test_lost_counts_elements_and_labels() -> None:
    found = changes(BEFORE, AFTER, 5)
    gone = (GoneLabel("ours", "q", "GET /x"),)
    assert Versions("a", 5, BEFORE, AFTER, found, None, gone).lost == 2


def test_a_question_with_a_label_that_is_gone_is_in_no_comparison() -> None:
    good, bad = Sample("good", "list orders", ("GET /orders",)), Sample("bad", "?", ("GET /gone",))
    kept, gone = usable([EvalSet("ours", (good, bad))], labels())
    assert [sample.id for each in kept for sample in each.samples] == ["good"]
    assert gone == (GoneLabel("ours", "bad", "GET /gone"),)
    assert usable([EvalSet("ours", (bad,))], labels())[0] == []
