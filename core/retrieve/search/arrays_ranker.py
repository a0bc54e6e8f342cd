"""The full recipe, over a read index that scores all of its rows at once.

Clauses are searched one by one, each raised by its verb, its intent and its API, and brought
together; then come the turns of the clauses, producers of what a good result needs, and what the
question names exactly. A share of it all is the calibrated score, which `min_score` reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.model import OPERATIONS
from core.ranking import best
from core.reasons import Part
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.reader import ArrayReader, Mask, RowScores, Vectors
from core.retrieve.score.api_evidence import NAMED_FROM, ApiEvidence, api_evidence, breadth
from core.retrieve.score.candidate import Candidate
from core.retrieve.score.clause_cosines import ClauseCosines
from core.retrieve.score.evidence import ClauseEvidence, combined, gather
from core.retrieve.score.expansion import Added
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
from core.retrieve.search.evidence import Choice, limit_of
from core.retrieve.search.lists_ranker import API, INTENT, METHOD
from core.retrieve.understand.question import Question
from core.where import Filter, parse

FUSED, TURN, PRODUCER = Part.FUSED.value, Part.TURN.value, Part.PRODUCER.value

CALLED = parse({"type": {"$in": [*OPERATIONS]}})  # what most questions are after
OVERVIEWS = parse({"type": "info"})  # what hardly any is

_REACH = 4  # rows that are brought back for each candidate: parts and the hidden fall away
_PART = np.float32(2)  # how much more the verb of a part says: the part was split off at it
_FIRST, _NEARLY = 6.0, 3.0  # what an exact name adds: more than everything else together


ClauseScores = tuple[RowScores | None, RowScores | None]  # cosine and BM25; None: not searched


@dataclass(frozen=True, slots=True)
class RowEvidence:
    """What speaks for every row under one filter, clause by clause."""

    question: Question
    reader: ArrayReader
    scores: tuple[ClauseScores, ...]  # by clause, of every row, whatever the filter
    where: Filter | None
    allowed: Mask | None  # the rows that pass it
    found: tuple[ClauseEvidence, ...]  # by clause, with the terms that were added
    about: ApiEvidence
    more: RowScores | None = None  # BM25 of the terms that were added, as much as it counts

    @property
    def flags(self) -> Mapping[str, str]:
        return {}

    def under(self, where: Filter | None, /) -> RowEvidence:
        if where == self.where:
            return self
        return _under(where, self.question, self.reader, self.scores)._with(self.more)

    def with_terms(self, added: Sequence[Added], /) -> RowEvidence:
        if not added:
            return self
        used, local = derived(WordsUsed, self.reader), _local(self.question, self.reader)
        more = used.scores([each.term for each in added], local=local)
        return self._with(np.float32(self.question.settings.expansion) * more)

    def _with(self, more: RowScores | None) -> RowEvidence:
        if more is None:
            return self
        scores = [(cosine, None if bm25 is None else bm25 + more) for cosine, bm25 in self.scores]
        return replace(self, found=_fused(self.question, scores, self.allowed), more=more)

    def apis(self, limit: int, /) -> Choice:
        totals = np.max(self.about.totals, axis=0)
        files = best(totals, limit)
        ids = [self.reader.files[file].source_file for file in files.tolist()]
        named = np.flatnonzero(self.about.named > NAMED_FROM)
        return Choice(
            dict(zip(ids, totals[files].tolist(), strict=True)),
            tuple(self.reader.files[file].source_file for file in named.tolist()),
        )

    def ranked(self, raised: Mapping[str, Filter], /) -> list[Candidate]:
        boosts = _boosts(self, raised)
        each = [_raised(e, by) for e, by in zip(self.found, boosts, strict=True)]
        order, parts = _order(self, each)
        return _candidates(self, order, parts, boosts, each)


def row_evidence(
    question: Question, vectors: Vectors | None, reader: ArrayReader, where: Filter | None
) -> RowEvidence:
    """Everything that the read index says; `vectors` has a row a clause, None: words alone rank."""
    return _under(where, question, reader, _scores(question, vectors, reader))


def _local(question: Question, reader: ArrayReader) -> float:
    """How much a word's rarity inside its API counts: nothing where there is one API."""
    return question.settings.local_idf * breadth(reader)


def _scores(
    question: Question, vectors: Vectors | None, reader: ArrayReader
) -> tuple[ClauseScores, ...]:
    cosines: Sequence[RowScores | None] = [None] * len(question.terms)
    if vectors is not None:
        cosines = derived(ClauseCosines, reader).of(question, vectors)
        if question.settings.mode == "semantic":
            return tuple((cosine, None) for cosine in cosines)
    used, local = derived(WordsUsed, reader), _local(question, reader)
    words = [used.scores(each, local=local) for each in question.terms]
    return tuple(zip(cosines, words, strict=True))


def _under(
    where: Filter | None, question: Question, reader: ArrayReader, scores: tuple[ClauseScores, ...]
) -> RowEvidence:
    allowed = None if where is None else reader.mask(where)
    found = _fused(question, scores, allowed)
    about = api_evidence(reader, question, found, allowed, derived(WordsUsed, reader))
    return RowEvidence(question, reader, scores, where, allowed, found, about)


def _fused(
    question: Question, scores: Sequence[ClauseScores], allowed: Mask | None
) -> tuple[ClauseEvidence, ...]:
    return tuple(
        gather(terms, cosine, words, allowed, question.settings)
        for terms, (cosine, words) in zip(question.terms, scores, strict=True)
    )


def _order(
    evidence: RowEvidence, each: Sequence[RowScores]
) -> tuple[RowScores, dict[str, RowScores]]:
    """What the rows are ranked by, and what was added to it beside the clauses, by name."""
    question, settings = evidence.question, evidence.question.settings
    weights = [clause.weight for clause in question.clauses]
    order, turns = combined(each, weights, evidence.allowed, turn=settings.clause_turn)
    parts = {TURN: turns}
    order = order + turns
    if evidence.allowed is not None:
        order = np.where(evidence.allowed, order, -np.inf)
    if settings.producer_share:
        elements = derived(Elements, evidence.reader)
        parts[PRODUCER] = raise_producers(elements, order, settings.producer_share)
        order = order + parts[PRODUCER]
    named = question.named
    if named.exactly or named.nearly:
        parts[EXACT] = np.zeros_like(order)
        parts[EXACT][list(named.nearly)] = _NEARLY
        parts[EXACT][list(named.exactly)] = _FIRST
        order = order + parts[EXACT]
    return order, parts


def _speaks(
    evidence: RowEvidence, rows: NDArray[np.intp], parts: Mapping[str, RowScores]
) -> NDArray[np.bool_]:
    """Whether more than boosts speaks for a row, which any row may have.

    Where words alone rank that is a word, a name, or giving an id that a row with one needs.
    The words of the search by name are ours: they count where any of the question's is found.
    """
    question = evidence.question
    if any(cosine is not None for cosine, _ in evidence.scores):
        return np.ones(len(rows), np.bool_)
    named = question.named
    held = np.isin(rows, (*named.exactly, *named.nearly))
    scored = [words for _, words in evidence.scores if words is not None]
    ours = [clause.is_ours for clause in question.clauses]
    is_known = any(w.any() for w, is_ours in zip(scored, ours, strict=True) if not is_ours)
    for words, is_ours in zip(scored, ours, strict=True):
        if is_known or not is_ours:
            held |= words[rows] > 0
    if PRODUCER in parts and held.any():
        held |= parts[PRODUCER][rows] > 0
    return held


def _boosts(evidence: RowEvidence, raised: Mapping[str, Filter]) -> list[dict[str, RowScores]]:
    """By clause: what is added to its scores, by name."""
    question, reader = evidence.question, evidence.reader
    settings = question.settings
    shared: dict[str, RowScores] = {}
    if settings.intent_filter == "soft":
        fits = np.float32(1) * reader.mask(raised.get(INTENT, CALLED))
        shared[INTENT] = np.float32(settings.intent_boost) * (fits - reader.mask(OVERVIEWS))
    found = []
    for at, clause in enumerate(question.clauses):
        boosts = dict(shared)
        if settings.verb_boost:
            surer = _PART if at else 1
            boosts[METHOD] = surer * verb_boost(
                clause.text.lower(), evidence.found[at].fused, reader, settings.verb_boost
            )
        if settings.api_filter == "soft":
            total = evidence.about.totals[at] * np.float32(settings.api_boost)
            boosts[API] = np.repeat(total, np.diff(reader.bounds))
        if clause.is_ours:
            boosts[INTENT] = np.float32(1) * reader.mask(CALLED) - 1
        found.append(boosts)
    return found


def _candidates(
    evidence: RowEvidence,
    order: RowScores,
    parts: Mapping[str, RowScores],
    boosts: Sequence[Mapping[str, RowScores]],
    raised: Sequence[RowScores],
) -> list[Candidate]:
    question, reader = evidence.question, evidence.reader
    rows = best(order, limit_of(question.settings) * _REACH)
    rows = rows[np.isfinite(order[rows]) & _speaks(evidence, rows, parts)]
    clause = np.argmax([scores[rows] for scores in raised], axis=0)
    shown_by = score_parts(rows, evidence.found, evidence.about, question, reader)
    earned = (order - parts[EXACT] if EXACT in parts else order)[rows]
    shown_by[CLOSE] = np.maximum(0, 1 - (earned.max(initial=0) - earned))
    known: Any = {
        "apis": len(reader.files),
        "strange": question.strangeness,
        "embedder": question.settings.embedder,
    }
    scores = settled(calibrated(shown_by, **known))
    made_of = shares(shown_by, scores, **known)
    found = []
    for at, (row, its) in enumerate(zip(rows.tolist(), clause.tolist(), strict=True)):
        shown = {name: float(values[at]) for name, values in shown_by.items()}
        shown[FUSED] = float(evidence.found[its].fused[row])
        added = {name: float(v[row]) for name, v in (*boosts[its].items(), *parts.items())}
        shown |= {name: value for name, value in added.items() if value}
        score = {name: float(values[at]) for name, values in made_of.items() if values[at]}
        ranked = float(scores[at]), float(order[row])
        found.append(Candidate(reader.ids[row], *ranked, shown, score))
    return found


def _raised(evidence: ClauseEvidence, boosts: Mapping[str, RowScores]) -> RowScores:
    total: RowScores = sum(boosts.values(), evidence.fused)
    return total
