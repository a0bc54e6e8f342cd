"""Who agrees with whom: kappa by hand, and which opinions stand."""

from __future__ import annotations

import pytest

from core.evaluate.labelling.judgement import Judgement
from core.evaluate.labelling.versions import (
    Labelled,
    Origin,
    Question,
    Status,
    Version,
    agreements,
    kappa,
)
from core.evaluate.sets.sample import Sample

X, Y = Judgement((("x",),)), Judgement((("y",),))


def as_written(label: str) -> str:
    return label


def question(origin: Origin = Origin.PASTED, relevant: tuple[str, ...] = ()) -> Question:
    return Question(Sample("q", "why?", relevant), origin)


def said(
    id: str, by: str, what: Judgement | None, *after: str, done: bool = True, settles: bool = False
) -> Version:
    return Version(id, by, id, what, done, settles, after, ("x", "y", "z"))


@pytest.mark.parametrize(
    ("table", "expected"),
    [  # both yes, only one, only other, both no
        ((20, 5, 10, 15), 0.4),  # po .70, pe .50
        ((45, 15, 25, 15), 0.1304347826),  # po .60, pe .54
        ((25, 35, 5, 35), 0.2592592593),  # po .60, pe .46
        ((1, 0, 0, 1), 1.0),
        ((0, 1, 1, 0), -1.0),
        ((5, 0, 0, 0), None),
        ((0, 0, 0, 0), None),
    ],
)
def test_kappa(table: tuple[int, ...], expected: float | None) -> None:
    cells = ((True, True), (True, False), (False, True), (False, False))
    decisions = [cell for cell, n in zip(cells, table, strict=True) for _ in range(n)]
    assert kappa(decisions) == (expected if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("versions", "status", "verdict"),
    [
        ((), Status.OPEN, None),
        ((said("1", "a", X, done=False),), Status.OPEN, None),
        ((said("1", "a", X),), Status.LABELLED, X),
        ((said("1", "a", X), said("2", "a", Y, "1")), Status.LABELLED, Y),
        ((said("1", "a", X), said("2", "a", None, "1")), Status.OPEN, None),
        ((said("1", "a", X), said("2", "b", X)), Status.LABELLED, X),
        ((said("1", "a", X), said("2", "b", Y)), Status.CONFLICT, None),
        ((said("1", "a", X), said("2", "a", Y)), Status.CONFLICT, None),
    ],
    ids=["nothing", "at work", "one", "changed", "taken back", "two", "differ", "two windows"],
)
def test_what_stands(
    versions: tuple[Version, ...], status: Status, verdict: Judgement | None
) -> None:
    labelled = Labelled(question(), versions)
    assert (labelled.status(as_written), labelled.verdict(as_written)) == (status, verdict)


def test_settling_stands_until_something_new_is_said() -> None:
    differ = (said("1", "a", X), said("2", "b", Y))
    settled = (*differ, said("3", "c", Y, "1", "2", settles=True))
    assert Labelled(question(), settled).verdict(as_written) == Y
    again = (*settled, said("4", "a", X, "1"))
    assert [v.id for v in Labelled(question(), again).conflicts] == ["3", "4"]
    agreed = (*settled, said("4", "a", Y, "1"))
    assert Labelled(question(), agreed).verdict(as_written) == Y
    two = (*settled, said("5", "d", X, "1", "2", settles=True))
    assert [v.id for v in Labelled(question(), two).conflicts] == ["3", "5"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (Origin.UPLOADED, Status.LABELLED),
        (Origin.GOLDEN, Status.LABELLED),
        (Origin.DRAFT, Status.OPEN),
        (Origin.MISSED, Status.OPEN),
    ],
)
def test_only_what_a_person_labelled_counts_from_the_start(origin: Origin, status: Status) -> None:
    assert Labelled(question(origin, ("x",))).status(as_written) is status
    assert Labelled(question(origin)).status(as_written) is Status.OPEN


def test_agreement_is_over_what_both_saw_or_either_chose() -> None:
    both = Labelled(question(), (said("1", "a", X), said("2", "b", Judgement((("x",), ("far",))))))
    alone = Labelled(question(), (said("1", "a", X),))
    (found,) = agreements([both, alone])
    assert (found.one, found.other, found.questions, found.decisions) == ("a", "b", 1, 4)
    assert found.kappa == pytest.approx(0.5)  # po 3/4, pe 1/4·1/2 + 3/4·1/2 = 1/2
