"""Where the words of a question occur in a read index; each word is looked up once a question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.lexical import K1, B, Postings
from core.retrieve.evidence import ArrayReader, Rows, Scores


class WordsUsed:
    """What rows and what files hold the terms that are asked for."""

    def __init__(self, reader: ArrayReader) -> None:
        self._reader = reader
        self._sizes = np.diff(reader.bounds)
        self._norm = K1 * (1 - B + B * self._sizes / max(self._sizes.mean(), 1))
        self._found: dict[str, tuple[Postings, NDArray[np.int64]] | None] = {}

    def scores(self, terms: Iterable[str], *, local: float) -> Scores:
        """BM25 of all rows; a share `local` of each term's rarity is that inside the row's file."""
        total = np.zeros(len(self._reader), np.float32)
        for term in dict.fromkeys(terms):
            if found := self._look_up(term):
                posted, held = found
                near = np.log1p((self._sizes - held + 0.5) / (held + 0.5))
                rarity = (1 - local) * self._reader.lexicon.idf(len(posted.rows)) + local * near
                total[posted.rows] += posted.impact * np.repeat(rarity.astype(np.float32), held)
        return total

    def by_file(self, terms: Iterable[str]) -> tuple[Scores, Scores]:
        """By file: BM25 with files as documents, and the share of the terms that it uses at all.

        A word counts as often as chunks of the file hold it; in both, rare words count more.
        """
        files = len(self._sizes)
        total, used, possible = np.zeros(files), np.zeros(files), 0.0
        for term in dict.fromkeys(terms):
            found = self._look_up(term)
            held = found[1] if found else np.zeros(files, np.int64)
            users = np.count_nonzero(held)
            rarity = float(np.log1p((files - users + 0.5) / (users + 0.5)))
            total += rarity * held * (K1 + 1) / (held + self._norm)
            used += rarity * (held > 0)
            possible += rarity
        return total.astype(np.float32), (used / max(possible, 1e-9)).astype(np.float32)

    def coverage(self, terms: Sequence[str], rows: Rows) -> Scores:
        """The share of the terms that a row holds, rare ones counting more, unknown ones most."""
        held, possible = np.zeros(len(rows), np.float32), 0.0
        for term in dict.fromkeys(terms):
            found = self._look_up(term)
            rarity = self._reader.lexicon.idf(len(found[0].rows) if found else 0)
            possible += rarity
            if found:
                holders = found[0].rows
                at = np.minimum(np.searchsorted(holders, rows), len(holders) - 1)
                held += np.float32(rarity) * (holders[at] == rows)
        return held / np.float32(possible) if possible else held

    def _look_up(self, term: str) -> tuple[Postings, NDArray[np.int64]] | None:
        """The rows of a term, and how many of them each file has."""
        if term not in self._found:
            posted = self._reader.lexicon.postings(term)
            self._found[term] = None
            if posted is not None:
                held = np.diff(np.searchsorted(posted.rows, self._reader.bounds))
                self._found[term] = (posted, held)
        return self._found[term]
