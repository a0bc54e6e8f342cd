"""A newer version of a specification beside the one in the store: what is found, lost, moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.evaluate.audit.results import ApiSeen, Seen
from core.evaluate.compare.compare import Comparison
from core.evaluate.sets.labels import Labels, UnknownLabel
from core.evaluate.sets.sample import EvalSet

FOUND = 0.5  # share of its own questions from which an element is said to be found


class Fate(StrEnum):
    """What a newer version does to an element, worst first."""

    LOST = "lost"  # it was found by most of its own questions, and is no longer
    GONE = "gone"  # the newer version has no such element
    LESS = "found less"
    MORE = "found more"
    FOUND = "found"  # it was not, and is now
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Change:
    """An element that is found otherwise, that is gone or new."""

    id: str
    kind: str  # operation, webhook, schema
    fate: Fate
    before: float | None  # share of its own questions that find it; None without one
    after: float | None
    query: str = ""  # one that does not find it, or the first; "" without one


@dataclass(frozen=True, slots=True)
class GoneLabel:
    """A label that the newer version has nothing for; its question is in no comparison."""

    set: str
    question: str
    label: str


@dataclass(frozen=True, slots=True)
class Versions:
    """What becomes of an API and of labelled questions once a newer version is in the store."""

    api: str
    limit: int  # so many results count as found
    before: ApiSeen
    after: ApiSeen
    changes: tuple[Change, ...]  # worst first, then by id
    labelled: Comparison | None = None  # None where no set was given, or nothing is left of it
    gone: tuple[GoneLabel, ...] = ()

    def of(self, fate: Fate) -> Sequence[Change]:
        return [change for change in self.changes if change.fate is fate]

    def moved(self, kind: str) -> int:
        """Labels that the context gained or lost, or whose rank moved."""
        asked = self.labelled.questions if self.labelled else ()
        return sum(move.kind == kind for question in asked for move in question.moves)

    @property
    def lost(self) -> int:
        """Elements and labels that were found and are no longer, and labels that are gone."""
        return len(self.of(Fate.LOST)) + self.moved("lost") + len(self.gone)


def changes(before: ApiSeen, after: ApiSeen, limit: int) -> tuple[Change, ...]:
    """Each element that is found otherwise in the newer version."""
    old, new = ({e.id: e for e in api.elements} for api in (before, after))
    found = [change for id in {*old, *new} for change in _change(old.get(id), new.get(id), limit)]
    worst = {fate: number for number, fate in enumerate(Fate)}
    return tuple(sorted(found, key=lambda change: (worst[change.fate], change.id)))


def _change(old: Seen | None, new: Seen | None, limit: int) -> Iterator[Change]:
    before, after = (each.found(limit) if each else None for each in (old, new))
    if fate := _fate(old, new, before or 0.0, after or 0.0):
        known = [each for each in (new, old) if each]
        answers = [answer for each in known for answer in each.answers]
        missed = [answer for answer in answers if answer.rank > limit]
        query = next((answer.query for answer in (*missed, *answers)), "")
        yield Change(known[0].id, known[0].kind, fate, before, after, query)


def _fate(old: Seen | None, new: Seen | None, before: float, after: float) -> Fate | None:
    if new is None:
        return Fate.GONE
    if old is None:
        return Fate.NEW
    if (before >= FOUND) != (after >= FOUND):
        return Fate.LOST if before > after else Fate.FOUND
    if before == after:
        return None
    return Fate.LESS if before > after else Fate.MORE


def usable(
    eval_sets: Sequence[EvalSet], labels: Labels
) -> tuple[Sequence[EvalSet], tuple[GoneLabel, ...]]:
    """The questions whose labels a store knows, and the labels that it does not know."""
    gone = tuple(
        GoneLabel(each.name, sample.id, label)
        for each in eval_sets
        for sample in each.samples
        for label in sample.labels
        if not _knows(labels, label, sample.apis)
    )
    without = {(each.set, each.question) for each in gone}
    kept = (
        replace(each, samples=tuple(s for s in each.samples if (each.name, s.id) not in without))
        for each in eval_sets
    )
    return [each for each in kept if each.samples], gone


def _knows(labels: Labels, label: str, apis: Sequence[str]) -> bool:
    try:
        labels.resolve(label, apis=apis, nearest=False)
    except UnknownLabel:
        return False
    return True
