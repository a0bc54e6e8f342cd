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
from core.model import KnowledgeContext
from core.retrieve.assemble.assemble import Assembled, Prepared, prepared
from core.retrieve.explain.trace import Outcome, explained
from core.retrieve.follow.walk import Followed
from core.retrieve.pipeline import (
    Embed,
    Searched,
    as_ours,
    check_question,
    followed,
    searched,
)
from core.retrieve.reader import Reader
from core.retrieve.search.evidence import limit_of
from core.retrieve.search.search import Found
from core.retrieve.stages import RULES, Stages
from core.settings import KNOBS, Assemble, Follow, Settings
from core.tokens import TokenCounter

SearchFor = Callable[[Settings], Searched]  # of one question, without a time limit

_RESULTS = (
    *("min_score", "max_primary_results", "per_resource", "group_repeated", "diversity"),
    *("weak_results", "adaptive_results"),
)
_FOLLOW = tuple(f.name for f in fields(Follow))
_ASSEMBLE = tuple(f.name for f in fields(Assemble))
_NO_MATTER = ("timeout_ms", "log_stats", "cache_ttl_s", "cache_size", "overfetch")
_KEPT = 4096  # keys of settings
_HOURS = 1e6  # seconds: nothing is cut short


@dataclass(frozen=True, slots=True)
class Keys:
    """What of some settings each stage goes by: where these are equal, so is what it makes."""

    search: Hashable
    results: Hashable
    follow: Hashable
    assemble: Hashable


@lru_cache(_KEPT)
def keys_of(settings: Settings) -> Keys:
    """Candidates depend on limits by how many are looked at; a hard filter looks at the score."""
    later = {*_RESULTS, *_FOLLOW, *_ASSEMBLE, *_NO_MATTER}
    search = [getattr(settings, knob.name) for knob in KNOBS if knob.name not in later]
    least = settings.min_score if settings.intent_filter == "hard" else None

    def of(names: tuple[str, ...]) -> Hashable:
        return tuple(getattr(settings, name) for name in names)

    return Keys((*search, limit_of(settings), least), of(_RESULTS), of(_FOLLOW), of(_ASSEMBLE))


@dataclass(slots=True)
class DeepTrace:
    """One question under many settings. Not for two threads at once."""

    search: SearchFor
    reader: Reader
    tokens: TokenCounter
    deadline: Deadline
    _searched: dict[Hashable, Searched] = field(default_factory=dict)
    _found: dict[Hashable, Found] = field(default_factory=dict)
    _followed: dict[Hashable, Followed] = field(default_factory=dict)
    _prepared: dict[Hashable, Prepared] = field(default_factory=dict)
    _assembled: dict[Hashable, Assembled] = field(default_factory=dict)

    def context(self, settings: Settings) -> KnowledgeContext:
        """As `retrieve` gives it, without milliseconds; raises as it does."""
        with as_ours():
            return explained(self._outcome(settings), {})

    def tokens_of(self, settings: Settings) -> int:
        """Of the context; raises as `retrieve` does."""
        with as_ours():
            return self._within(settings).tokens

    def candidates(self, settings: Settings) -> Searched:
        """Before `min_score` and the limits; raises as `retrieve` does."""
        key = keys_of(settings).search
        if key not in self._searched:
            self._searched[key] = self.search(settings)
        return self._searched[key]

    def content(self, settings: Settings) -> Hashable:
        """Equal for settings whose contexts are: the same chunks from the same candidates, written
        in the same way. What is told of the chunks that were left out may still differ.

        The value is for this trace, and for as long as it lives.
        """
        with as_ours():
            return self._ready_key(settings), tuple(map(id, self._within(settings).chunks))

    def _outcome(self, settings: Settings) -> Outcome:
        searched, found = self.candidates(settings), self._results(settings)
        references = self._references(settings)
        return searched.outcome(settings, found, references, self._within(settings))

    def _results(self, settings: Settings) -> Found:
        keys = keys_of(settings)
        key = keys.search, keys.results
        if key not in self._found:
            self._found[key] = self.candidates(settings).results(settings)
        return self._found[key]

    def _references(self, settings: Settings) -> Followed:
        key, found = self._way_key(settings), self._results(settings)
        if key not in self._followed:
            self._followed[key] = followed(found, self.reader, settings, self.deadline)
        return self._followed[key]

    def _within(self, settings: Settings) -> Assembled:
        ready = self._ready_key(settings)
        key = ready, keys_of(settings).assemble
        if key not in self._assembled:
            self._assembled[key] = self._ready(ready, settings).within(settings)
        return self._assembled[key]

    def _ready(self, key: Hashable, settings: Settings) -> Prepared:
        if key not in self._prepared:
            self._prepared[key] = prepared(
                self._results(settings).primaries,
                self._references(settings).references,
                reader=self.reader,
                tokens=self.tokens,
                selection=settings.selection,
            )
        return self._prepared[key]

    def _way_key(self, settings: Settings) -> Hashable:
        """Other thresholds often leave the same results."""
        keys, found = keys_of(settings), self._results(settings)
        return keys.search, keys.follow, tuple(pick.chunk.id for pick in found.primaries)

    def _ready_key(self, settings: Settings) -> Hashable:
        return self._way_key(settings), settings.selection


def deep_trace(
    query: str,
    *,
    reader: Reader,
    embed: Embed,
    tokens: TokenCounter,
    stages: Stages = RULES,
    clock: Clock = time.perf_counter,
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
        )

    return DeepTrace(search, reader, tokens, deadline)
