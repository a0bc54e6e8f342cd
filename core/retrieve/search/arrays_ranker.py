"""The full recipe, over a read index that scores all of its rows at once.

`gathered` collects what speaks for the rows, `row_order` ranks them, and the score, which
`min_score` reads, says how likely each is an answer, whatever its rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.ranking import best
from core.reasons import Part
from core.retrieve.lookups.api_names import NAMED_FROM
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.homes import Homes
from core.retrieve.reader import ArrayReader, Rows, RowScores, SecondLook, Vectors
from core.retrieve.score.candidate import Candidate
from core.retrieve.score.expansion import Added
from core.retrieve.score.features import of_question, of_rows
from core.retrieve.score.likelihood import likelihood
from core.retrieve.score.parts import named_rows, score_parts
from core.retrieve.score.second_look import Few
from core.retrieve.search.evidence import Choice, limit_of
from core.retrieve.search.gathered import Gathered, gathered, said_of, words_of
from core.retrieve.search.row_order import EXACT, PRODUCER, RowOrder, row_order
from core.retrieve.understand.question import Question
from core.where import Filter

FUSED = Part.FUSED.value

_REACH = 4  # rows that are brought back for each candidate: parts and the hidden fall away


@dataclass(frozen=True, slots=True)
class RowEvidence:
    """What speaks for every row under one filter, clause by clause."""

    gathered: Gathered
    where: Filter | None
    more: RowScores | None = None  # BM25 of the terms that were added, as much as it counts

    @property
    def question(self) -> Question:
        return self.gathered.question

    @property
    def flags(self) -> Mapping[str, str]:
        return {}

    def under(self, where: Filter | None, /) -> RowEvidence:
        if where == self.where:
            return self
        of = self.gathered
        under = gathered(where, of.question, of.reader, of.said, of.few)
        return RowEvidence(under, where)._with(self.more)

    def with_terms(self, added: Sequence[Added], /) -> RowEvidence:
        return self._with(words_of(self.question, self.gathered.reader, added) if added else None)

    def _with(self, more: RowScores | None) -> RowEvidence:
        if more is None:
            return self
        return replace(self, gathered=self.gathered.with_words(more), more=more)

    def apis(self, limit: int, /) -> Choice:
        about, homes = self.gathered.about, derived(Homes, self.gathered.reader)
        totals = homes.each_home(np.max(about.totals, axis=0))
        chosen = best(totals, limit)
        ids = [homes.names[home] for home in chosen.tolist()]
        named = np.flatnonzero(homes.each_home(about.named) > NAMED_FROM)
        return Choice(
            dict(zip(ids, totals[chosen].tolist(), strict=True)),
            tuple(homes.names[home] for home in named.tolist()),
            homes=homes.of_many,
        )

    def ranked(self, raised: Mapping[str, Filter], /) -> list[Candidate]:
        order = row_order(self.gathered, raised)
        rows = best(order.total, limit_of(self.question.settings) * _REACH)
        rows = rows[np.isfinite(order.total[rows]) & _speaks(self.gathered, rows, order)]
        return _candidates(self.gathered, rows, order) if len(rows) else []


def row_evidence(
    question: Question,
    vectors: Vectors | None,
    reader: ArrayReader,
    where: Filter | None,
    second: Vectors | None = None,
) -> RowEvidence:
    """Everything that the read index says; the vectors have a row a clause.

    Without `vectors` words alone rank; without `second` there is no second look. Where its vectors
    are not stored for all rows, it is one at a few rows.
    """
    look = reader.second
    few = None
    if look and second is not None and look.known is not None:
        few, second = _few(question, second, look), None
    said = said_of(question, vectors, second, reader)
    return RowEvidence(gathered(where, question, reader, said, few), where)


def _few(question: Question, second: Vectors, look: SecondLook) -> Few | None:
    asked = [at for at, clause in enumerate(question.clauses) if not clause.is_ours]
    texts = look.texts(question.settings.second_look_ms)
    return Few(look, second[asked], texts, question.asked.deadline) if texts else None


def _speaks(evidence: Gathered, rows: Rows, order: RowOrder) -> NDArray[np.bool_]:
    """Whether more than boosts speaks for a row, which any row may have.

    Where words alone rank that is a word, a name, or giving an id that a row with one needs.
    The words of the search by name are ours: they count where any of the question's is found.
    """
    if any(each.cosine is not None for each in evidence.said):
        return np.ones(len(rows), np.bool_)
    question = evidence.question
    named = question.named
    held = np.isin(rows, (*named.exactly, *named.nearly, *named.called))
    found = [each.words for each in evidence.said if each.words is not None]
    ours = [clause.is_ours for clause in question.clauses]
    is_known = any(w.any() for w, is_ours in zip(found, ours, strict=True) if not is_ours)
    for words, is_ours in zip(found, ours, strict=True):
        if is_known or not is_ours:
            held |= words[rows] > 0
    if PRODUCER in order.parts and held.any():
        held |= order.parts[PRODUCER][rows] > 0
    return held


def _candidates(evidence: Gathered, rows: Rows, order: RowOrder) -> list[Candidate]:
    """The rows with their scores, what these are made of, and what they are ranked by."""
    of, question, reader = evidence, evidence.question, evidence.reader
    features = of_rows(rows, order.earned[rows], of.asked, of.about, reader, of.allowed)
    exact, named = named_rows(question.named, rows), question.named
    likely = likelihood(features, of_question(question, reader), exact)
    shown_by = score_parts(rows, features, of.asked, reader)
    if named.exactly or named.nearly or named.called:
        shown_by[EXACT] = exact
    scores, made_of = likely.scores, likely.shares()
    clauses = np.argmax([scores[rows] for scores in order.clauses], axis=0)
    found = []
    for at, (row, its) in enumerate(zip(rows.tolist(), clauses.tolist(), strict=True)):
        shown = {name: float(values[at]) for name, values in shown_by.items()}
        shown[FUSED] = float(evidence.found[its].fused[row])
        shown |= _added(order, row, its)
        score = {name: float(values[at]) for name, values in made_of.items() if values[at]}
        ranked = float(scores[at]), float(order.total[row])
        found.append(Candidate(reader.ids[row], *ranked, shown, score))
    return found


def _added(order: RowOrder, row: int, clause: int) -> dict[str, float]:
    """By name, what raised a row's rank, or lowered it."""
    by = (*order.boosts[clause].items(), *order.parts.items())
    added = {name: float(values[row]) for name, values in by}
    return {name: value for name, value in added.items() if value}
