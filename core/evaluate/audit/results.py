"""What an audit found: of each element how its questions rank, and of each API the shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log1p
from statistics import fmean
from typing import Any

from core.errors import StoreDamaged
from core.model import JSON

UNREADABLE = "An audit that was kept cannot be read; `specloupe audit --fresh` makes a new one."

# Of an operation: three fields, three changed questions, and one among all APIs; of a schema: two
# fields and three changed questions.
_WAYS, _WAYS_SCHEMA = 7, 5


@dataclass(frozen=True, slots=True)
class Answer:
    """Where an element ranks for one question that it should answer."""

    kind: str  # of question, as `core.evaluate.audit.questions` names them
    query: str
    rank: int  # among the elements of its API, from 1
    ahead: tuple[str, ...] = ()  # ids of the best three before it, best first
    overall: int = 0  # rank among the elements of all APIs; 0 where that was not asked


@dataclass(frozen=True, slots=True)
class Seen:
    """One element with its questions."""

    id: str
    kind: str  # operation, webhook, schema
    answers: tuple[Answer, ...] = ()  # none where it says nothing to ask for
    is_documented: bool = True
    closure: int = 0  # tokens with all that it refers to; 0 for schemas
    crowds: int = 0  # questions of others that are not found, and have it among the results
    words: int = 0  # of the text by which it is matched

    def found(self, limit: int) -> float | None:
        """Share of its questions for which it is among the first `limit`; None without one."""
        if not self.answers:
            return None
        return sum(answer.rank <= limit for answer in self.answers) / len(self.answers)

    def likely_missed(self, rivals: int) -> float:
        """Higher for one that labelled questions miss more often, among so many of its API.

        Little said of it and many rivals count beside its standing. Logits without their constant,
        fitted by `python -m benchmarks.audit --fit`.
        """
        said = 0.50 * log1p(self.words) + 1.12 * (self.kind == "schema")
        return 0.19 * log1p(rivals) - self.standing - said

    @property
    def standing(self) -> float:
        """Mean of 1 / rank over all the ways in which an element of its kind can be asked for.

        What it does not say is asked by nothing and counts as not found: 0 for one that says
        nothing, 1 for one that is first by everything.
        """
        ranks = [answer.rank for answer in self.answers]
        ranks += [answer.overall for answer in self.answers if answer.overall]
        return sum(1 / rank for rank in ranks) / (_WAYS_SCHEMA if self.kind == "schema" else _WAYS)


@dataclass(frozen=True, slots=True)
class ApiSeen:
    """The elements of one API, by id."""

    api: str  # the file id
    elements: tuple[Seen, ...]
    generation: str = ""  # of the store among whose APIs it was ranked

    def found(self, limit: int) -> float | None:
        return share_found(self.elements, limit)

    def to_dict(self) -> dict[str, JSON]:
        """Without what is the same everywhere; `from_dict` reads it."""
        rows = [
            [*_facts(element), *(_row(answer) for answer in element.answers)]
            for element in self.elements
        ]
        return {"api": self.api, "generation": self.generation, "elements": rows}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ApiSeen:
        """Raises StoreDamaged for what `to_dict` did not write."""
        try:
            return cls(
                str(values["api"]), tuple(map(_seen, values["elements"])), values["generation"]
            )
        except (KeyError, TypeError, ValueError) as error:
            raise StoreDamaged(
                "The kept audit cannot be read; `--fresh` makes a new one."
            ) from error


@dataclass(frozen=True, slots=True)
class Audit:
    """What can be found of some APIs, by file id."""

    apis: tuple[ApiSeen, ...]
    limit: int  # so many results count as found
    token_limit: int
    max_depth: int
    generation: str  # of the store
    reused: int = 0  # APIs that had not changed since they were audited
    missing: int = 0  # APIs of the store that are not in it, as nobody has audited them yet

    @property
    def elements(self) -> list[Seen]:
        return [element for api in self.apis for element in api.elements]

    @property
    def found(self) -> float | None:
        """Share of all questions that find their element; None without one."""
        return share_found(self.elements, self.limit)

    @property
    def found_overall(self) -> float | None:
        """The same among all APIs, of the questions that were asked there."""
        asked = [a for e in self.elements for a in e.answers if a.overall]
        return fmean(a.overall <= self.limit for a in asked) if asked else None

    @property
    def outdated(self) -> int:
        """APIs whose ranks among all others are of an earlier state of the store."""
        return sum(api.generation != self.generation for api in self.apis)

    def by_kind(self) -> dict[str, tuple[float, int]]:
        """Kind of question → the share that finds its element, and how many were asked."""
        kinds: dict[str, list[bool]] = {}
        for element in self.elements:
            for answer in element.answers:
                kinds.setdefault(answer.kind, []).append(answer.rank <= self.limit)
        return {kind: (fmean(each), len(each)) for kind, each in kinds.items()}

    def worst(self) -> list[Seen]:
        """All elements, those first that questions are likeliest to miss; ties by id."""
        ranked = (
            (-e.likely_missed(len(a.elements)), e.id, e) for a in self.apis for e in a.elements
        )
        return [element for *_, element in sorted(ranked)]


def share_found(elements: Iterable[Seen], limit: int) -> float | None:
    """Share of the questions for which the element is among the first; None without one."""
    ranks = [answer.rank for element in elements for answer in element.answers]
    return fmean(rank <= limit for rank in ranks) if ranks else None


def with_crowds(elements: Sequence[Seen], crowds: Mapping[str, int]) -> tuple[Seen, ...]:
    return tuple(replace(e, crowds=crowds[e.id]) if e.id in crowds else e for e in elements)


def _facts(seen: Seen) -> list[JSON]:
    return [seen.id, seen.kind, seen.is_documented, seen.closure, seen.crowds, seen.words]


def _row(answer: Answer) -> list[JSON]:
    return [answer.kind, answer.query, answer.rank, list(answer.ahead), answer.overall]


def _seen(row: Sequence[Any]) -> Seen:
    id, kind, is_documented, closure, crowds, words, *answers = row
    asked = tuple(Answer(k, q, rank, tuple(ahead), wide) for k, q, rank, ahead, wide in answers)
    return Seen(id, kind, asked, is_documented, closure, crowds, words)
