"""BM25 over memory-mapped postings: for each term the rows that hold it, and how often."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.arrays import Arrays
from core.index.snapshot.texts import Texts

K1 = 1.2
B = 0.75
_KEPT_TERMS = 8192  # terms that were looked up
MOST_TF = 255  # a count is kept in one byte; beyond it BM25 has long been flat


@dataclass(frozen=True, slots=True)
class Postings:
    """One term: the rows that hold it, ascending, and how often each does."""

    rows: NDArray[np.int32]
    counts: NDArray[np.uint8]
    norms: NDArray[np.float32]  # of all rows of the index

    @property
    def impact(self) -> NDArray[np.float32]:
        """What it adds to each before its idf, 0 to k1+1:
        tf·(k1+1) / (tf + k1·(1 - b + b·length/average))."""
        return impact(self.counts, self.norms[self.rows])


class LexicalIndex:
    """Scores of all rows for some terms. Rows of one file are contiguous, so are its postings."""

    def __init__(self, arrays: Arrays) -> None:
        self._terms = Texts(arrays, "terms")
        self._find = lru_cache(_KEPT_TERMS)(self._terms.find)
        self._starts = arrays["postings.starts"]
        self._rows = arrays["postings.rows"]
        self._tf = arrays["postings.tf"]
        self._peaks = arrays["postings.peaks"]
        self.lengths: NDArray[np.int32] = arrays["lengths"]  # terms of each row
        self._norms = norms(self.lengths)

    def __len__(self) -> int:
        """Rows."""
        return len(self.lengths)

    def find(self, term: str) -> int:
        """The position of a term in the vocabulary, -1 when no row holds it."""
        return self._find(term)

    @property
    def vocabulary(self) -> Texts:
        """Every term, ascending."""
        return self._terms

    def postings(self, term: str) -> Postings | None:
        """The rows of a term; None when no row holds it."""
        index = self._find(term)
        if index < 0:
            return None
        part = slice(self._starts[index], self._starts[index + 1])
        return Postings(self._rows[part], self._tf[part], self._norms)

    @property
    def table(self) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
        """All postings: counts, rows, and where in them each term of the vocabulary starts."""
        return self._tf, self._rows, self._starts

    def idf(self, frequency: int) -> float:
        """The weight of a term that so many rows hold; always above 0."""
        return math.log1p((len(self) - frequency + 0.5) / (frequency + 0.5))

    def scores(self, terms: Iterable[str]) -> NDArray[np.float32]:
        """BM25 of every row, 0 where no term occurs; each distinct term counts once."""
        found = [posted for term in dict.fromkeys(terms) if (posted := self.postings(term))]
        if not found:
            return np.zeros(len(self), np.float32)
        rows = np.concatenate([posted.rows for posted in found])
        added = np.concatenate([posted.impact * self.idf(len(posted.rows)) for posted in found])
        return np.bincount(rows, added, len(self)).astype(np.float32)

    def best(self, terms: Iterable[str]) -> float:
        """What no row can exceed for these terms: each at the most that it adds anywhere.

        A term that no row holds counts as much as the others do on average, so that a question
        of mostly unknown words has no row near its best.
        """
        distinct = tuple(dict.fromkeys(terms))
        known = [index for term in distinct if (index := self._find(term)) >= 0]
        if not known:
            return 0.0
        peak = sum(
            float(self._peaks[i]) * self.idf(int(self._starts[i + 1] - self._starts[i]))
            for i in known
        )
        return peak * len(distinct) / len(known)

    def shares(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """The scores as a share of `best`: 0 to 1, comparable between questions."""
        best = self.best(terms)
        scores = self.scores(terms)
        return np.minimum(scores / np.float32(best), 1, dtype=np.float32) if best else scores


def norms(lengths: NDArray[np.int32]) -> NDArray[np.float32]:
    """The part of BM25's denominator that only a row's length decides."""
    average = float(lengths.mean()) if lengths.any() else 1.0
    return (K1 * (1 - B + B * lengths / average)).astype(np.float32)


def impact(tf: NDArray[np.uint8], norm: NDArray[np.float32]) -> NDArray[np.float32]:
    counts = tf.astype(np.float32)
    below = counts + norm
    counts *= np.float32(K1 + 1)
    counts /= below
    return counts
