"""What speaks for each row of a read index: vectors and words, clause by clause."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.lexical import LexicalIndex
from core.model import Chunk, Level, Where
from core.ranking import best
from core.retrieve.score.fuse import weights_of
from core.settings import Settings

Scores = NDArray[np.float32]
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]

_REST = 0.25  # what all clauses on average count beside a row's best one
_TURNS = 4  # rows of a clause that get a share of its turn


@runtime_checkable
class ArrayReader(Protocol):
    """A reader that scores all of its rows at once; rows stand in the order of their chunk ids.

    The rows of one file are contiguous: file i has those from `bounds[i]` up to `bounds[i + 1]`.
    """

    @property
    def ids(self) -> Any: ...  # a sequence of chunk ids, by row

    @property
    def operation_ids(self) -> Any: ...  # a sequence of them, by row; "" where there is none

    @property
    def bounds(self) -> NDArray[np.int64]: ...

    @property
    def files(self) -> Sequence[Any]: ...  # each with `file`, `source_file` and `rows`

    @property
    def lexicon(self) -> LexicalIndex: ...

    @property
    def derived(self) -> dict[Any, Any]: ...  # what was made of it once; empty at first

    def __len__(self) -> int: ...

    def row(self, id: str) -> int | None: ...

    def chunk(self, row: int) -> Chunk: ...

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]: ...

    def rendering(self, chunk: Chunk, level: Level, /) -> str: ...

    def cosines(self, vectors: Scores) -> Scores: ...

    def mask(self, where: Where) -> Mask: ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """One clause's scores for all rows."""

    terms: tuple[str, ...]
    cosine: Scores | None  # raw; None: only words are searched
    words: Scores | None  # BM25 by both rarities; None: only vectors are searched
    fused: Scores  # both, scaled to 0–1 over the rows that may be found


def gather(
    terms: tuple[str, ...],
    cosine: Scores | None,
    words: Scores | None,
    allowed: Mask | None,
    settings: Settings,
) -> Evidence:
    """The evidence of one clause, by the fusion and the weights of the settings."""
    return Evidence(terms, cosine, words, _fused(cosine, words, allowed, settings))


def _fused(
    cosine: Scores | None, words: Scores | None, allowed: Mask | None, settings: Settings
) -> Scores:
    if cosine is None or words is None:
        only = words if cosine is None else cosine
        assert only is not None
        return scaled(only, allowed)
    vector, keyword = map(np.float32, weights_of(settings))
    if settings.fusion == "rrf":
        ranks = [_reciprocal(scores, allowed, settings.rrf_k) for scores in (cosine, words)]
        return scaled(vector * ranks[0] + keyword * ranks[1], allowed)
    return vector * scaled(cosine, allowed) + keyword * scaled(words, allowed)


def _reciprocal(scores: Scores, allowed: Mask | None, k: int) -> Scores:
    """1 / (k + rank) for every row with a score above 0, 0 for the others."""
    rows = np.flatnonzero(scores > 0 if allowed is None else allowed & (scores > 0))
    order = rows[np.argsort(-scores[rows], kind="stable")]
    ranks = np.zeros_like(scores)
    ranks[order] = 1 / np.arange(k + 1, k + 1 + len(order), dtype=np.float32)
    return ranks


def combined(
    each: Sequence[Scores], weights: Sequence[float], allowed: Mask | None, *, turn: float
) -> tuple[Scores, Scores]:
    """Over the clauses of a question, the whole first: scores from 0 to 1, and what turns add.

    Each clause counts as the distance from its own mean. Its best rows get a turn of `turn`, so
    that one clause of many good rows does not fill every place.
    """
    if len(each) == 1:
        return each[0], np.zeros_like(each[0])
    rows = np.stack([w * _standard(s, allowed) for w, s in zip(weights, each, strict=True)])
    total = scaled(rows.max(axis=0) + np.float32(_REST) * rows.mean(axis=0), allowed)
    turns = np.zeros_like(total)
    for weight, scores in zip(weights[1:], each[1:], strict=True):
        top = best(scores if allowed is None else np.where(allowed, scores, -np.inf), _TURNS)
        shares = np.float32(turn * weight) / np.arange(1, len(top) + 1, dtype=np.float32)
        turns[top] = np.maximum(turns[top], shares)
    return total, turns


def scaled(scores: Scores, allowed: Mask | None) -> Scores:
    """From 0 for the least to 1 for the most among the rows that may be found."""
    seen = scores if allowed is None else scores[allowed]
    low, high = (seen.min(), seen.max()) if len(seen) else (0, 0)
    if high <= low:
        return np.zeros_like(scores)
    return (scores - low) * np.float32(1 / (high - low))


def _standard(scores: Scores, allowed: Mask | None) -> Scores:
    seen = scores if allowed is None else scores[allowed]
    spread = seen.std() if len(seen) else 0
    return (scores - seen.mean()) * np.float32(1 / spread) if spread else np.zeros_like(scores)
