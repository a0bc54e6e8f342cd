"""What was said of one question, version by version: nothing is replaced, so nothing gets lost.

A version names those that whoever wrote it had seen. One that nobody named yet is an opinion; where
two are, two people (or two windows of one) did not know of each other, and both are kept until one
of them, or a third, is chosen. So no store needs a lock between reading and writing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.evaluate.labelling.judgement import Judgement, Resolve, of_sample
from core.evaluate.sets.sample import Sample


class Origin(StrEnum):
    """Where a question comes from."""

    PASTED = "pasted"
    ASKED = "asked in this session"
    UPLOADED = "uploaded"
    GOLDEN = "golden question"
    THUMBS_DOWN = "thumbs down"
    MISSED = "missed in a run"
    DRAFT = "draft from a specification"
    MODEL = "draft by a model"

    @property
    def is_confirmed(self) -> bool:
        """Whether labels that it comes with count before anybody has looked at them."""
        return self in (Origin.UPLOADED, Origin.GOLDEN)


class Status(StrEnum):
    OPEN = "to label"
    CONFLICT = "in conflict"
    LABELLED = "labelled"


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a labelled set, as it came."""

    sample: Sample
    origin: Origin
    note: str = ""  # more of where it comes from: a run, an element
    since: str = ""  # ISO 8601, UTC


@dataclass(frozen=True, slots=True)
class Version:
    """What one person said at one moment."""

    id: str
    by: str  # a name; "" for somebody who gave none
    at: str  # ISO 8601, UTC
    judgement: Judgement | None  # None takes back what was said
    done: bool = False  # by Enter; before it, choosing is at work
    settles: bool = False  # decides between those that it names
    after: tuple[str, ...] = ()  # ids of those that were known and are replaced, or settled
    shown: tuple[str, ...] = ()  # elements that could be chosen, whether or not they were


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question with everything that was said of it, the earliest first."""

    question: Question
    versions: tuple[Version, ...] = ()

    def of(self, by: str) -> tuple[Version, ...]:
        """What this person says now; more than one where two windows did not know of each other."""
        return _heads(v for v in self.versions if v.by == by and not v.settles)

    @property
    def people(self) -> tuple[str, ...]:
        """Who has said something that stands, by name."""
        names = dict.fromkeys(v.by for v in self.versions if not v.settles)
        return tuple(sorted(name for name in names if self.finished(name)))

    def finished(self, by: str) -> tuple[Version, ...]:
        return tuple(v for v in self.of(by) if v.done and v.judgement)

    @property
    def opinions(self) -> tuple[Version, ...]:
        """What has to agree: the last words that settle, and what was said since."""
        settled = _heads(v for v in self.versions if v.settles)
        known = {id for v in settled for id in v.after}
        said = (v for name in self.people for v in self.finished(name))
        return (*settled, *(v for v in said if v.id not in known))

    @property
    def conflicts(self) -> tuple[Version, ...]:
        """Opinions that differ, one of each; empty where all agree."""
        different: list[Version] = []
        for version in self.opinions:
            if not any(_same(version, other) for other in different):
                different.append(version)
        return tuple(different) if len(different) > 1 else ()

    def verdict(self, resolve: Resolve) -> Judgement | None:
        """What all agree on, or what the question came with; None while it is to be labelled."""
        if self.conflicts:
            return None
        if self.opinions:
            return self.opinions[0].judgement
        came = of_sample(self.question.sample, resolve)
        return came if self.question.origin.is_confirmed and came.says_something else None

    def status(self, resolve: Resolve) -> Status:
        if self.conflicts:
            return Status.CONFLICT
        return Status.LABELLED if self.verdict(resolve) else Status.OPEN


def _same(one: Version, other: Version) -> bool:
    if one.judgement is None or other.judgement is None:
        return one.judgement is other.judgement
    return one.judgement.agrees(other.judgement)


def _heads(versions: Iterable[Version]) -> tuple[Version, ...]:
    """Those that no other one replaces."""
    found = tuple(versions)
    replaced = {id for version in found for id in version.after}
    return tuple(version for version in found if version.id not in replaced)


def counts(labelled: Sequence[Labelled], resolve: Mapping[str, Resolve]) -> Mapping[Status, int]:
    """How many questions have which status; every status is there."""
    statuses = [each.status(resolve[each.question.sample.id]) for each in labelled]
    return {status: statuses.count(status) for status in Status}


def kappa(decisions: Collection[tuple[bool, bool]]) -> float | None:
    """Cohen's: how far two people agree beyond chance, from -1 to 1.

    None where it says nothing: without decisions, or where both always say the same of everything,
    so that chance alone would make them agree.
    """
    if not decisions:
        return None
    n = len(decisions)
    agreed = sum(one == other for one, other in decisions) / n
    yes = sum(one for one, _ in decisions) / n, sum(other for _, other in decisions) / n
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return None if chance == 1 else (agreed - chance) / (1 - chance)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two people, over the questions that both have labelled."""

    one: str
    other: str
    questions: int
    decisions: int  # of each question: its elements that both saw, or that either chose
    kappa: float | None


def agreements(labelled: Sequence[Labelled]) -> tuple[Agreement, ...]:
    """Of every two people, by their names."""
    names = sorted({name for each in labelled for name in each.people})
    pairs = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]]
    return tuple(_agreement(labelled, one, other) for one, other in pairs)


def _agreement(labelled: Sequence[Labelled], one: str, other: str) -> Agreement:
    both = [
        (each.finished(one)[-1], each.finished(other)[-1])
        for each in labelled
        if {one, other} <= {*each.people}
    ]
    decisions = [decision for pair in both for decision in _decisions(*pair)]
    return Agreement(one, other, len(both), len(decisions), kappa(decisions))


def _decisions(one: Version, other: Version) -> list[tuple[bool, bool]]:
    assert one.judgement
    assert other.judgement
    chosen = {*one.judgement.elements}, {*other.judgement.elements}
    seen = ({*one.shown} & {*other.shown}) | chosen[0] | chosen[1]
    return [(element in chosen[0], element in chosen[1]) for element in sorted(seen)]
