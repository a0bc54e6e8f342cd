"""What the rows of a read index are ranked by.

Clauses are searched one by one, each raised by its verb, its intent and its API, and brought
together with their turns; then come the second look, producers of what a good result needs, and
what the question names exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from core.blocks import blocks
from core.model import OPERATIONS, PROSE
from core.ranking import best, leading
from core.reasons import Part
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.homes import Homes
from core.retrieve.reader import ArrayReader, Rows, RowScores
from core.retrieve.score import second_look, written
from core.retrieve.score.boosts import Boost, OfFiles, Some
from core.retrieve.score.evidence import combined
from core.retrieve.score.fitted import FEW_LOOKED, SECOND_LOOK
from core.retrieve.score.producers import Producers, raise_producers
from core.retrieve.score.verb_boost import verb_boost
from core.retrieve.search.gathered import Gathered
from core.retrieve.search.lists_ranker import API, INTENT, METHOD
from core.where import Filter, parse

TURN, PRODUCER = Part.TURN.value, Part.PRODUCER.value
EXACT, LOOKED = Part.EXACT.value, Part.LOOKED.value
NAMED = Part.CALLED.value  # in plain words
NEAR_WRITTEN = Part.NEAR_WRITTEN.value

CALLED = parse({"type": {"$in": [*OPERATIONS]}})  # what most questions to an API are after
WANTED = parse({"type": {"$in": [*OPERATIONS, *PROSE]}})  # what most questions are after
OVERVIEWS = parse({"type": "info"})  # what hardly any is

_INTENTS = 8  # filters that are kept
_PART = 2.0  # how much more the verb of a part says: the part was split off at it
_RANKED = 100  # rows of a clause that may become candidates, or be looked at twice
_FIRST, _NEARLY = 6.0, 3.0  # what an exact name adds: more than everything else together

Raised = Mapping[str, Filter]  # what ranks higher, by the name of the boost


@dataclass(frozen=True, slots=True)
class RowOrder:
    """What every row is ranked by, and what that is made of."""

    total: RowScores
    clauses: Sequence[RowScores]  # by clause, its boosts included
    boosts: Sequence[Mapping[str, Boost]]  # by clause, by name
    parts: Mapping[str, Boost]  # by name, what was added beside the clauses

    def earned(self, rows: Rows) -> RowScores:
        """What some rows are ranked by without what a name adds, exact or in plain words."""
        named = [self.parts[name][rows] for name in (EXACT, NAMED) if name in self.parts]
        return self.total[rows] - sum(named, np.float32(0))

    def plus(self, name: str, added: RowScores) -> RowOrder:
        return replace(self, total=self.total + added, parts={**self.parts, name: added})

    def raised(self, name: str, added: Some) -> RowOrder:
        """A few rows higher or lower: in place, since all the others stay."""
        self.total[added.rows] += added.values
        return replace(self, parts={**self.parts, name: added})


def row_order(evidence: Gathered, raised: Raised) -> RowOrder:
    """The order of all rows; -inf for those that a filter hides."""
    order, settings = first_look(evidence, raised), evidence.question.settings
    if (near := written.strength(evidence.asked, evidence.allowed)) is not None:
        order = order.plus(NEAR_WRITTEN, np.float32(settings.written_weight) * near)
    if looked := looked_at(evidence, order):
        rows, features = looked
        clauses, apis = len(evidence.asked), len(derived(Homes, evidence.reader))
        weights = FEW_LOOKED if evidence.few else SECOND_LOOK
        more = second_look.added(features, weights, clauses=clauses, apis=apis)
        at = np.argsort(rows)
        order = order.raised(LOOKED, Some(rows[at], more[at]))
    if settings.producer_share:
        producers = derived(Producers, evidence.reader)
        gain = raise_producers(producers, order.total, settings.producer_share)
        order = order.raised(PRODUCER, gain)
    named = evidence.question.named
    if named.exactly or named.nearly:
        exact = {**dict.fromkeys(named.nearly, _NEARLY), **dict.fromkeys(named.exactly, _FIRST)}
        order = order.raised(EXACT, Some.of(exact))
    if named.called:
        order = order.raised(NAMED, Some.of(dict.fromkeys(named.called, _NEARLY)))
    return order


def first_look(evidence: Gathered, raised: Raised) -> RowOrder:
    """All clauses with their boosts and turns."""
    question, allowed = evidence.question, evidence.allowed
    boosts = _boosts(evidence, raised)
    each = _exact_where_it_decides(evidence, boosts)
    weights = [clause.weight for clause in question.clauses]
    total, turns = combined(each, weights, allowed, turn=question.settings.clause_turn)
    total[turns.rows] += turns.values
    if allowed is not None:
        total[~allowed] = -np.inf
    return RowOrder(total, each, boosts, {TURN: turns})


def _exact_where_it_decides(
    evidence: Gathered, boosts: Sequence[Mapping[str, Boost]]
) -> list[RowScores]:
    """By clause, what its rows are ranked by: exact for the best of each."""
    found = [e.fused for e in evidence.found]
    each = [_all_raised(fused, by) for fused, by in zip(found, boosts, strict=True)]
    if evidence.cosines:
        seen = (
            s if evidence.allowed is None else np.where(evidence.allowed, s, -np.inf) for s in each
        )
        rows = np.concatenate([leading(s, _RANKED) for s in seen])
        evidence.settle(rows)
        for scores, fused, by in zip(each, found, boosts, strict=True):
            scores[rows] = _raised(fused[rows], rows, by)
    return each


def looked_at(evidence: Gathered, order: RowOrder) -> tuple[Rows, dict[str, RowScores]] | None:
    """The rows that are looked at twice, best first, and their features; None without a second
    look."""
    second = [e.said.second for e in evidence.asked if e.said.second is not None]
    about, few = evidence.about.about, evidence.few
    if about is None or not (second or few):
        return None
    rows = best(order.total, few.texts if few else second_look.LOOKED)
    rows = rows[np.isfinite(order.total[rows])]
    if not few:
        of = about[evidence.files(rows)]
        return rows, second_look.features(rows, second, of, evidence.reader, evidence.allowed)
    rows, cosines = few.cosines(rows)
    of = about[evidence.files(rows)]
    found = second_look.features_of_few(rows, cosines, of, evidence.reader)
    return (rows, found) if len(rows) else None


def _boosts(evidence: Gathered, raised: Raised) -> list[dict[str, Boost]]:
    """By clause: what is added to its scores, by name."""
    question, reader = evidence.question, evidence.reader
    shared: dict[str, Boost] = {}
    if question.settings.intent_filter == "soft":
        wanted, boost = raised.get(INTENT, WANTED), question.settings.intent_boost
        shared[INTENT] = derived(Fitting, reader).of(wanted, boost)
    return [{**shared, **_of_clause(evidence, at)} for at in range(len(question.clauses))]


class Fitting:
    """By row of a read index, what an intent adds: a boost for it, as much against an overview."""

    def __init__(self, reader: ArrayReader) -> None:
        self._mask = reader.mask
        self.of = lru_cache(_INTENTS)(self._of)

    @cached_property
    def called(self) -> RowScores:
        """What the search by name adds: it is after nothing else."""
        return self._mask(CALLED).astype(np.float32) - np.float32(1)

    def _of(self, wanted: Filter, boost: float) -> RowScores:
        fits: RowScores = self._mask(wanted).astype(np.float32)
        fits -= self._mask(OVERVIEWS)
        fits *= np.float32(boost)
        fits.flags.writeable = False  # questions share it
        return fits


def _of_clause(evidence: Gathered, at: int) -> dict[str, Boost]:
    clause, reader = evidence.question.clauses[at], evidence.reader
    settings, boosts = evidence.question.settings, dict[str, Boost]()
    if settings.verb_boost:
        surer, fused = _PART if at else 1, evidence.found[at].fused
        raised = verb_boost(clause.text.lower(), fused, reader, surer * settings.verb_boost)
        if raised is not None:
            boosts[METHOD] = raised
    if settings.api_filter == "soft":
        total = evidence.about.totals[at] * np.float32(settings.api_boost)
        boosts[API] = OfFiles(total, reader.bounds)
    if clause.is_ours:
        boosts[INTENT] = derived(Fitting, reader).called
    return boosts


def _all_raised(fused: RowScores, boosts: Mapping[str, Boost]) -> RowScores:
    total = np.empty_like(fused)
    for rows in blocks(len(total)):
        part = total[rows]
        part[:] = fused[rows]
        _raised(part, rows, boosts)
    return total


def _raised(scores: RowScores, rows: Rows | slice, boosts: Mapping[str, Boost]) -> RowScores:
    """The same scores, those of some rows, with what is added to them."""
    for more in boosts.values():
        scores += more[rows]
    return scores
