"""Split a question into the parts that each ask for something of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from core.retrieve.understand.verbs import is_verb
from core.text.words import query_terms

MOST = 10  # parts: each costs a product over all vectors
BY_NAME = "search by name"  # what finds a thing that the question calls by its name

_FEW = 3  # terms on both sides of a comma that is no list's
_READ = 2_000  # characters that are divided; a pasted log has no more parts to it
_NEAR = 200  # characters on either side of a joint that are looked at
_LEAST = 2  # terms without which nothing is asked for

# A run of blanks is entered at its first one alone, and never given back: all three are linear.
_SENTENCE = re.compile(r"(?<=[.?!;])\s++|(?<!\s)\s++[-–—]\s++|\n++")
_NEXT = re.compile(
    r"(?:,|(?<!\s))\s++(?:and\s++then|then|after\s++that|afterwards?|finally|also|as\s++well\s++as)"
    r"\s++|,\s++and\s++",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"(,|:|(?<!\s)\s++(?:and|or|by|while|before|after))\s++"
    r"(?:(?:by|while|finally|then|to|also|first)\s++)*(?=([A-Za-z]++)\b)"
)
_GERUND_ONLY = ("by", "while", "before", "after")  # "by id" is no step, "by listing …" is
_QUOTED = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|(?<!\w)'[^'\n]{2,80}'(?!\w)")
_CAPITALISED = re.compile(r"(?<=[a-z,'’] )[A-Z][a-z][\w'’]*")
_CAPITALS = re.compile(r"(?<=[a-z,'’] )[A-Z]{3,}\b")

Known = Callable[[str], bool]  # whether a word occurs in the specifications


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a question, and how much it counts."""

    text: str
    weight: float = 1.0
    is_ours: bool = False  # the search by name, and not a part that the question has


def clauses(query: str, *, named_weight: float, known: Known) -> tuple[Clause, ...]:
    """The whole question, then its parts where it has several, then the search by name."""
    parts = list(islice(_once(_parts(query[:_READ])), MOST))
    found = [Clause(query), *(Clause(part) for part in parts if len(parts) > 1)]
    if named_weight and names_a_thing(query, known):
        found.append(Clause(BY_NAME, named_weight, is_ours=True))
    return tuple(found)


def _once(parts: Iterable[str]) -> Iterator[str]:
    """Each part where it is first met, as soon as it is met."""
    seen: set[str] = set()
    for part in parts:
        if part not in seen:
            seen.add(part)
            yield part


def names_a_thing(query: str, known: Known) -> bool:
    """Whether something is called by its name: quoted, or capitalised inside a sentence.

    A word in capitals is one only when no specification has it: `BIGBANG`, not `JSON`.
    """
    if _QUOTED.search(query) or _CAPITALISED.search(query):
        return True
    return any(not known(word) for word in _CAPITALS.findall(query))


def _parts(query: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(query):
        for step in _NEXT.split(sentence):
            for part in _steps(step):
                if len(query_terms(part)) >= _LEAST:
                    yield part.strip()


def _steps(text: str) -> Iterator[str]:
    start = 0
    for joint in _JOINT.finditer(text):
        near = max(start, joint.start() - _NEAR)
        before, after = text[near : joint.start()], text[joint.end() : joint.end() + _NEAR]
        if _begins_a_step(joint.group(1).strip(), joint.group(2), before, after):
            yield text[start : joint.start()]
            start = joint.end()
    yield text[start:]


def _begins_a_step(joint: str, word: str, before: str, after: str) -> bool:
    if is_verb(word) and (joint not in _GERUND_ONLY or word.endswith("ing")):
        return True
    return joint == "," and _says_much(before) and _says_much(after.partition(",")[0])


def _says_much(text: str) -> bool:
    return len(query_terms(text)) >= _FEW
