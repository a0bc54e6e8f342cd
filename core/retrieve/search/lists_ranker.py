"""One question asked of a reader's retrievers, under one filter or another.

This is the lighter recipe, for a reader that gives its best chunks and no more: one vector, one
keyword ranking, and boosts among what they found. `arrays_ranker` is the full one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.errors import CallError
from core.model import Chunk, Where
from core.retrieve.deadline import Deadline
from core.retrieve.reader import Reader
from core.retrieve.score.fuse import LEXICAL, SEMANTIC, Candidate, fuse, scored, single
from core.settings import Settings
from core.where import matches

INTENT, API, METHOD = "intent", "api", "method"  # names of score parts
BOOST = {INTENT: 0.1, API: 0.25, METHOD: 0.1}  # shares of what a candidate is ranked by

NO_LEXICAL = "no_lexical_index"
NO_SCORE = "entry_without_score"

_DEPTH = 10  # a retriever is asked for this many times the candidates, so that both score most
_MOST = 500
_LOOKED_UP = 4  # times the candidates: how far down a boost may reach for one


@dataclass(slots=True)
class Ranker:
    """Ranks the chunks of a reader for one question; remembers what it has already asked.

    `vector` is None when the question could not be embedded: then words alone rank.
    """

    query: str
    vector: NDArray[np.float32] | None
    reader: Reader
    settings: Settings
    deadline: Deadline
    flags: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    _asked: list[tuple[Where | None, list[Candidate]]] = field(default_factory=list)

    @property
    def limit(self) -> int:
        """How many candidates are looked at."""
        return self.settings.max_primary_results * self.settings.overfetch

    @property
    def reach(self) -> int:
        """How many entries each retriever is asked for."""
        return max(self.limit, min(_MOST, self.limit * _DEPTH))

    def rank(self, where: Where | None, raised: Mapping[str, Where]) -> list[Candidate]:
        """The candidates under a filter, best first; ties by chunk id.

        `raised` are filters by the name of their boost: what passes one is ranked higher, and
        its score, which `min_score` reads, stays.
        """
        candidates = self._plain(where)
        if not raised:
            return candidates
        span = self.limit * _LOOKED_UP
        chunks = self.reader.chunks([c.chunk_id for c in candidates[:span]])
        boosted = [
            _raise(c, chunks[c.chunk_id], raised) if c.chunk_id in chunks else c for c in candidates
        ]
        return sorted(boosted, key=lambda c: (-c.order, c.chunk_id))

    def _plain(self, where: Where | None) -> list[Candidate]:
        for asked, candidates in self._asked:
            if asked == where:
                return candidates
        candidates = self._rank(where)
        self._asked.append((where, candidates))
        return candidates

    def _rank(self, where: Where | None) -> list[Candidate]:
        if self.settings.mode == "semantic":
            return single(self._semantic(where), SEMANTIC)
        lexical = self._lexical(where)
        if self.settings.mode == "exact" or self.vector is None:
            return single(lexical or [], LEXICAL)
        if self.deadline.passed:
            return single(lexical or [], LEXICAL)
        semantic = self._semantic(where)
        if lexical is None:
            return single(semantic, SEMANTIC)
        return fuse(semantic, lexical, self.settings, reach=self.reach)

    def _semantic(self, where: Where | None) -> list[tuple[str, float]]:
        if self.vector is None:
            return []
        return self._scored(self.reader.semantic(self.vector, limit=self.reach, where=where))

    def _lexical(self, where: Where | None) -> list[tuple[str, float]] | None:
        """The keyword ranking; None when the reader has no keyword index and vectors can do."""
        ranking = self.reader.lexical(self.query, limit=self.reach, where=where)
        if ranking is not None:
            return self._scored(ranking)
        if self.settings.mode == "exact" or self.vector is None:
            raise CallError(
                f"Exact search needs the keyword index, and this {self.reader.kind} reader has "
                "none; build it with `specloupe index rebuild`, or choose the semantic mode."
            )
        self._flag(NO_LEXICAL, "There is no keyword index: vectors alone were searched.")
        return None

    def _scored(self, ranking: object) -> list[tuple[str, float]]:
        kept, skipped = scored(ranking)  # type: ignore[arg-type]  # a store may leave a score out
        if skipped:
            self._flag(NO_SCORE, f"{skipped} entries came back without a score and were skipped.")
        return kept

    def _flag(self, flag: str, note: str) -> None:
        if flag not in self.flags:
            self.flags.add(flag)
            self.notes.append(note)


def _raise(candidate: Candidate, chunk: Chunk, raised: Mapping[str, Where]) -> Candidate:
    added = {
        name: candidate.order * BOOST[name]
        for name, where in raised.items()
        if matches(where, chunk)
    }
    if not added:
        return candidate
    order = candidate.order + sum(added.values())
    return replace(candidate, order=order, parts={**candidate.parts, **added})
