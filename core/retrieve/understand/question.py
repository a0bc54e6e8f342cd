"""The one reading of a question: its intent, clauses, terms, slips and exact names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from core.model import Understanding
from core.retrieve.lookups.api_names import NAMED_FROM, ApiNames
from core.retrieve.lookups.called import CalledSo
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.english import is_english
from core.retrieve.lookups.identifiers import Identifiers, Named
from core.retrieve.lookups.second import is_unread
from core.retrieve.lookups.vocabulary import Vocabulary
from core.retrieve.reader import ArrayReader
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.clauses import Clause, clauses
from core.retrieve.understand.intent import NOT_UNDERSTOOD, asks_for_a_schema
from core.retrieve.understand.spelling import meant
from core.settings import Settings
from core.text.plural import counted
from core.text.words import query_terms

_CAPITALISED = re.compile(r"(?<=[a-z,'’] )[A-Z][a-z]\w+")
_LONG_WORD = re.compile(r"(?<![\w/{.])[A-Za-z]{4,24}(?![\w/}])")
_READ = 2_000  # characters
_WORD = re.compile(r"\w+")
_FOREIGN = 2  # more strange words and slips than so many
_MOST_TERMS = 64  # of one clause; a pasted log has more and says no more with them


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, in the words of the specifications where the user's are misspelt."""

    asked: Asked
    understanding: Understanding
    clauses: tuple[Clause, ...]  # the whole first
    terms: tuple[tuple[str, ...], ...]  # by clause, corrections included
    corrections: Mapping[str, str] = field(default_factory=dict)  # misspelt word → term meant
    named: Named = field(default_factory=Named)
    strangeness: float = 0.0  # how much it is about something that no specification knows

    @property
    def text(self) -> str:
        return self.asked.text

    @property
    def settings(self) -> Settings:
        return self.asked.settings

    def notes(self) -> list[str]:
        """What was made of it, in sentences."""
        said = []
        reader = self.asked.reader.arrays
        if reader and is_unread(reader, self.settings, self.text):
            said.append("No second look: its model reads Latin script alone.")
        if len(self.clauses) > 1:
            parts = "; ".join(f"“{clause.text}”" for clause in self.clauses[1:])
            said.append(f"Also searched for each part of the question: {parts}.")
        if self.corrections:
            words = ", ".join(f"“{word}” as “{term}”" for word, term in self.corrections.items())
            said.append(f"Possible typing errors, searched for both ways: {words}.")
        if exactly := len(self.named.exactly):
            named = counted(exactly, "chunk")
            said.append(f"The question names {named} exactly; exact matches rank first.")
        if nearly := len(self.named.nearly):
            named = counted(nearly, "chunk")
            said.append(
                f"The question nearly names {named} (apart from a typing error, a "
                "method, a base path or a value); these rank first."
            )
        if called := len(self.named.called):
            named = counted(called, "component")
            said.append(
                f"The question asks for a schema and has the whole name of {named}; "
                "these rank first."
            )
        return said


def read(asked: Asked, understand: Callable[[Asked], Understanding]) -> Question:
    """The question as the settings want it to be read.

    Its words are looked up in the read index; where there is none, it is one clause as written.
    """
    understanding = understand(asked) if asked.settings.query_analysis else NOT_UNDERSTOOD
    if (reader := asked.reader.arrays) is None:
        return Question(asked, understanding, (Clause(asked.text),), (_terms(asked.text, {}),))
    return _looked_up(asked, understanding, reader)


def _looked_up(asked: Asked, understanding: Understanding, reader: ArrayReader) -> Question:
    text, settings, deadline = asked.text, asked.settings, asked.deadline
    vocabulary = derived(Vocabulary, reader)
    corrections = meant(text, vocabulary, deadline) if settings.spelling else {}
    found: tuple[Clause, ...] = (Clause(text),)
    if settings.clauses:
        found = clauses(text, named_weight=settings.named_weight, known=vocabulary.__contains__)
        if understanding.parts:
            ours = (clause for clause in found if clause.is_ours)
            found = (Clause(text), *map(Clause, understanding.parts), *ours)
    terms = tuple(_terms(clause.text, corrections) for clause in found)
    named = Named()
    if settings.identifiers:
        named = derived(Identifiers, reader).find(text, understanding.entities, deadline)
        if not named.exactly and asks_for_a_schema(understanding, text):
            named = replace(named, called=_called(asked, terms[0], reader))
    return Question(
        asked,
        understanding,
        found,
        terms,
        corrections,
        named,
        strangeness(text, vocabulary, corrections),
    )


def _called(asked: Asked, terms: Collection[str], reader: ArrayReader) -> tuple[int, ...]:
    """Components that are called by their whole names, where the caller wants to search."""
    allowed = None if asked.where is None else reader.mask(asked.where)
    names = derived(ApiNames, reader).scores(asked.text, terms)
    named = frozenset(np.flatnonzero(names > NAMED_FROM).tolist())
    return derived(CalledSo, reader).find(asked.text, named, allowed)


def strangeness(text: str, vocabulary: Vocabulary, slips: Collection[str]) -> float:
    """How much the question is about something that no specification knows: 0 to 1.

    1 for a name inside a sentence that hardly any chunk holds; half as much for a word that none
    does, which is no plain English and no slip. A text of many such words is in another language.
    """
    if any(vocabulary.is_rare(word) for word in _CAPITALISED.findall(text)):
        return 1.0
    words = dict.fromkeys(_LONG_WORD.findall(text[:_READ]))
    strange = [w for w in words if w not in slips and w not in vocabulary and not is_english(w)]
    return 0.5 if strange and len(strange) + len(slips) <= _FOREIGN else 0.0


def _terms(text: str, corrections: Mapping[str, str]) -> tuple[str, ...]:
    words = frozenset(_WORD.findall(text)) if corrections else frozenset()
    meant = (term for word, term in corrections.items() if word in words)
    return tuple(dict.fromkeys((*query_terms(text)[:_MOST_TERMS], *meant)))
