"""One chunk that a search found, with a score that is comparable between questions.

The score is not min-max scaled: a min-max score puts the best hit of every question near 1, the
hopeless ones included.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import SettingsError
from core.reasons import Part
from core.settings import Search

SEMANTIC, LEXICAL = Part.SEMANTIC.value, Part.LEXICAL.value

Ranking = Sequence[tuple[str, float]]  # (chunk id, score), best first


@dataclass(frozen=True, slots=True)
class Candidate:
    """One chunk that a retriever found."""

    chunk_id: str
    score: float  # calibrated, 0 to 1
    order: float  # what it is ranked by, higher first; the score, unless the fusion says otherwise
    parts: Mapping[str, float]
    shares: Mapping[str, float] = field(default_factory=dict)  # add up to the score


def scored(ranking: Sequence[tuple[str, float | None]]) -> tuple[list[tuple[str, float]], int]:
    """The entries that have a score, cut to 0–1, and how many have none."""
    kept = [
        (chunk_id, min(1.0, max(0.0, float(score))))
        for chunk_id, score in ranking
        if score is not None and not math.isnan(score)
    ]
    return kept, len(ranking) - len(kept)


def single(ranking: Ranking, name: str) -> list[Candidate]:
    """One retriever's ranking as it is."""
    return [Candidate(i, score, score, {name: score}, {name: score}) for i, score in ranking]


def weights_of(settings: Search) -> tuple[float, float]:
    """The shares of vectors and words, which sum to 1; raises SettingsError when both are 0."""
    total = settings.vector_weight + settings.keyword_weight
    if total <= 0:
        raise SettingsError("vector_weight and keyword_weight are both 0; raise one of them.")
    share = settings.vector_weight / total
    return share, 1 - share
