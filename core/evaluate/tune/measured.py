"""What questions score under many settings, from ids and token counts: no context is written."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.evaluate.results import SampleResult
from core.evaluate.run import asking, enough, unhurried
from core.evaluate.score.context_metrics import Inside
from core.evaluate.score.score import Scoring, elements_with_scores
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.evaluate.stop import Stop, check, never
from core.evaluate.tune.trace import DeepTrace, Way, keys_of
from core.reasons import Cut
from core.retrieve.assemble.assemble import Taken
from core.retrieve.follow.necessary import completeness
from core.retrieve.pipeline import Searched
from core.settings import Settings

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """What one context scores."""

    metrics: Mapping[str, float]  # undefined ones are absent
    held: int = 0  # which groups of gold it holds; a bit set
    results: int = 0  # how many were found directly


@dataclass(frozen=True, slots=True)
class Row:
    """One question under all settings of a sweep; those that give it the same context share what
    that scores."""

    sample: Sample
    gold: Groups
    apis: tuple[str, ...]  # file ids of the gold, else as labelled
    contexts: tuple[Measured, ...]
    of: tuple[int, ...]  # by settings: the place of its context
    relevant: tuple[float, ...] = ()  # scores of the candidates that are gold, by the first search
    others: tuple[float, ...] = ()  # and of those that are not

    def __getitem__(self, settings: int) -> Measured:
        return self.contexts[self.of[settings]]

    def results(self) -> Iterator[SampleResult]:
        """By settings, what is measured as a result; equal contexts are one. It tells nothing of
        the way there and of what is missing."""
        made = [self._result(context) for context in self.contexts]
        yield from map(made.__getitem__, self.of)

    def _result(self, context: Measured) -> SampleResult:
        sample = self.sample
        return SampleResult(
            id=sample.id,
            query=sample.query,
            tags=sample.tags,
            intent=sample.intent,
            apis=self.apis,
            gold=self.gold,
            ranked=(),
            context=(),
            metrics=context.metrics,
            misses=(),
            milliseconds=0.0,
        )


def recorded(settings: Settings) -> Settings:
    """The settings as a run of them says: with the candidates that the metrics need."""
    return settings.replace(overfetch=enough(settings), cache_size=0)


def measured(
    samples: Sequence[Sample],
    wanted: Sequence[Settings],
    *,
    trace: Callable[..., DeepTrace],
    labels: Labels,
    stop: Stop = never,
) -> Iterator[Row]:
    """For each question what it scores under each of the settings, question by question.

    The labels must have been checked; raises Stopped.
    """
    plan = _plan([unhurried(recorded(settings)) for settings in wanted])
    for sample in samples:
        yield _Question(sample, asking(trace, sample), labels).row(plan, len(wanted), stop)


@dataclass(frozen=True, slots=True)
class _Limits:
    """Settings of the same limits, by their places."""

    settings: Settings
    number: int  # the same for the same limits
    places: list[int]


Plan = Sequence[tuple[Settings, Sequence[_Limits]]]


def _plan(settings: Sequence[Settings]) -> Plan:
    """The settings by all that leads up to their limits, shallow ones first, and by their limits;
    with their places."""
    ways: dict[Hashable, tuple[Settings, dict[Hashable, _Limits]]] = {}
    numbers: dict[Hashable, int] = {}
    for at, each in enumerate(settings):
        keys = keys_of(each)
        number = numbers.setdefault(keys.assemble, len(numbers))
        _, limits = ways.setdefault(keys.way, (each, {}))
        limits.setdefault(number, _Limits(each, number, [])).places.append(at)
    shallow_first = sorted(ways.values(), key=lambda way: way[0].max_depth)
    return [(first, tuple(limits.values())) for first, limits in shallow_first]


class _Question:
    """One question, each of whose contexts is scored once."""

    def __init__(self, sample: Sample, trace: DeepTrace, labels: Labels) -> None:
        self._trace, self._scoring = trace, Scoring(sample, labels)
        self._before: dict[int, dict[str, float]] = {}  # by identity of what was searched
        self._within: dict[tuple[int, int], int] = {}  # by what is prepared, and limits
        self._places: dict[tuple[int, int, int], int] = {}
        self._contexts: list[Measured] = []

    def row(self, plan: Plan, count: int, stop: Stop) -> Row:
        of = [0] * count
        for first, limits in plan:
            check(stop)
            way = self._trace.way(first)
            for each in limits:
                context = self._place_within(way, each)
                for at in each.places:
                    of[at] = context
        scored, wanted = self._scoring, self._scoring.gold.elements
        picks = self._trace.candidates(plan[0][0]).found.picks
        ranked = elements_with_scores(pick.hit for pick in picks)
        return Row(
            scored.sample,
            scored.gold.groups,
            scored.apis,
            tuple(self._contexts),
            tuple(of),
            tuple(score for element, score in ranked if element in wanted),
            tuple(score for element, score in ranked if element not in wanted),
        )

    def _place_within(self, way: Way, limits: _Limits) -> int:
        key = id(way.prepared), limits.number
        if key not in self._within:
            self._within[key] = self._place(way, limits.settings)
        return self._within[key]

    def _place(self, way: Way, settings: Settings) -> int:
        """Equal steps from the same results in as many tokens are the same for every metric."""
        taken = way.prepared.taken(settings)
        key = id(way.prepared), taken.choice.stop, taken.tokens
        if key not in self._places:
            self._places[key] = len(self._contexts)
            self._contexts.append(self._measured(way, taken, settings))
        return self._places[key]

    def _measured(self, way: Way, taken: Taken, settings: Settings) -> Measured:
        gold, inside = self._scoring.gold, _inside(way, taken)
        scores = [pick.hit.score for pick in way.found.primaries]
        metrics = self._before_context(way.searched) | self._scoring.of_context(inside, scores)
        if gold.groups:
            metrics["filter.lost_gold"] = self._lost(way, settings)
        held = sum(1 << number for number in gold.found(inside.elements))
        return Measured(metrics, held, len(scores))

    def _before_context(self, searched: Searched) -> dict[str, float]:
        if id(searched) not in self._before:
            ranked = elements_with_scores(pick.hit for pick in searched.found.picks)
            self._before[id(searched)] = self._scoring.before_context(
                tuple(element for element, _ in ranked),
                intent=str(searched.question.understanding.intent),
                fallback=searched.found.fallback,
                chosen=searched.choice.scores if searched.choice else (),
            )
        return self._before[id(searched)]

    def _lost(self, way: Way, settings: Settings) -> float:
        """What a filter cost; the reasons of a whole context are asked only where there is one."""
        found = way.found
        cuts = {item.cut for item in (*found.left_out, *found.hidden)}
        if found.where is None and Cut.FILTER not in cuts:
            return 0.0
        whole = self._scoring.score(self._trace.context(settings))
        return whole.metrics["filter.lost_gold"]


def _inside(way: Way, taken: Taken) -> Inside:
    direct = [pick.chunk for pick in way.found.primaries]
    steps = way.prepared.steps.steps[: taken.choice.stop]
    entries = [step.reference for step in steps if not step.is_part]
    ids = {chunk.id for chunk in direct} | {step.reference.chunk.id for step in steps}
    return Inside(
        tuple(dict.fromkeys(chunk.element for chunk in direct)),
        [(reference.chunk.element, reference.via) for reference in entries],
        len(direct) + len(entries),
        taken.tokens,
        completeness(way.followed.needed, ids, primaries=len(direct)),
        len(way.followed.references),
        max((reference.depth for reference in entries), default=0),
    )
