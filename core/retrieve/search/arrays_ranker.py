"""The full recipe, over a read index that scores all of its rows at once.

Clauses are searched one by one, each raised by its verb, its intent and its API, and brought
together; then come the turns of the clauses, producers of what a good result needs, and what the
question names exactly. A share of it all is the calibrated score, which `min_score` reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.model import OPERATIONS, Where
from core.ranking import best
from core.retrieve.deadline import Deadline
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.reader import ArrayReader, Mask, RowScores, Vectors
from core.retrieve.score.api_evidence import NAMED, ApiEvidence, api_evidence, breadth
from core.retrieve.score.clause_cosines import ClauseCosines
from core.retrieve.score.evidence import Evidence, combined, gather
from core.retrieve.score.expansion import expand, told
from core.retrieve.score.fuse import Candidate
from core.retrieve.score.likelihood import (
    CLOSE,
    EXACT,
    calibrated,
    settled,
    shares,
)
from core.retrieve.score.parts import score_parts
from core.retrieve.score.producers import raise_producers
from core.retrieve.score.verb_boost import verb_boost
from core.retrieve.search.choose_apis import Choice
from core.retrieve.search.lists_ranker import API, INTENT, METHOD
from core.retrieve.understand.question import Question
from core.settings import Settings

FUSED, TURN, PRODUCER = "fused", "turn", "producer"  # names of score parts

CALLED: Where = {"type": {"$in": [*OPERATIONS]}}  # what most questions are after
OVERVIEWS: Where = {"type": "info"}  # what hardly any is

_REACH = 4  # rows that are brought back for each candidate: parts and the hidden fall away
_PART = np.float32(2)  # how much more the verb of a part says: the part was split off at it
_FIRST, _NEARLY = 6.0, 3.0  # what an exact name adds: more than everything else together


@dataclass(frozen=True, slots=True)
class _Gathered:
    """What speaks for every row under one filter, clause by clause."""

    allowed: Mask | None
    found: tuple[Evidence, ...]
    apis: ApiEvidence


@dataclass
class IndexedRanker:
    """Ranks the rows of a read index for one question."""

    question: Question
    vectors: Vectors | None  # a row a clause; None: words alone rank
    reader: ArrayReader
    settings: Settings
    deadline: Deadline
    flags: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    _words: WordsUsed = field(init=False)
    _elements: Elements = field(init=False)
    _asked: list[tuple[Where | None, _Gathered]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._words = derived(WordsUsed, self.reader)
        self._elements = derived(Elements, self.reader)

    @property
    def limit(self) -> int:
        """How many candidates are looked at."""
        return self.settings.max_primary_results * self.settings.overfetch

    def rank(self, where: Where | None, raised: Mapping[str, Where]) -> list[Candidate]:
        """The candidates under a filter, best first; ties by chunk id.

        `raised` are filters by the name of their boost; what passes one is ranked higher.
        """
        gathered = self._expanded(self._gather(where))
        boosts = self._boosts(gathered, raised)
        each = [_raised(e, by) for e, by in zip(gathered.found, boosts, strict=True)]
        weights = [clause.weight for clause in self.question.clauses]
        turn = self.settings.clause_turn
        order, turns = combined(each, weights, gathered.allowed, turn=turn)
        parts = {TURN: turns}
        order = order + turns
        if gathered.allowed is not None:
            order = np.where(gathered.allowed, order, -np.inf)
        if self.settings.producer_share:
            parts[PRODUCER] = raise_producers(self._elements, order, self.settings.producer_share)
            order = order + parts[PRODUCER]
        named = self.question.named
        if named.exactly or named.nearly:
            parts[EXACT] = np.zeros_like(order)
            parts[EXACT][list(named.nearly)] = _NEARLY
            parts[EXACT][list(named.exactly)] = _FIRST
            order = order + parts[EXACT]
        return self._candidates(order, parts, gathered, boosts, each)

    def choose(self, where: Where | None) -> Choice | None:
        """The `api_selection_max` best APIs; None when nothing speaks for any."""
        apis = self._gather(where).apis
        totals = np.max(apis.totals, axis=0)
        files = best(totals, self.settings.api_selection_max)
        ids = [self.reader.files[file].source_file for file in files.tolist()]
        named = np.flatnonzero(apis.named > NAMED)
        return Choice(
            dict(zip(ids, totals[files].tolist(), strict=True)),
            tuple(self.reader.files[file].source_file for file in named.tolist()),
        )

    @property
    def query(self) -> str:
        return self.question.text

    @property
    def _local(self) -> float:
        """How much a word's rarity inside its API counts: nothing where there is one API."""
        return self.settings.local_idf * breadth(self.reader)

    @cached_property
    def _scores(self) -> tuple[tuple[RowScores | None, RowScores | None], ...]:
        """By clause: cosine and BM25 of every row, whatever the filter."""
        settings, terms = self.settings, self.question.terms
        cosines: Sequence[RowScores | None] = [None] * len(terms)
        if self.vectors is not None:
            cosines = list(derived(ClauseCosines, self.reader).of(self.question, self.vectors))
            if settings.mode == "semantic":
                return tuple((cosine, None) for cosine in cosines)
        words = [self._words.scores(each, local=self._local) for each in terms]
        return tuple(zip(cosines, words, strict=True))

    def _gather(self, where: Where | None) -> _Gathered:
        for asked, gathered in self._asked:
            if asked == where:
                return gathered
        gathered = self._gathered(where)
        self._asked.append((where, gathered))
        return gathered

    def _gathered(self, where: Where | None) -> _Gathered:
        allowed = None if where is None else self.reader.mask(where)
        found = tuple(
            gather(terms, *scores, allowed, self.settings)
            for terms, scores in zip(self.question.terms, self._scores, strict=True)
        )
        apis = api_evidence(self.reader, self.question, found, allowed, self._words)
        return _Gathered(allowed, found, apis)

    def _expanded(self, gathered: _Gathered) -> _Gathered:
        """With terms that the chosen APIs use; notes say which, and where each is from."""
        share, settings = np.float32(self.settings.expansion), self.settings
        if not share or settings.mode == "semantic":
            return gathered
        files = best(np.max(gathered.apis.totals, axis=0), settings.api_selection_max).tolist()
        added = expand(self.question.terms[0], files, self.reader, self._words)
        if not added:
            return gathered
        note = told(added)
        self.notes += [] if note in self.notes else [note]
        more = share * self._words.scores([each.term for each in added], local=self._local)
        found = tuple(
            gather(e.terms, e.cosine, words + more, gathered.allowed, settings)
            for e, (_, words) in zip(gathered.found, self._scores, strict=True)
            if words is not None
        )
        return _Gathered(gathered.allowed, found, gathered.apis)

    def _speaks(self, rows: NDArray[np.intp], parts: Mapping[str, RowScores]) -> NDArray[np.bool_]:
        """Whether more than boosts speaks for a row, which any row may have.

        Where words alone rank that is a word, a name, or giving an id that a row with one needs.
        The words of the search by name are ours: they count where any of the question's is found.
        """
        if self.vectors is not None:
            return np.ones(len(rows), np.bool_)
        named = self.question.named
        held = np.isin(rows, (*named.exactly, *named.nearly))
        scored = [w for _, w in self._scores if w is not None]
        ours = [clause.is_ours for clause in self.question.clauses]
        is_known = any(w.any() for w, is_ours in zip(scored, ours, strict=True) if not is_ours)
        for words, is_ours in zip(scored, ours, strict=True):
            if is_known or not is_ours:
                held |= words[rows] > 0
        if PRODUCER in parts and held.any():
            held |= parts[PRODUCER][rows] > 0
        return held

    def _boosts(
        self, gathered: _Gathered, raised: Mapping[str, Where]
    ) -> list[dict[str, RowScores]]:
        """By clause: what is added to its scores, by name."""
        settings = self.settings
        shared: dict[str, RowScores] = {}
        if settings.intent_filter == "soft":
            fits = np.float32(1) * self.reader.mask(raised.get(INTENT, CALLED))
            shared[INTENT] = np.float32(settings.intent_boost) * (
                fits - self.reader.mask(OVERVIEWS)
            )
        found = []
        for at, clause in enumerate(self.question.clauses):
            boosts = dict(shared)
            if settings.verb_boost:
                surer = _PART if at else 1
                boosts[METHOD] = surer * verb_boost(
                    clause.text.lower(), gathered.found[at].fused, self.reader, settings.verb_boost
                )
            if settings.api_filter == "soft":
                total = gathered.apis.totals[at] * np.float32(settings.api_boost)
                boosts[API] = np.repeat(total, np.diff(self.reader.bounds))
            if clause.is_ours:
                boosts[INTENT] = np.float32(1) * self.reader.mask(CALLED) - 1
            found.append(boosts)
        return found

    def _candidates(
        self,
        order: RowScores,
        parts: Mapping[str, RowScores],
        gathered: _Gathered,
        boosts: Sequence[Mapping[str, RowScores]],
        raised: Sequence[RowScores],
    ) -> list[Candidate]:
        rows = best(order, self.limit * _REACH)
        rows = rows[np.isfinite(order[rows]) & self._speaks(rows, parts)]
        clause = np.argmax([scores[rows] for scores in raised], axis=0)
        evidence = score_parts(rows, gathered.found, gathered.apis, self.question, self.reader)
        earned = (order - parts[EXACT] if EXACT in parts else order)[rows]
        evidence[CLOSE] = np.maximum(0, 1 - (earned.max(initial=0) - earned))
        known: Any = {
            "apis": len(self.reader.files),
            "strange": self.question.strangeness,
            "embedder": self.settings.embedder,
        }
        scores = settled(calibrated(evidence, **known))
        made_of = shares(evidence, scores, **known)
        found = []
        for at, (row, its) in enumerate(zip(rows.tolist(), clause.tolist(), strict=True)):
            shown = {name: float(values[at]) for name, values in evidence.items()}
            shown[FUSED] = float(gathered.found[its].fused[row])
            added = {name: float(v[row]) for name, v in (*boosts[its].items(), *parts.items())}
            shown |= {name: value for name, value in added.items() if value}
            score = {name: float(values[at]) for name, values in made_of.items() if values[at]}
            ranked = float(scores[at]), float(order[row])
            found.append(Candidate(self.reader.ids[row], *ranked, shown, score))
        return found


def _raised(evidence: Evidence, boosts: Mapping[str, RowScores]) -> RowScores:
    total: RowScores = sum(boosts.values(), evidence.fused)
    return total
