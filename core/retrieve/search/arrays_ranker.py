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
from core.retrieve.score import written
from core.retrieve.score.api_evidence import breadth, breadth_of
from core.retrieve.score.candidate import Candidate
from core.retrieve.score.expansion import Added
from core.retrieve.score.features import of_question, of_rows
from core.retrieve.score.likelihood import likelihood
from core.retrieve.score.parts import named_rows, score_parts
from core.retrieve.score.second_look import Few
from core.retrieve.score.standing import standing
from core.retrieve.search.evidence import Choice, limit_of
from core.retrieve.search.gathered import Gathered, cosines_of, gathered, said_of, words_of
from core.retrieve.search.lists_ranker import API, INTENT, METHOD
from core.retrieve.search.ranked import Ranked
from core.retrieve.search.row_order import (
    EXACT,
    NEAR_WRITTEN,
    PRODUCER,
    RowOrder,
    row_order,
)
from core.retrieve.search.share_out import Kinds, evidence, shared_out
from core.retrieve.understand.question import Question
from core.where import Filter, every

FUSED = Part.FUSED.value

_LEVEL = 0.8  # of the first API's evidence; from here on the first is right in half the questions
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
        under = gathered(where, of.question, of.reader, of.said, of.cosines, of.few)
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
        scores = dict(zip(ids, totals[chosen].tolist(), strict=True))
        return Choice(
            scores,
            tuple(homes.names[home] for home in named.tolist()),
            homes=homes.of_many,
            level=() if len(named) else self._level(scores, homes),
        )

    def _level(self, scores: Mapping[str, float], homes: Homes) -> tuple[str, ...]:
        """APIs with about as much evidence as the first; none where a question has parts, which
        may be about several."""
        most = max(scores.values(), default=0.0)
        near = tuple(name for name, score in scores.items() if score >= _LEVEL * most > 0)
        is_one = len(self.gathered.asked) == 1 and homes.of_many.keys().isdisjoint(near)
        return near if is_one and len(near) > 1 else ()

    def ranked(self, raised: Mapping[str, Filter], /) -> Sequence[Candidate]:
        reader = self.gathered.reader
        kinds = derived(Kinds, reader).among(self.gathered.allowed)
        if len(kinds) < 2:
            return self._ranked(raised, breadth(reader))
        part = self._part(len(kinds))
        each = [
            part.under(every(self.where, kind.where))._ranked(raised, breadth_of(kind.homes))
            for kind in kinds.values()
        ]
        of_code, spread = float(np.log(self.question.settings.doc_code_weight)), self._spread
        odds = [
            evidence(of.scores, of.shown, spread) + (of_code if name == "code" else 0)
            for name, of in zip(kinds, each, strict=True)
        ]
        return shared_out(each, [kind.rows for kind in kinds.values()], odds)

    def _part(self, parts: int) -> RowEvidence:
        """With its part of the texts that a second look may embed for the question."""
        few = self.gathered.few
        if few is None:
            return self
        less = replace(few, texts=max(1, few.texts // parts))
        return replace(self, gathered=replace(self.gathered, few=less))

    @property
    def _spread(self) -> float:
        """Of the cosines with the whole question, by the better model."""
        whole, allowed = self.gathered.asked[0].said, self.gathered.allowed
        cosines = whole.cosine if whole.second is None else whole.second
        return 1.0 if cosines is None else standing(cosines, allowed).spread

    def _ranked(self, raised: Mapping[str, Filter], wide: float) -> Ranked:
        order = row_order(self.gathered, raised)
        rows = best(order.total, limit_of(self.question.settings) * _REACH)
        rows = rows[np.isfinite(order.total[rows]) & _speaks(self.gathered, rows, order)]
        self.gathered.settle(rows)
        return _ranked(self.gathered, rows, order, wide)


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
    cosines = cosines_of(question, vectors, reader)
    near = written.cosines(reader, vectors, question.settings)
    said = said_of(question, cosines, second, reader, near)
    return RowEvidence(gathered(where, question, reader, said, cosines, few), where)


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


def _ranked(evidence: Gathered, rows: Rows, order: RowOrder, wide: float) -> Ranked:
    """The rows with their scores, what these are made of, and what they are ranked by."""
    of, question, reader = evidence, evidence.question, evidence.reader
    features = of_rows(rows, order.earned(rows), of.asked, of.about, reader, of.allowed, wide)
    exact, named = named_rows(question.named, rows), question.named
    near = order.parts[NEAR_WRITTEN][rows] if NEAR_WRITTEN in order.parts else None
    likely = likelihood(features, of_question(question, wide), exact, near)
    shown = score_parts(rows, features, of.asked, reader)
    if named.exactly or named.nearly or named.called:
        shown[EXACT] = exact
    clauses = np.argmax([scores[rows] for scores in order.clauses], axis=0)
    shown[FUSED] = _of_clause([each.fused[rows] for each in of.found], clauses)
    numbers = likely.scores, order.total[rows]
    return Ranked(rows, reader.ids, *numbers, shown, _added(order, rows, clauses), likely.shares())


def _of_clause(each: Sequence[RowScores], clauses: Rows) -> RowScores:
    """Of what each clause says, for each row what its own says."""
    found: RowScores = np.array(each)[clauses, np.arange(len(clauses))]
    return found


def _added(order: RowOrder, rows: Rows, clauses: Rows) -> dict[str, RowScores]:
    """By name, what raised each row's rank, or lowered it; boosts are those of its clause."""
    nothing = np.zeros(len(rows), np.float32)
    found_in = {name for boosts in order.boosts for name in boosts}
    names = [name for name in (INTENT, METHOD, API) if name in found_in]
    each = {
        name: [boosts[name][rows] if name in boosts else nothing for boosts in order.boosts]
        for name in names
    }
    found = {name: _of_clause(values, clauses) for name, values in each.items()}
    return {**found, **{name: values[rows] for name, values in order.parts.items()}}
