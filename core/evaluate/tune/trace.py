"""One question, searched once, and what any limits and thresholds make of it.

`DeepTrace.context` equals what `retrieve` gives under the same settings, but for the milliseconds:
it calls the same steps, and keeps what each made for all settings that cannot change it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields
from functools import lru_cache

from core.deadline import Clock, Deadline, Stopwatch
from core.model import KnowledgeContext, Where
from core.retrieve.assemble.assemble import Prepared, prepared
from core.retrieve.assemble.levels import Price
from core.retrieve.explain.trace import explained
from core.retrieve.follow.depth import adapted
from core.retrieve.follow.walk import Followed, Known, Ways
from core.retrieve.pipeline import (
    Embed,
    Searched,
    as_ours,
    check_question,
    followed,
    searched,
    ways_from,
)
from core.retrieve.reader import Reader
from core.retrieve.search.evidence import limit_of
from core.retrieve.search.search import Found
from core.retrieve.stages import RULES, Stages
from core.settings import KNOBS, NO_ANSWER, Assemble, Follow, Settings
from core.tokens import TokenCounter

SearchFor = Callable[[Settings], Searched]  # of one question, without a time limit

_RESULTS = (
    *("min_score", "max_primary_results", "per_resource", "group_repeated", "diversity"),
    *("weak_results", "adaptive_results"),
)
_FOLLOW = tuple(f.name for f in fields(Follow))
_ASSEMBLE = tuple(f.name for f in fields(Assemble))
_WAY = (*_FOLLOW, "selection")
_NO_MATTER = (*NO_ANSWER, "timeout_ms", "overfetch")
_KEPT = 4096  # keys of settings
_HOURS = 1e6  # seconds: nothing is cut short


@dataclass(frozen=True, slots=True)
class Keys:
    """What of some settings each stage goes by: where these are equal, so is what it makes."""

    search: Hashable
    results: Hashable
    follow: Hashable
    assemble: Hashable

    @property
    def way(self) -> Hashable:
        """All that leads up to the limits of a context."""
        return self.search, self.results, self.follow


@lru_cache(_KEPT)
def keys_of(settings: Settings) -> Keys:
    """Candidates depend on limits by how many are looked at; a hard filter looks at the score."""
    later = {*_RESULTS, *_FOLLOW, *_ASSEMBLE, *_NO_MATTER}
    search = [getattr(settings, knob.name) for knob in KNOBS if knob.name not in later]
    least = settings.min_score if settings.intent_filter == "hard" else None

    def of(names: tuple[str, ...]) -> Hashable:
        return tuple(getattr(settings, name) for name in names)

    return Keys((*search, limit_of(settings), least), of(_RESULTS), of(_WAY), of(_ASSEMBLE))


@dataclass(frozen=True, slots=True)
class Way:
    """Up to the limits: what was searched, chosen and followed, and what a context costs."""

    searched: Searched
    found: Found
    followed: Followed
    prepared: Prepared


@dataclass(slots=True)
class DeepTrace:
    """One question under many settings. Not for two threads at once."""

    search: SearchFor
    reader: Reader
    tokens: TokenCounter
    deadline: Deadline
    _price: Price = field(init=False)
    _known: Known = field(init=False)
    _searched: dict[Hashable, Searched] = field(default_factory=dict)
    _found: dict[Hashable, Found] = field(default_factory=dict)
    _ways_from: dict[Hashable, Ways] = field(default_factory=dict)
    _followed: dict[Hashable, Followed] = field(default_factory=dict)
    _prepared: dict[Hashable, Prepared] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._price = Price(self.tokens)
        self._known = Known(self.reader, self.deadline)

    def context(self, settings: Settings) -> KnowledgeContext:
        """As `retrieve` gives it, without milliseconds; raises as it does."""
        way = self.way(settings)
        with as_ours():
            settings = adapted(way.searched.question, settings)
            assembled = way.prepared.within(settings)
            outcome = way.searched.outcome(settings, way.found, way.followed, assembled)
            return explained(outcome, {})

    def tokens_of(self, settings: Settings) -> int:
        """Of the context; raises as `retrieve` does."""
        with as_ours():
            return self.way(settings).prepared.taken(settings).tokens

    def candidates(self, settings: Settings) -> Searched:
        """Before `min_score` and the limits; raises as `retrieve` does."""
        key = keys_of(settings).search
        if key not in self._searched:
            self._searched[key] = self.search(settings)
        return self._searched[key]

    def way(self, settings: Settings) -> Way:
        """What is the same for all settings of these `Keys.way`; raises as `retrieve` does.

        Other thresholds often leave the same results, and then all that comes after is shared.
        """
        with as_ours():
            return self._way(settings, keys_of(settings))

    def _way(self, settings: Settings, keys: Keys) -> Way:
        searched = self.candidates(settings).worded(settings)
        found = self._results((keys.search, keys.results), searched, settings)
        words = searched.question.asked.text
        results = keys.search, words, tuple(pick.chunk.id for pick in found.primaries)
        key = results, keys.follow
        if key not in self._prepared:
            follow = adapted(searched.question, settings)
            self._followed[key] = self._references(results, found, follow)
            self._prepared[key] = prepared(
                found.primaries,
                self._followed[key].references,
                reader=self.reader,
                price=self._price,
                selection=settings.selection,
            )
        return Way(searched, found, self._followed[key], self._prepared[key])

    def _results(self, key: Hashable, searched: Searched, settings: Settings) -> Found:
        if key not in self._found:
            self._found[key] = searched.results(settings)
        return self._found[key]

    def _references(self, results: Hashable, found: Found, settings: Settings) -> Followed:
        key = results, settings.stop_early, settings.beyond_depth
        if key not in self._ways_from:
            self._ways_from[key] = ways_from(found, self._known, settings)
        return followed(self._ways_from[key], self.reader, settings)


def deep_trace(
    query: str,
    *,
    reader: Reader,
    embed: Embed,
    tokens: TokenCounter,
    stages: Stages = RULES,
    clock: Clock = time.perf_counter,
    where: Where | None = None,
) -> DeepTrace:
    """A question that nothing has been searched for yet. Raises CallError for an empty one."""
    check_question(query)
    deadline = Deadline.after(_HOURS, clock)

    def search(settings: Settings) -> Searched:
        return searched(
            query,
            reader=reader,
            embed=embed,
            settings=settings,
            deadline=deadline,
            watch=Stopwatch(clock),
            stages=stages,
            where=where,
        )

    return DeepTrace(search, reader, tokens, deadline)
