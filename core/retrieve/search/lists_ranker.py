"""The lighter recipe, for a reader that gives its nearest chunks and no more.

That is Chroma on a server, while the read index of this machine is being built: one vector, its
nearest chunks, and boosts among them. `arrays_ranker` is the full recipe.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.errors import CallError
from core.model import CatalogEntry, Chunk
from core.reasons import Flag, Part
from core.retrieve.score.candidate import SEMANTIC, Candidate, scored, single
from core.retrieve.score.expansion import Added
from core.retrieve.search.evidence import Choice, limit_of
from core.retrieve.understand.question import Question
from core.settings import Search
from core.where import Filter, matches

INTENT, API, METHOD = Part.INTENT.value, Part.API.value, Part.METHOD.value
BOOST = {INTENT: 0.1, API: 0.25, METHOD: 0.1}  # shares of what a candidate is ranked by


_DEPTH = 10  # the reader is asked for this many times the candidates: parts of one element are one
_MOST = 500
_LOOKED_UP = 4  # times the candidates: how far down a boost may reach for one
_NAME = 1.0  # what a name in the question adds to the score of an API's best chunk
_RARE = 3  # a word that more APIs than this share names none of them
_WORD = re.compile(r"[a-z0-9]+")
_GENERIC = frozenset(
    ("api", "apis", "com", "net", "org", "www", "rest", "http", "https", "the", "and", "for")
)


@dataclass(frozen=True, slots=True)
class ListEvidence:
    """The nearest chunks under one filter."""

    question: Question
    vector: NDArray[np.float32]
    where: Filter | None
    candidates: tuple[Candidate, ...]
    flags: Mapping[str, str]

    def under(self, where: Filter | None, /) -> ListEvidence:
        return self if where == self.where else _nearest(where, self.question, self.vector)

    def with_terms(self, added: Sequence[Added], /) -> ListEvidence:
        """Nothing changes: no words are searched."""
        return self

    def apis(self, limit: int, /) -> Choice:
        """Those that the question names, then those of the nearest chunks."""
        named = named_in(self.question.text, self.question.asked.reader.catalog())
        scores = self._best_chunks()
        for file_id in named:
            scores[file_id] = scores.get(file_id, 0.0) + _NAME
        best = sorted(scores, key=lambda file_id: (-scores[file_id], file_id))
        return Choice({file_id: scores[file_id] for file_id in best[:limit]}, named)

    def ranked(self, raised: Mapping[str, Filter], /) -> Sequence[Candidate]:
        """What passes a boost's filter is ranked higher; its score, for `min_score`, stays."""
        if not raised:
            return self.candidates
        chunks = self._looked_up()
        boosted = [
            _raise(c, chunks[c.chunk_id], raised) if c.chunk_id in chunks else c
            for c in self.candidates
        ]
        return sorted(boosted, key=lambda c: (-c.order, c.chunk_id))

    def _looked_up(self) -> Mapping[str, Chunk]:
        span = self.candidates[: limit_of(self.question.settings) * _LOOKED_UP]
        return self.question.asked.reader.chunks([candidate.chunk_id for candidate in span])

    def _best_chunks(self) -> dict[str, float]:
        """Each API's best score among the first candidates."""
        chunks = self._looked_up()
        best: dict[str, float] = {}
        for candidate in self.candidates:
            if chunk := chunks.get(candidate.chunk_id):
                best[chunk.source_file] = max(best.get(chunk.source_file, 0.0), candidate.score)
        return best


def list_evidence(
    question: Question, vectors: NDArray[np.float32] | None, where: Filter | None
) -> ListEvidence:
    """What the reader finds nearest; raises CallError where there is no vector to search by."""
    if vectors is None:
        kind = question.asked.reader.kind
        raise CallError(
            f"Exact search needs the keyword index, and this {kind} reader has none; build it "
            "with `specloupe index rebuild`, or choose the semantic mode."
        )
    return _nearest(where, question, vectors[0])


def named_in(query: str, catalog: Sequence[CatalogEntry]) -> tuple[str, ...]:
    """File ids of the APIs that the question names by a word that few others have."""
    names = {entry.file_id: _words(entry.file_id, entry.name) for entry in catalog}
    shared = Counter(word for words in names.values() for word in words)
    asked = {word for word in _words(query) if 0 < shared[word] <= _RARE}
    return tuple(sorted(file_id for file_id, words in names.items() if words & asked))


def _words(*texts: str) -> frozenset[str]:
    words: Iterable[str] = _WORD.findall(" ".join(texts).lower())
    return frozenset(word for word in words if len(word) > 2 and word not in _GENERIC)


def _nearest(where: Filter | None, question: Question, vector: NDArray[np.float32]) -> ListEvidence:
    reach = _reach(question.settings)
    ranking, skipped = scored(question.asked.reader.semantic(vector, limit=reach, where=where))
    flags = {}
    if question.settings.mode != "semantic":
        flags[Flag.NO_LEXICAL_INDEX.value] = (
            "There is no keyword index, so only vectors were searched."
        )
    if skipped:
        flags[Flag.ENTRY_WITHOUT_SCORE.value] = (
            f"{skipped} entries came back without a score and were skipped."
        )
    return ListEvidence(question, vector, where, tuple(single(ranking, SEMANTIC)), flags)


def _reach(settings: Search) -> int:
    """How many entries the reader is asked for."""
    return max(limit_of(settings), min(_MOST, limit_of(settings) * _DEPTH))


def _raise(candidate: Candidate, chunk: Chunk, raised: Mapping[str, Filter]) -> Candidate:
    added = {
        name: candidate.order * BOOST[name]
        for name, where in raised.items()
        if matches(where, chunk)
    }
    if not added:
        return candidate
    order = candidate.order + sum(added.values())
    return replace(candidate, order=order, parts={**candidate.parts, **added})
