"""Where the words of a question occur in a read index; what was looked up last is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.lexical import Postings
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.homes import Homes
from core.retrieve.reader import ArrayReader, FileScores, Rows, RowScores

_KEPT = 1024  # terms; up to a few kilobytes each, by the number of files


class WordsUsed:
    """What rows and what files hold the terms that are asked for."""

    def __init__(self, reader: ArrayReader) -> None:
        self._lexicon, self._bounds = reader.lexicon, reader.bounds
        self._homes = derived(Homes, reader)
        self._sizes = self._homes.total(np.diff(reader.bounds))  # by home
        self._look_up = lru_cache(_KEPT)(self._find)

    def scores(self, terms: Iterable[str], *, local: float) -> RowScores:
        """BM25 of all rows; a share `local` of each term's rarity is that inside the row's home."""
        total = np.zeros(len(self._lexicon), np.float32)
        for term in dict.fromkeys(terms):
            if found := self._look_up(term):
                posted, held = found
                rarity = self._lexicon.idf(len(posted.rows))
                if not local:
                    total[posted.rows] += posted.impact * np.float32(rarity)
                    continue
                mixed = (1 - local) * rarity + local * self._local(held)
                total[posted.rows] += posted.impact * np.repeat(mixed.astype(np.float32), held)
        return total

    def _local(self, held: NDArray[np.int64]) -> FileScores:
        """By file: how rare a term is inside its home."""
        here = self._homes.total(held)
        return self._homes.each_file(np.log1p((self._sizes - here + 0.5) / (here + 0.5)))

    def by_file(self, terms: Iterable[str]) -> FileScores:
        """By file: how much its home is about the terms, 1 for terms that all its chunks hold.

        A word counts as the root of the share of the home's chunks that hold it, rare ones more.
        BM25 with homes as documents favours large ones, which hold every word somewhere.
        """
        homes = len(self._sizes)
        found = [self._look_up(term) for term in dict.fromkeys(terms)]
        none = np.zeros(homes, np.int64)
        each_held = [self._homes.total(each[1]) if each else none for each in found]
        held = np.array(each_held).reshape(-1, homes)
        users = np.count_nonzero(held, axis=1)[:, None]
        rarity = np.log1p((homes - users + 0.5) / (users + 0.5))
        total = (rarity * np.sqrt(held / np.maximum(self._sizes, 1))).sum(axis=0)
        shares: FileScores = (total / max(rarity.sum(), 1e-9)).astype(np.float32)
        return self._homes.each_file(shares)

    def rows(self, term: str, file: int) -> NDArray[np.int32]:
        """The rows of a file that hold a term."""
        found = self._look_up(term)
        if found is None:
            return np.zeros(0, np.int32)
        first, last = np.searchsorted(found[0].rows, self._bounds[file : file + 2])
        return found[0].rows[first:last]

    def coverage(self, terms: Sequence[str], rows: Rows) -> RowScores:
        """The share of the terms that a row holds, rare ones counting more, unknown ones most."""
        held, possible = np.zeros(len(rows), np.float32), 0.0
        for term in dict.fromkeys(terms):
            found = self._look_up(term)
            rarity = self._lexicon.idf(len(found[0].rows) if found else 0)
            possible += rarity
            if found:
                holders = found[0].rows
                at = np.minimum(np.searchsorted(holders, rows), len(holders) - 1)
                held += np.float32(rarity) * (holders[at] == rows)
        return held / np.float32(possible) if possible else held

    def _find(self, term: str) -> tuple[Postings, NDArray[np.int64]] | None:
        """The rows of a term, and how many of them each file has."""
        posted = self._lexicon.postings(term)
        if posted is None:
            return None
        return posted, np.diff(np.searchsorted(posted.rows, self._bounds))
