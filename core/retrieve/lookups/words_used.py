"""Where the words of a question occur in a read index; what was looked up last is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise, starmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.lexical import Postings, impact
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.homes import Homes
from core.retrieve.reader import ArrayReader, FileScores, Rows, RowScores

_KEPT = 512  # terms; 16 bytes for each file


class Held(NamedTuple):
    """Where a term occurs."""

    posted: Postings
    by_file: NDArray[np.int64]  # rows of each file that hold it
    local: FileScores  # by file: how rare it is inside its home
    about: (
        FileScores  # by file: the root of the share of its home's rows that hold it, as it counts
    )
    rarity: np.float32  # of its homes among all


class WordsUsed:
    """What rows and what files hold the terms that are asked for."""

    def __init__(self, reader: ArrayReader) -> None:
        self._lexicon, self._bounds = reader.lexicon, reader.bounds
        self._homes = derived(Homes, reader)
        self._sizes = self._homes.total(np.diff(reader.bounds))  # by home
        self._look_up = lru_cache(_KEPT)(self._find)

    def scores(self, clauses: Sequence[Iterable[str]], *, local: float) -> list[RowScores]:
        """BM25 of all rows, by clause; a share `local` of each term's rarity is that inside the
        row's home. A term that several clauses have is weighed once."""
        terms = dict.fromkeys(chain.from_iterable(clauses))
        held = {term: found for term in terms if (found := self._look_up(term))}
        if not held:
            return [np.zeros(len(self._lexicon), np.float32) for _ in clauses]
        rows = np.concatenate([found.posted.rows for found in held.values()])
        added = self._added(list(held.values()), rows, local)
        ends = accumulate((len(found.posted.rows) for found in held.values()), initial=0)
        parts = dict(zip(held, starmap(slice, pairwise(ends)), strict=True))
        each = [[parts[term] for term in dict.fromkeys(own) if term in held] for own in clauses]
        return [self._total(rows, added, own, is_all=len(own) == len(held)) for own in each]

    def _added(self, held: Sequence[Held], rows: NDArray[np.int32], local: float) -> RowScores:
        """What each term adds to each of the rows that hold it, term after term."""
        counts = np.concatenate([found.posted.counts for found in held])
        added = impact(counts, held[0].posted.norms.take(rows))
        own = [(1 - local) * self._lexicon.idf(len(found.posted.rows)) for found in held]
        mixed = np.concatenate([found.local for found in held]).reshape(len(held), -1)
        mixed *= np.float32(local)
        mixed += np.array(own, np.float32)[:, None]
        added *= np.repeat(mixed.ravel(), np.concatenate([found.by_file for found in held]))
        return added

    def _total(
        self, rows: NDArray[np.int32], added: RowScores, parts: Sequence[slice], *, is_all: bool
    ) -> RowScores:
        """By row, the sum of what some terms add."""
        if not parts:
            return np.zeros(len(self._lexicon), np.float32)
        if not is_all:
            rows = np.concatenate([rows[part] for part in parts])
            added = np.concatenate([added[part] for part in parts])
        total = np.zeros(len(self._lexicon), np.float32)
        np.add.at(total, rows, added)
        return total

    def by_file(self, terms: Iterable[str]) -> FileScores:
        """By file: how much its home is about the terms, 1 for terms that all its chunks hold.

        A word counts as the root of the share of the home's chunks that hold it, rare ones more.
        BM25 with homes as documents favours large ones, which hold every word somewhere.
        """
        found = [self._look_up(term) for term in dict.fromkeys(terms)]
        total: FileScores = np.zeros(len(self._bounds) - 1, np.float32)
        for each in filter(None, found):
            total += each.about
        unknown = self._rarity(0)
        rarity = np.array([each.rarity if each else unknown for each in found], np.float32)
        return total / np.float32(max(float(rarity.sum()), 1e-9))

    def _rarity(self, homes: int) -> np.float32:
        """Of a term that so many homes hold."""
        return np.float32(np.log1p((len(self._sizes) - homes + 0.5) / (homes + 0.5)))

    def rows(self, term: str, file: int) -> NDArray[np.int32]:
        """The rows of a file that hold a term."""
        found = self._look_up(term)
        if found is None:
            return np.zeros(0, np.int32)
        first = int(found.by_file[:file].sum())
        return found.posted.rows[first : first + int(found.by_file[file])]

    def coverage(self, clauses: Sequence[Sequence[str]], rows: Rows) -> list[RowScores]:
        """By clause: the share of its terms that a row holds, rare ones counting more, unknown ones
        most. A term that several clauses have is looked up once."""
        wanted = rows.astype(np.int32)  # as postings are: of another type, all of them are copied
        terms = dict.fromkeys(chain.from_iterable(clauses))
        each = {term: self._covered(term, wanted) for term in terms}
        return [_share([each[term] for term in dict.fromkeys(own)], len(rows)) for own in clauses]

    def _covered(self, term: str, wanted: NDArray[np.int32]) -> tuple[float, RowScores | None]:
        """How rare a term is, and that for the rows that hold it; None where none does."""
        found = self._look_up(term)
        if found is None:
            return self._lexicon.idf(0), None
        holders = found.posted.rows
        rarity = self._lexicon.idf(len(holders))
        at = np.minimum(holders.searchsorted(wanted), len(holders) - 1)
        return rarity, np.float32(rarity) * (holders[at] == wanted)

    def _find(self, term: str) -> Held | None:
        posted = self._lexicon.postings(term)
        if posted is None:
            return None
        by_file = np.diff(posted.rows.searchsorted(self._bounds.astype(np.int32)))
        here = self._homes.total(by_file)
        local = np.log1p((self._sizes - here + 0.5) / (here + 0.5)).astype(np.float32)
        share = np.sqrt(here / np.maximum(self._sizes, 1)).astype(np.float32)
        rarity = self._rarity(int(np.count_nonzero(here)))
        each_file = self._homes.each_file
        return Held(posted, by_file, each_file(local), rarity * each_file(share), rarity)


def _share(terms: Iterable[tuple[float, RowScores | None]], rows: int) -> RowScores:
    """What rows hold of some terms."""
    held, possible = np.zeros(rows, np.float32), 0.0
    for rarity, here in terms:
        possible += rarity
        if here is not None:
            held += here
    return held / np.float32(possible) if possible else held
