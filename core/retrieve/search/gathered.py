"""Everything that a read index says for one question under one filter, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.ranking import leading
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.reader import ArrayReader, Mask, Rows, RowScores, Vectors
from core.retrieve.score.api_evidence import ApiEvidence, api_evidence, breadth
from core.retrieve.score.clause_cosines import ClauseCosines, Cosines
from core.retrieve.score.evidence import ClauseEvidence, Said, gather
from core.retrieve.score.expansion import Added
from core.retrieve.score.second_look import Few
from core.retrieve.understand.question import Question
from core.where import Filter

_FUSED = 200  # rows of a clause, the best of every API that may be meant among them


@dataclass(frozen=True, slots=True)
class Gathered:
    """What speaks for every row, clause by clause, and for every API."""

    question: Question
    reader: ArrayReader
    said: tuple[Said, ...]  # by clause, of every row, whatever the filter
    allowed: Mask | None  # the rows that pass the filter
    found: tuple[ClauseEvidence, ...]  # by clause, with the terms that were added
    about: ApiEvidence
    cosines: Cosines | None = None  # those of `said`; None: words alone rank
    few: Few | None = None  # the second look, where it is made now

    @property
    def asked(self) -> tuple[ClauseEvidence, ...]:
        """By clause of the question, the whole first: without the search by name, which is ours."""
        clauses = zip(self.found, self.question.clauses, strict=True)
        return tuple(found for found, clause in clauses if not clause.is_ours)

    def files(self, rows: Rows) -> Rows:
        """The number of each row's file."""
        return derived(Elements, self.reader).file_of_row[rows].astype(np.intp)

    def with_words(self, more: RowScores) -> Gathered:
        """The same where more BM25 counts; what speaks for the APIs stays."""
        said = [s if s.words is None else replace(s, words=s.words + more) for s in self.said]
        return replace(self, found=_found(self.question, said, self.allowed))

    def seen(self, scores: RowScores) -> RowScores:
        """Scores of all rows, -inf for those that a filter hides."""
        return _seen(scores, self.allowed)

    def settle(self, rows: Rows) -> None:
        """Let what the vectors say of some rows be exact."""
        if self.cosines:
            _settle(self.found, self.cosines, rows)


def gathered(
    where: Filter | None,
    question: Question,
    reader: ArrayReader,
    said: tuple[Said, ...],
    cosines: Cosines | None = None,
    few: Few | None = None,
) -> Gathered:
    """What was said of all rows, weighed among those that pass a filter."""
    allowed = None if where is None else reader.mask(where)
    if cosines:
        ends, descriptions = cosines.ends(allowed), derived(Elements, reader).descriptions
        cosines.settle(np.concatenate([ends, descriptions]))
    found = _found(question, said, allowed)
    if cosines:
        best = [leading(_seen(each.fused, allowed), _FUSED) for each in found]
        _settle(found, cosines, np.concatenate(best))
    about = api_evidence(reader, question, found, allowed, derived(WordsUsed, reader))
    return Gathered(question, reader, said, allowed, found, about, cosines, few)


def cosines_of(question: Question, vectors: Vectors | None, reader: ArrayReader) -> Cosines | None:
    """Of every row with each clause; None without `vectors`, which have a row a clause."""
    return None if vectors is None else derived(ClauseCosines, reader).of(question, vectors)


def said_of(
    question: Question,
    cosines: Cosines | None,
    second: Vectors | None,
    reader: ArrayReader,
    written: Sequence[RowScores] | None = None,
) -> tuple[Said, ...]:
    """By clause, of every row; the second vectors have a row a clause, and None says nothing."""
    nothing: Sequence[None] = [None] * len(question.terms)
    seconds: Sequence[RowScores | None] = nothing
    words: Sequence[RowScores | None] = nothing
    if second is not None and reader.second is not None:
        seconds = derived(ClauseCosines, reader).second(question, second, reader.second)
    if cosines is None or question.settings.mode != "semantic":
        used, local = derived(WordsUsed, reader), local_share(question, reader)
        words = used.scores(question.terms, local=local)
    each = cosines.each if cosines else nothing
    return tuple(Said(*one) for one in zip(each, seconds, words, written or nothing, strict=True))


def _settle(found: Sequence[ClauseEvidence], cosines: Cosines, rows: Rows) -> None:
    """Make the cosines of some rows exact, and what was fused of them."""
    rows, more = cosines.settle(rows)
    for evidence, added in zip(found, more, strict=True):
        if evidence.steepness:
            evidence.fused[rows] += np.float32(evidence.steepness) * added  # twice the same: once


def _seen(scores: RowScores, allowed: Mask | None) -> RowScores:
    return scores if allowed is None else np.where(allowed, scores, np.float32(-np.inf))


def words_of(question: Question, reader: ArrayReader, added: Sequence[Added]) -> RowScores:
    """BM25 of terms that were added, as much as it counts."""
    used, local = derived(WordsUsed, reader), local_share(question, reader)
    (more,) = used.scores([[each.term for each in added]], local=local)
    return np.float32(question.settings.expansion) * more


def local_share(question: Question, reader: ArrayReader) -> float:
    """How much a word's rarity inside its API counts: nothing where there is one API."""
    return question.settings.local_idf * breadth(reader)


def _found(
    question: Question, said: Sequence[Said], allowed: Mask | None
) -> tuple[ClauseEvidence, ...]:
    return tuple(
        gather(terms, each, allowed, question.settings)
        for terms, each in zip(question.terms, said, strict=True)
    )
