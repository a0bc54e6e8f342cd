"""What is asked: the text that is read, of whom, and within which settings and time."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.deadline import Deadline
from core.model import Consulted
from core.reasons import Flag
from core.retrieve.reader import Reader
from core.settings import Settings
from core.where import Filter

MAX_QUERY = 8_000  # characters; a longer question costs time in every stage and says no more


@dataclass(frozen=True, slots=True)
class Asked:
    """A question before anything is made of it; what every stage may look at."""

    query: str  # as the caller wrote it
    text: str  # what is searched for: single blanks, whole letters and characters, bounded
    reader: Reader
    settings: Settings
    deadline: Deadline
    apis: tuple[str, ...] = ()  # those that the caller names
    where: Filter | None = None  # what the caller wants to be searched, these APIs among it
    flags: Mapping[str, str] = field(default_factory=dict)  # what is amiss, each in a sentence
    # Calls of a model, added by the stages that make them: whatever else they return is the seam's.
    consulted: list[Consulted] = field(default_factory=list, compare=False)

    @classmethod
    def of(
        cls,
        query: str,
        *,
        reader: Reader,
        settings: Settings,
        deadline: Deadline,
        apis: Sequence[str] = (),
        where: Filter | None = None,
    ) -> Asked:
        """With the text tidied; a longer one than `MAX_QUERY` is cut, and flagged."""
        text = _tidied(query)
        said = f"The question has {len(text)} characters; the first {MAX_QUERY} were used."
        flags = {Flag.QUERY_CUT.value: said} if len(text) > MAX_QUERY else {}
        return cls(query, text[:MAX_QUERY], reader, settings, deadline, tuple(apis), where, flags)


def _tidied(query: str) -> str:
    lines = (" ".join(line.split()) for line in query.splitlines())
    text = "\n".join(filter(None, lines)).encode("utf-8", "replace").decode()
    return unicodedata.normalize("NFC", text)  # an accent is part of its letter
