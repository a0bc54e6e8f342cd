"""What speaks for each row of a read index: vectors and words, clause by clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.blocks import blocks
from core.ranking import best
from core.retrieve.reader import Mask, Rows, RowScores
from core.retrieve.score.boosts import Some
from core.retrieve.score.candidate import weights_of
from core.retrieve.score.moments import moments
from core.settings import Search

_REST = 0.25  # what all clauses on average count beside a row's best one
_TURNS = 4  # rows of a clause that get a share of its turn
_LEAST = float(np.finfo(np.float32).tiny)  # a difference by which numbers can be divided


@dataclass(frozen=True, slots=True)
class Said:
    """What each way of searching says of all rows for one clause; None where it is not searched."""

    cosine: RowScores | None = None  # raw, by the store's embedder; exact where it decides
    second: RowScores | None = None  # raw, by the second look's
    words: RowScores | None = None  # BM25 by both rarities
    written: RowScores | None = None  # raw, of the nearest question that a model wrote for the row


class Scale(NamedTuple):
    """From one range of numbers to another that begins at 0."""

    low: float
    factor: float  # 0 where all are alike

    def times(self, weight: np.float32) -> Scale:
        return Scale(self.low, self.factor * float(weight))

    def of(self, scores: RowScores, out: RowScores | None = None) -> RowScores:
        found: RowScores = np.subtract(scores, np.float32(self.low), out=out)
        found *= np.float32(self.factor)
        return found


class Meaning(NamedTuple):
    """What the vectors say of all rows, scaled to 0–1 where it is asked for."""

    scores: RowScores
    scale: Scale

    def of(self, rows: Rows) -> RowScores:
        return self.scale.of(self.scores[rows])


@dataclass(frozen=True, slots=True)
class ClauseEvidence:
    """One clause's scores for all rows."""

    terms: tuple[str, ...]
    said: Said
    meaning: Meaning | None  # what the vectors say; None: only words are searched
    fused: RowScores  # vectors and words, scaled to 0–1 over the rows that may be found
    steepness: float = 0.0  # what `fused` grows by with the cosine


def gather(
    terms: tuple[str, ...], said: Said, allowed: Mask | None, settings: Search
) -> ClauseEvidence:
    """The evidence of one clause, by the fusion and the weights of the settings."""
    meaning, steepness = _meaning(said, allowed)
    if said.words is None:
        assert meaning is not None
        return ClauseEvidence(terms, said, meaning, meaning.scale.of(meaning.scores), steepness)
    if meaning is None:
        return ClauseEvidence(terms, said, None, scaled(said.words, allowed))
    vector, keyword = map(np.float32, weights_of(settings))
    if settings.fusion == "rrf":
        scores = meaning.scale.of(meaning.scores), said.words
        ranks = [_reciprocal(each, allowed, settings.rrf_k) for each in scores]
        fused = scaled(vector * ranks[0] + keyword * ranks[1], allowed)
        return ClauseEvidence(terms, said, meaning, fused)
    of_words = said.words, _scale(said.words, allowed).times(keyword)
    of_vectors = meaning.scores, meaning.scale.times(vector)
    fused = _sum(of_words, of_vectors)
    return ClauseEvidence(terms, said, meaning, fused, float(vector) * steepness)


def _meaning(said: Said, allowed: Mask | None) -> tuple[Meaning | None, float]:
    """What the vectors say, and by how much of the cosine it grows.

    Both embedders count alike: each finds what the other does not.
    """
    if said.cosine is None:
        return None, 0.0
    scale = _scale(said.cosine, allowed)
    if said.second is None:
        return Meaning(said.cosine, scale), scale.factor
    second = said.second, _scale(said.second, allowed)
    own = _sum((said.cosine, scale), second)
    both = _scale(own, allowed)
    return Meaning(own, both), both.factor * scale.factor


def _sum(one: tuple[RowScores, Scale], other: tuple[RowScores, Scale]) -> RowScores:
    """By row, of two scores, each on its scale."""
    total = np.empty_like(one[0])

    for rows in blocks(len(total)):
        part = one[1].of(one[0][rows], total[rows])
        part += other[1].of(other[0][rows])
    return total


def _reciprocal(scores: RowScores, allowed: Mask | None, k: int) -> RowScores:
    """1 / (k + rank) for every row with a score above 0, 0 for the others."""
    rows = np.flatnonzero(scores > 0 if allowed is None else allowed & (scores > 0))
    order = rows[np.argsort(-scores[rows], kind="stable")]
    ranks = np.zeros_like(scores)
    ranks[order] = 1 / np.arange(k + 1, k + 1 + len(order), dtype=np.float32)
    return ranks


def combined(
    each: Sequence[RowScores],
    weights: Sequence[float],
    allowed: Mask | None,
    *,
    turn: float,
) -> tuple[RowScores, Some]:
    """Over the clauses of a question, the whole first: scores from 0 to 1, and what turns add.

    Each clause counts as the distance from its own mean. Its best rows get a turn of `turn`, so
    that one clause of many good rows does not fill every place.
    """
    if len(each) == 1:
        return each[0].copy(), Some.of({})
    scales = [_standard(s, w, allowed) for w, s in zip(weights, each, strict=True)]
    most = np.empty_like(each[0])

    for rows in blocks(len(most)):
        first, *others = (
            scale.of(scores[rows]) for scale, scores in zip(scales, each, strict=True)
        )
        mean = first.copy()
        for scores in others:
            np.maximum(first, scores, out=first)
            mean += scores
        mean *= np.float32(_REST / len(each))
        np.add(first, mean, out=most[rows])
    total = scaled(most, allowed)
    turns: dict[int, float] = {}
    for weight, scores in zip(weights[1:], each[1:], strict=True):
        top = best(scores if allowed is None else np.where(allowed, scores, -np.inf), _TURNS)
        for place, row in enumerate(top.tolist(), start=1):
            turns[row] = max(turns.get(row, 0), turn * weight / place)
    return total, Some.of(turns)


def scaled(scores: RowScores, allowed: Mask | None) -> RowScores:
    """From 0 for the least to 1 for the most among the rows that may be found."""
    return _scale(scores, allowed).of(scores)


def _scale(scores: RowScores, allowed: Mask | None) -> Scale:
    seen = scores if allowed is None else scores[allowed]
    low, high = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 0.0)
    return Scale(low, 1 / (high - low) if high - low >= _LEAST else 0.0)


def _standard(scores: RowScores, weight: float, allowed: Mask | None) -> Scale:
    """How far each is from the mean, in standard deviations, times a weight."""
    mean, spread = moments(scores, allowed)
    return Scale(mean, weight / spread if spread >= _LEAST else 0.0)
