"""Joining the vector and the keyword ranking, on one score that is comparable between questions.

The score is not min-max scaled: a min-max score puts the best hit of every question near 1, the
hopeless ones included. It is the raw cosine (negative is 0), the BM25 score as a share of what the
question could reach at most, or the weighted mean of both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import SettingsError
from core.settings import Settings

SEMANTIC, LEXICAL, RRF = "semantic", "lexical", "rrf"

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


def fuse(semantic: Ranking, lexical: Ranking, settings: Settings, *, reach: int) -> list[Candidate]:
    """Both rankings as one, best first, at most `reach`; ties by chunk id.

    A ranking that has `reach` entries goes on below them, so a chunk that only the other one found
    counts with this one's last score; one that is shorter has ended, and counts as 0.

    `convex` ranks by the score; `rrf` by weighted reciprocal ranks, and keeps the score for
    `min_score`.
    """
    vector, keyword = weights_of(settings)
    by_vector, by_keyword = dict(semantic), dict(lexical)
    vector_rest, keyword_rest = _rest(semantic, reach), _rest(lexical, reach)
    reciprocal = _reciprocal_ranks(semantic, lexical, settings) if settings.fusion == "rrf" else {}
    ranked = []
    for chunk_id in by_vector | by_keyword:
        cosine = by_vector.get(chunk_id, vector_rest)
        share = by_keyword.get(chunk_id, keyword_rest)
        score = vector * cosine + keyword * share
        ranked.append((-reciprocal.get(chunk_id, score), chunk_id, score, cosine, share))
    ranked.sort()
    return [
        Candidate(
            chunk_id,
            score,
            -order,
            _parts(cosine, share, reciprocal.get(chunk_id)),
            {SEMANTIC: vector * cosine, LEXICAL: keyword * share},
        )
        for order, chunk_id, score, cosine, share in ranked[:reach]
    ]


def _parts(cosine: float, share: float, reciprocal: float | None) -> dict[str, float]:
    parts = {SEMANTIC: cosine, LEXICAL: share}
    return parts if reciprocal is None else {**parts, RRF: reciprocal}


def weights_of(settings: Settings) -> tuple[float, float]:
    """The shares of vectors and words, which sum to 1; raises SettingsError when both are 0."""
    total = settings.vector_weight + settings.keyword_weight
    if total <= 0:
        raise SettingsError("vector_weight and keyword_weight are both 0; raise one of them.")
    share = settings.vector_weight / total
    return share, 1 - share


def _rest(ranking: Ranking, reach: int) -> float:
    return ranking[-1][1] if len(ranking) >= reach else 0.0


def _reciprocal_ranks(semantic: Ranking, lexical: Ranking, settings: Settings) -> dict[str, float]:
    sums: dict[str, float] = {}
    for weight, ranking in zip(weights_of(settings), (semantic, lexical), strict=True):
        for rank, (chunk_id, _) in enumerate(ranking, start=1):
            sums[chunk_id] = sums.get(chunk_id, 0.0) + weight / (settings.rrf_k + rank)
    return sums
