"""Everything that a read index says for one question under one filter, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.reader import ArrayReader, Mask, Rows, RowScores, Vectors
from core.retrieve.score.api_evidence import ApiEvidence, api_evidence, breadth
from core.retrieve.score.clause_cosines import ClauseCosines
from core.retrieve.score.evidence import ClauseEvidence, Said, gather
from core.retrieve.score.expansion import Added
from core.retrieve.score.second_look import Few
from core.retrieve.understand.question import Question
from core.where import Filter


@dataclass(frozen=True, slots=True)
class Gathered:
    """What speaks for every row, clause by clause, and for every API."""

    question: Question
    reader: ArrayReader
    said: tuple[Said, ...]  # by clause, of every row, whatever the filter
    allowed: Mask | None  # the rows that pass the filter
    found: tuple[ClauseEvidence, ...]  # by clause, with the terms that were added
    about: ApiEvidence
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


def gathered(
    where: Filter | None,
    question: Question,
    reader: ArrayReader,
    said: tuple[Said, ...],
    few: Few | None = None,
) -> Gathered:
    """What was said of all rows, weighed among those that pass a filter."""
    allowed = None if where is None else reader.mask(where)
    found = _found(question, said, allowed)
    about = api_evidence(reader, question, found, allowed, derived(WordsUsed, reader))
    return Gathered(question, reader, said, allowed, found, about, few)


def said_of(
    question: Question, vectors: Vectors | None, second: Vectors | None, reader: ArrayReader
) -> tuple[Said, ...]:
    """By clause, of every row; the vectors have a row a clause, and None says nothing."""
    nothing: Sequence[None] = [None] * len(question.terms)
    cosines: Sequence[RowScores | None] = nothing
    seconds: Sequence[RowScores | None] = nothing
    words: Sequence[RowScores | None] = nothing
    if vectors is not None:
        cosines = derived(ClauseCosines, reader).of(question, vectors)
    if second is not None and reader.second is not None:
        seconds = list(np.atleast_2d(reader.second.cosines(second)))
    if vectors is None or question.settings.mode != "semantic":
        used, local = derived(WordsUsed, reader), local_share(question, reader)
        words = [used.scores(each, local=local) for each in question.terms]
    return tuple(Said(*each) for each in zip(cosines, seconds, words, strict=True))


def words_of(question: Question, reader: ArrayReader, added: Sequence[Added]) -> RowScores:
    """BM25 of terms that were added, as much as it counts."""
    used, local = derived(WordsUsed, reader), local_share(question, reader)
    more = used.scores([each.term for each in added], local=local)
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
