"""What would take a missed label into the context of its question, and what that would cost."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

from core.evaluate.results import Cause, Miss, Remedy, SampleResult
from core.evaluate.run import deepest
from core.evaluate.score.diagnose import diagnose, with_ranks
from core.evaluate.score.score import ranked_elements
from core.evaluate.sets.gold import Gold
from core.evaluate.sets.labels import Labels
from core.evaluate.tune.trace import DeepTrace
from core.ids import element_of
from core.model import KnowledgeContext
from core.retrieve.search.primaries import Pick
from core.settings import KNOB, Settings, Value

Changes = Mapping[str, Value]

MOST_STEPS = 4  # settings changed one after the other for one label
NOT_ENOUGH = (Cause.RANKED_PAST_K, Cause.WRONG_API)  # where more results may be of help
LIMITS = {  # what is raised until it is enough
    Cause.CHUNK_LIMIT: "max_total_chunks",
    Cause.TOKEN_LIMIT: "token_limit",
    Cause.DEPTH: "max_depth",
    Cause.SAME_RESOURCE: "per_resource",
}
SWITCHES: Mapping[Cause, Changes] = {
    Cause.FILTERED_OUT: {"intent_filter": "soft"},
    Cause.WRONG_API: {"api_filter": "soft"},
    Cause.REPEATED: {"group_repeated": False},
}


def remedied(
    result: SampleResult, *, trace: DeepTrace, labels: Labels, settings: Settings
) -> SampleResult:
    """The result, its misses with their ranks in a deeper search and with what would take each in.

    `settings` are those of the result, without a time limit. Each remedy was tried: with it, the
    label is in the context. A label has none where no such settings were found.
    """
    if not result.misses:
        return result
    result = _with_ranks(result, trace, settings)
    misses = tuple(
        replace(miss, remedy=_Missed(miss.labels, trace, labels, settings).remedy())
        for miss in result.misses
    )
    return replace(result, misses=misses)


def _with_ranks(result: SampleResult, trace: DeepTrace, settings: Settings) -> SampleResult:
    if not result.needs_ranks:
        return result
    picks = trace.candidates(deepest(settings)).found.picks
    deeper = list(dict.fromkeys(element_of(pick.hit.chunk_id) for pick in picks))
    misses = with_ranks(result.misses, deeper, candidates=len(result.ranked))
    return replace(result, misses=misses)


@dataclass(frozen=True, slots=True)
class _Missed:
    """One label, or group of alternatives, that the context of a question lacks."""

    group: tuple[str, ...]
    trace: DeepTrace
    labels: Labels
    base: Settings

    def remedy(self) -> Remedy | None:
        """Change by change: each takes away what keeps the label out after those before it."""
        settings, before = self.base, self._context(self.base).total_tokens
        for _ in range(MOST_STEPS):
            miss = self._miss(settings)
            if miss is None:
                break
            step = self._step(miss.cause, settings)
            if step is None:
                return None
            settings = settings.replace(**step)
        if settings == self.base or self._miss(settings):
            return None
        tokens = self._context(settings).total_tokens - before
        return Remedy(changed(self.base, settings), tokens)

    def _context(self, settings: Settings) -> KnowledgeContext:
        return self.trace.context(settings)

    def _miss(self, settings: Settings) -> Miss | None:
        """Why the context still lacks it; None where it does not."""
        context = self._context(settings)
        ranked = [element for element, _ in ranked_elements(context)]
        return next(
            iter(diagnose(Gold((self.group,)), context, ranked, self.labels.elements)), None
        )

    def _step(self, cause: Cause, settings: Settings) -> Changes | None:
        switch = SWITCHES.get(cause, {})
        if switch and changes(settings, switch):
            return switch
        if cause in NOT_ENOUGH:
            return self._more_results(settings)
        if cause is Cause.BELOW_THRESHOLD:
            return self._lower_score(settings)
        return self._higher_limit(cause, settings) if cause in LIMITS else None

    def _higher_limit(self, cause: Cause, settings: Settings) -> Changes | None:
        """The lowest limit that no longer is what keeps it out."""
        name = LIMITS[cause]
        values = _above(name, settings)

        def is_enough(value: int) -> bool:
            miss = self._miss(settings.replace(**{name: value}))
            return miss is None or miss.cause is not cause

        at = bisect_left(values, True, key=is_enough)
        return {name: values[at]} if at < len(values) else None

    def _lower_score(self, settings: Settings) -> Changes | None:
        pick = self._pick(self.trace.candidates(settings).found.picks)
        return {"min_score": _least(pick, settings)} if pick else None

    def _more_results(self, settings: Settings) -> Changes | None:
        """As many as it takes, and the score that it has; reckoned from a deeper search, and then
        tried, because with more results more candidates are looked at, which moves some ranks."""
        deep = self.trace.candidates(deepest(settings))
        pick = self._pick(deep.found.picks)
        if pick is None:
            return None
        least = _least(pick, settings)
        counts = range(settings.max_primary_results, int(KNOB["max_primary_results"].high or 0) + 1)

        def is_result(count: int) -> bool:
            found = deep.results(settings.replace(**_results(count, least, settings)))
            return self._pick(found.primaries) is not None

        at = bisect_left(counts, True, key=is_result)
        if at == len(counts):
            return None
        for count in filter(counts.__contains__, _about(counts[at])):
            step = _results(count, least, settings)
            miss = self._miss(settings.replace(**step))
            if miss is None or miss.cause not in NOT_ENOUGH:
                return step
        return None

    def _pick(self, picks: Sequence[Pick]) -> Pick | None:
        return next((pick for pick in picks if element_of(pick.hit.chunk_id) in self.group), None)


def _about(count: int) -> tuple[int, ...]:
    """What is tried where a deeper search says that so many results are enough."""
    return (count, count + 1, ceil(1.25 * count) + 1)


def _results(count: int, least: float, settings: Settings) -> Changes:
    """So many results, and as many chunks at least; what is so already is no change."""
    wanted = {
        "max_primary_results": count,
        "max_total_chunks": max(count, settings.max_total_chunks),
        "min_score": least,
    }
    return changes(settings, wanted)


def _least(pick: Pick, settings: Settings) -> float:
    """The highest minimum score, in the steps of its slider, that lets the candidate in."""
    steps = round(1 / (KNOB["min_score"].step or 1))
    return min(settings.min_score, floor(pick.hit.score * steps + 1e-9) / steps)


def _above(name: str, settings: Settings) -> range:
    """The values of a limit above its own, in the steps of its slider."""
    knob, now = KNOB[name], int(getattr(settings, name))
    step = int(knob.step or 1)
    return range((now // step + 1) * step, int(knob.high or now) + 1, step)


def changes(settings: Settings, wanted: Changes) -> Changes:
    """Those of the wanted values that the settings do not have."""
    return {name: value for name, value in wanted.items() if getattr(settings, name) != value}


def changed(before: Settings, after: Settings) -> Changes:
    """The values that differ, as they are afterwards."""
    return changes(before, after.to_dict())
