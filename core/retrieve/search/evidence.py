"""What speaks for the chunks and the APIs of a reader: what choosing and searching go by."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Protocol

from core.retrieve.score.candidate import Candidate
from core.retrieve.score.expansion import Added
from core.retrieve.understand.question import Question
from core.settings import Search
from core.where import Filter


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen APIs, best first, with what speaks for each."""

    scores: Mapping[str, float]  # by file id, or by the name of a home, in this order
    named: tuple[str, ...] = ()  # those that the question names
    dropped: tuple[str, ...] = ()  # chosen, but not in the store
    homes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # file ids of what has many
    level: tuple[str, ...] = ()  # those of them between which the question does not decide
    by: str = "rules"  # rules, model or keywords
    reasoning: str = ""  # of whoever chose; the rules' own where there is none

    @property
    def file_ids(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(self.homes.get(name, (name,)) for name in self.scores))

    def note(self) -> str:
        chosen = (f"{file_id} ({score:.2f})" for file_id, score in self.scores.items())
        dropped = f"; not in the store: {', '.join(self.dropped)}" if self.dropped else ""
        asked = f" {which(self.level)}" if self.level else ""
        by = "" if self.by == "rules" else f" by {self.by}"
        return f"Chosen APIs{by}: {', '.join(chosen)}{dropped}.{asked}"

    def reasons(self) -> str:
        """Why these, in a sentence."""
        if self.reasoning:
            return self.reasoning
        named = [name for name in self.scores if name in self.named]
        if named:
            verb = "is" if len(named) == 1 else "are"
            return f"{', '.join(named)} {verb} named in the question."
        return "Most words of the question are found in their names, descriptions and chunks."

    def of(self, known: Collection[str]) -> Choice:
        """Without those that are not known."""
        kept = {id: score for id, score in self.scores.items() if id in self.homes or id in known}
        if len(kept) == len(self.scores):
            return self
        dropped = tuple(id for id in self.scores if id not in kept)
        level = tuple(file_id for file_id in self.level if file_id in kept)
        return replace(self, scores=kept, dropped=dropped, level=level if len(level) > 1 else ())


def which(level: Sequence[str]) -> str:
    """The question that is asked back where APIs are level."""
    *others, last = level
    return f"{', '.join(others)} or {last}? The question fits them about equally well."


class Evidence(Protocol):
    """A value for one question under one filter.

    Two implementations: `arrays_ranker` for a reader that scores all of its rows, `lists_ranker`
    for one that gives its best chunks and no more.
    """

    @property
    def question(self) -> Question: ...

    @property
    def where(self) -> Filter | None: ...

    @property
    def flags(self) -> Mapping[str, str]:
        """What is not as it should be: a word for programs → a sentence for people."""

    def under(self, where: Filter | None, /) -> Evidence:
        """The same under another filter."""

    def with_terms(self, added: Sequence[Added], /) -> Evidence:
        """The same where these terms count too, as much as the settings say."""

    def apis(self, limit: int, /) -> Choice:
        """The APIs that most speaks for, at most so many."""

    def ranked(self, raised: Mapping[str, Filter], /) -> Sequence[Candidate]:
        """The candidates, best first; ties by chunk id.

        `raised` are filters by the name of their boost; what passes one is ranked higher.
        """


def limit_of(settings: Search) -> int:
    """How many candidates are looked at."""
    return settings.max_primary_results * settings.overfetch
