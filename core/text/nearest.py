""" "Did you mean": which of the known names are most like the one that was given.

Every place that suggests or takes a near name asks here, with the cut-off of its purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Likeness:
    """From which share of equal letters, in per cent, a name is near."""

    at_least: float
    in_part: bool = False  # a piece of a long name is near it, too

    def lengths(self, letters: int) -> tuple[float, float]:
        """How short and how long a name can be that is near one of so many letters."""
        share = self.at_least / (200 - self.at_least)  # the letters that both have count twice
        return letters * share, letters / share


NAME = Likeness(60)  # a setting or a metric: one is suggested, a person decides
API = Likeness(60, in_part=True)  # of a file id, people know the company
CHUNK = Likeness(60, in_part=True)  # of an id, people know the end or the middle
TARGET = Likeness(60)  # what a reference that leads nowhere may have meant
LABEL = Likeness(50)  # long texts, of which the better half is often the file's
KEY = Likeness(80)  # refused for it: `note` is a key of one's own, `querry` is a slip
QUESTION = Likeness(92)  # below it, questions about neighbours are mixed in
IDENTIFIER = Likeness(88)  # taken for the right one without asking
PATH = Likeness(75)  # only candidates: their segments are then compared one by one


def nearest(
    wanted: str, known: Iterable[str], like: Likeness = NAME, *, limit: int = 1
) -> tuple[str, ...]:
    """The names most like the wanted one, the most alike first; of equals, the first known."""
    names = list(known)
    return tuple(names[at] for at, _ in near(wanted, names, like, limit=limit))


def near(
    wanted: str, known: Sequence[str], like: Likeness = NAME, *, limit: int = 1
) -> list[tuple[int, float]]:
    """The same as places in `known`, each with its likeness in per cent."""
    from rapidfuzz import fuzz, process

    scorer = fuzz.WRatio if like.in_part else fuzz.ratio
    found = process.extract(wanted, known, scorer=scorer, limit=limit, score_cutoff=like.at_least)
    return [(at, score) for _, score, at in found]


def slips(wanted: str, known: Sequence[str], *, letters: int, limit: int) -> list[tuple[str, int]]:
    """Names at most so many wrong, missing, extra or swapped letters away, with their number."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found = process.extract(wanted, known, scorer=OSA.distance, score_cutoff=letters, limit=limit)
    return [(name, int(distance)) for name, distance, _ in found]


def letters_apart(one: str, other: str) -> int:
    """How many letters are wrong, missing, extra or swapped."""
    from rapidfuzz.distance import OSA

    return OSA.distance(one, other)


def folded(name: str) -> str:
    """The name without case and marks, for a comparison by its letters alone."""
    from rapidfuzz.utils import default_process

    return default_process(name)
