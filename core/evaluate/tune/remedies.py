"""What would take in the missed labels of a run, cause by cause, and at what cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.evaluate.results import Cause, CauseRemedy, Remedy, SampleResult
from core.evaluate.sets.labels import Labels
from core.evaluate.stop import Stop, check, never
from core.evaluate.tune.remedy import Changes, remedied
from core.evaluate.tune.trace import DeepTrace
from core.settings import KNOB, Settings, Value

PRICED = 40  # questions, spread evenly over the run, whose contexts are priced
LOWER = ("min_score",)  # settings that take in more the lower they are; most others, the higher


@dataclass(frozen=True, slots=True)
class Remedies:
    """What of some settings would have to change for what is missing."""

    trace: Callable[[str], DeepTrace]  # of a question
    labels: Labels
    settings: Settings  # of the run, without a time limit
    stop: Stop = never

    def of_one(self, result: SampleResult) -> SampleResult:
        """With a remedy for each miss that has one."""
        if not result.misses:
            return result
        trace = self.trace(result.query)
        return remedied(result, trace=trace, labels=self.labels, settings=self.settings)

    def of_all(self, results: Sequence[SampleResult]) -> tuple[CauseRemedy, ...]:
        """For each cause what takes in half of what settings can take in, and what takes in all.

        Tokens are the mean over questions spread over the whole run, missed or not, because all of
        them pay.
        """
        wanted = list(_wanted(results))
        paid = self._paid(results, [changes for _, changes, *_ in wanted])
        return tuple(
            CauseRemedy(cause, changes, taken, of, tokens, len(_spread(results)))
            for (cause, changes, taken, of), tokens in zip(wanted, paid, strict=True)
        )

    def _paid(self, results: Sequence[SampleResult], wanted: Sequence[Changes]) -> list[float]:
        """How many more tokens a question has with each of these changes."""
        if not wanted:
            return []
        asked = [_with(self.settings, changes) for changes in wanted]
        priced = [self._more(result.query, asked) for result in _spread(results)]
        return [sum(tokens) / len(priced) for tokens in zip(*priced, strict=True)]

    def _more(self, query: str, asked: Sequence[Settings]) -> list[int]:
        check(self.stop)
        trace = self.trace(query)
        now = trace.tokens_of(self.settings)
        return [trace.tokens_of(settings) - now for settings in asked]


def joined(remedies: Iterable[Remedy]) -> Changes:
    """The changes that do what each of these does."""
    found: dict[str, Value] = {}
    for remedy in remedies:
        for name, raw in remedy.changes.items():
            value = KNOB[name].parse(raw, name)
            found[name] = _more_of(name, found.get(name, value), value)
    return found


def covers(changes: Changes, remedy: Remedy) -> bool:
    """Whether these changes do as much, setting by setting."""
    return all(
        name in changes
        and _more_of(name, changes[name], KNOB[name].parse(raw, name)) == changes[name]
        for name, raw in remedy.changes.items()
    )


def _more_of(name: str, one: Value, other: Value) -> Value:
    if isinstance(one, str) or isinstance(other, str):
        return other
    return min(one, other) if name in LOWER else max(one, other)


def _with(settings: Settings, changes: Changes) -> Settings:
    """As many chunks as results, whichever label asked for them."""
    results = int(changes.get("max_primary_results", settings.max_primary_results))
    chunks = int(changes.get("max_total_chunks", settings.max_total_chunks))
    return settings.replace(**{**changes, "max_total_chunks": max(results, chunks)})


def _wanted(results: Sequence[SampleResult]) -> Iterator[tuple[Cause, Changes, int, int]]:
    """Cause by cause: changes, how many labels they take in, and how many it lost."""
    for cause, remedies in _by_cause(results).items():
        known = sorted((each for each in remedies if each), key=lambda each: each.tokens)
        halves = [joined(known[: (len(known) + 1) // 2]), joined(known)] if known else []
        for at, changes in enumerate(halves):
            if changes not in halves[:at]:
                yield cause, changes, sum(covers(changes, each) for each in known), len(remedies)


def _by_cause(results: Sequence[SampleResult]) -> Mapping[Cause, list[Remedy | None]]:
    found: dict[Cause, list[Remedy | None]] = {}
    for result in results:
        for miss in result.misses:
            found.setdefault(miss.cause, []).append(miss.remedy)
    return {cause: found[cause] for cause in Cause if cause in found}


def _spread(results: Sequence[SampleResult]) -> Sequence[SampleResult]:
    """At most so many, from the first to the last at equal distances."""
    count = min(PRICED, len(results))
    return [results[at * len(results) // count] for at in range(count)]
