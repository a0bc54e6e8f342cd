"""How well many questions match many rows at once, by the recipe of the search's first look.

Vectors and words are fused by the settings' weights, and what fits the intent, the verb and the
API is raised, as `core.retrieve.search.row_order` does for one question. The row that a question is
made from is matched without the field that it repeats.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.lexical import K1, B
from core.index.snapshot.snapshot import Snapshot
from core.model import OPERATIONS
from core.retrieve.lookups.api_names import ApiNames
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.vocabulary import Vocabulary
from core.retrieve.reader import FileScores, RowScores
from core.retrieve.score.api_evidence import ABOUT, BEST, NAME, WORDS, breadth
from core.retrieve.score.candidate import weights_of
from core.retrieve.understand.spelling import meant
from core.retrieve.understand.verbs import leading_verb, suggested_methods
from core.settings import Settings
from core.text.words import index_terms, query_terms, terms
from core.where import Op, Test, parse

Scores = NDArray[np.float32]  # (questions, rows)

_CALLED = parse({"type": {"$in": [*OPERATIONS]}})
_COMPONENTS = parse({"type": "component"})
_OVERVIEWS = parse({"type": "info"})
_KEPT = 256  # arrays of a number a row


@dataclass(frozen=True, slots=True)
class Posed:
    """A question that is put to rows, and the row that it is made from, without the field."""

    text: str
    terms: tuple[str, ...]
    is_schema: bool
    row: int
    vector: RowScores  # (dimensions,), of the question
    lean: RowScores  # (dimensions,), of the row without the field
    counts: Mapping[str, int]  # of the terms in it
    length: int  # of all its terms


class Matched:
    """The rows of one snapshot; safe to share between threads."""

    def __init__(self, reader: Snapshot, settings: Settings) -> None:
        self.reader, self.settings = reader, settings
        self._local = settings.local_idf * breadth(reader)
        self._names = derived(ApiNames, reader)
        self._sizes, self._bounds = np.diff(reader.bounds), reader.bounds.tolist()
        self._average = float(reader.lexicon.lengths.mean()) if len(reader) else 1.0
        self._posted = lru_cache(None)(self._look_up)
        self._boost = lru_cache(_KEPT)(self._boosts)
        self._meant = lru_cache(None)(self._correction)
        self.vector_weight, self.keyword_weight = _weights(settings)

    @cached_property
    def _fits(self) -> dict[bool, RowScores]:
        """What the intent raises, for operations and for schemas."""
        overview = self.reader.mask(_OVERVIEWS)
        boost = np.float32(self.settings.intent_boost)
        if not self.settings.query_analysis or self.settings.intent_filter == "off":
            boost = np.float32(0)
        kinds = {False: _CALLED, True: _COMPONENTS}
        return {
            is_schema: boost * (np.float32(1) * self.reader.mask(where) - overview)
            for is_schema, where in kinds.items()
        }

    def terms_of(self, text: str) -> tuple[str, ...]:
        """Of a question, with what its misspelt words mean where the settings correct these."""
        found = query_terms(text)
        if not self.settings.spelling:
            return found
        right = (self._meant(word) for word in text.split() if word.isalpha())
        return tuple(dict.fromkeys((*found, *filter(None, right))))

    def _correction(self, word: str) -> str:
        return next(iter(meant(word, derived(Vocabulary, self.reader)).values()), "")

    def rarity(self, term: str) -> float:
        """Over the whole store; 0 where no row holds it."""
        posted = self._posted(term)
        return posted.overall if posted else 0.0

    def within(self, file: int, asked: Sequence[Posed]) -> Scores:
        """(questions, rows of the file): the scores where this API alone is searched."""
        rows = slice(*self.reader.bounds[file : file + 2].tolist())
        return self._boosted(self._fused(asked, rows), asked, rows)

    def everywhere(self, asked: Sequence[Posed]) -> Scores:
        """(questions, rows): the scores where all APIs are searched."""
        rows = slice(0, len(self.reader))
        fused = self._fused(asked, rows)
        apis = self._apis(asked, fused) if self.settings.api_filter == "soft" else None
        total = self._boosted(fused, asked, rows)
        if apis is not None:
            for scores, more in zip(total, apis, strict=True):
                scores += np.repeat(more, self._sizes)
        return total

    def _fused(self, asked: Sequence[Posed], rows: slice) -> Scores:
        if not self.vector_weight:
            return _scaled(self._words(asked, rows), self.keyword_weight)
        fused = _scaled(self._cosines(asked, rows), self.vector_weight)
        if self.keyword_weight:
            fused += _scaled(self._words(asked, rows), self.keyword_weight)
        return fused

    def _boosted(self, fused: Scores, asked: Sequence[Posed], rows: slice) -> Scores:
        for scores, each in zip(fused, asked, strict=True):
            scores += self._boost(each.is_schema, leading_verb(each.text.lower()))[rows]
        return fused

    def _cosines(self, asked: Sequence[Posed], rows: slice) -> Scores:
        cosines = np.stack([each.vector for each in asked]) @ self.reader.vectors[rows].T
        for at, each in enumerate(asked):
            cosines[at, each.row - rows.start] = each.vector @ each.lean
        return cosines

    def _words(self, asked: Sequence[Posed], rows: slice) -> Scores:
        scores = np.zeros((len(asked), rows.stop - rows.start), np.float32)
        slices = {
            term: posted.inside(rows)
            for term in {term for each in asked for term in each.terms}
            if (posted := self._posted(term))
        }
        for at, each in enumerate(asked):
            mine = scores[at]
            for term in each.terms:
                if term in slices:
                    places, added = slices[term]
                    mine[places] += added
            mine[each.row - rows.start] = self._own_words(each)
        return scores

    def _own_words(self, each: Posed) -> float:
        """BM25 of the row without the field."""
        file = bisect_right(self._bounds, each.row) - 1
        norm = K1 * (1 - B + B * each.length / self._average)
        total = 0.0
        for term in each.terms:
            if (count := each.counts.get(term, 0)) and (posted := self._posted(term)):
                total += count * (K1 + 1) / (count + norm) * float(posted.rarity[file])
        return total

    def _look_up(self, term: str) -> _Posted | None:
        posted = self.reader.lexicon.postings(term)
        if posted is None:
            return None
        held = np.diff(np.searchsorted(posted.rows, self.reader.bounds))
        near = np.log1p((self._sizes - held + 0.5) / (held + 0.5))
        overall = self.reader.lexicon.idf(len(posted.rows))
        rarity = ((1 - self._local) * overall + self._local * near).astype(np.float32)
        users = np.count_nonzero(held)
        among = math.log1p((len(held) - users + 0.5) / (users + 0.5))
        home = (among * np.sqrt(held / np.maximum(self._sizes, 1))).astype(np.float32)
        added = posted.impact * np.repeat(rarity, held)
        return _Posted(posted.rows, added, rarity, overall, among, home)

    def _boosts(self, is_schema: bool, verb: str) -> RowScores:
        """What the intent and the verb raise."""
        return self._fits[is_schema] + self._raised_by_verb(verb)

    def _raised_by_verb(self, verb: str) -> RowScores:
        """What a leading verb raises, thrice where the path ends with it."""
        methods = suggested_methods(verb)
        boost = np.float32(self.settings.verb_boost)
        if not methods or not boost:
            return np.zeros(len(self.reader), np.float32)
        raised = boost * self.reader.mask(Test("method", Op.IN, tuple(methods)))
        ending = self._by_last_term.get(next(iter(terms(verb)), ""), ())
        for row in ending:
            raised[row] *= 3
        return raised

    @cached_property
    def _by_last_term(self) -> Mapping[str, Sequence[int]]:
        elements, found = derived(Elements, self.reader), dict[str, list[int]]()
        for file in range(len(self._sizes)):
            for operation in elements.operations(file):
                for term in index_terms(operation.last_word):
                    found.setdefault(term, []).append(operation.row)
        return found

    def _apis(self, asked: Sequence[Posed], fused: Scores) -> Scores:
        """(questions, files): what speaks for each API."""
        best = np.maximum.reduceat(fused, self.reader.bounds[:-1], axis=1)
        homes = np.stack([self._home(each.terms) for each in asked])
        names = np.stack([self._names.scores(each.text, each.terms) for each in asked])
        totals = BEST * _share(best) + NAME * names + WORDS * _share(homes)
        if self.vector_weight:
            about = self.reader.vectors[derived(Elements, self.reader).descriptions]
            totals += _scaled(np.stack([each.vector for each in asked]) @ about.T, ABOUT)
        weight = np.float32(breadth(self.reader) ** 2 * self.settings.api_boost)
        scores: Scores = (weight * totals).astype(np.float32)
        return scores

    def _home(self, terms: Sequence[str]) -> FileScores:
        """By file: how much it is about the terms, as `WordsUsed.by_file` says."""
        files = len(self._sizes)
        total, possible = np.zeros(files, np.float32), 0.0
        for term in terms:
            if posted := self._posted(term):
                total += posted.home
                possible += posted.among_files
            else:
                possible += math.log1p((files + 0.5) / 0.5)
        return total / np.float32(max(possible, 1e-9))


@dataclass(frozen=True, slots=True)
class _Posted:
    """The rows of a term with what it adds to each, and its rarity by file."""

    rows: NDArray[np.int32]
    added: RowScores
    rarity: FileScores
    overall: float  # its rarity in the whole store
    among_files: float  # its rarity where files are counted, not rows
    home: FileScores  # what it adds to how much a file is about a question

    def inside(self, rows: slice) -> tuple[NDArray[np.int32], RowScores]:
        first, last = np.searchsorted(self.rows, (rows.start, rows.stop))
        return self.rows[first:last] - np.int32(rows.start), self.added[first:last]


def counted_terms(text: str, wanted: frozenset[str]) -> tuple[dict[str, int], int]:
    """How often a text has each wanted term, and how many terms it has."""
    counts = Counter(index_terms(text))
    return {term: counts[term] for term in wanted if term in counts}, counts.total()


def _weights(settings: Settings) -> tuple[float, float]:
    alone = {"semantic": (1.0, 0.0), "exact": (0.0, 1.0)}
    return alone.get(settings.mode) or weights_of(settings)


def _scaled(scores: Scores, weight: float) -> Scores:
    """Each question's from 0 for its least to the weight for its most, in place."""
    low, high = (f(scores, axis=1, keepdims=True) for f in (np.min, np.max))
    spread = np.where(high > low, high - low, np.float32(np.inf))
    scores -= low
    scores *= np.float32(weight) / spread
    return scores


def _share(scores: Scores) -> Scores:
    most = scores.max(axis=1, keepdims=True)
    shares: Scores = np.divide(scores, most, out=np.zeros_like(scores), where=most > 0)
    return shares
