"""Questions under many settings: each is searched as seldom as it can be, and scored once for all
settings that give it the same context."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace

from core.evaluate.results import SampleResult
from core.evaluate.run import deep_enough, deepest, unhurried
from core.evaluate.score.diagnose import with_ranks
from core.evaluate.score.score import Scoring
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.evaluate.stop import Stop, check, never
from core.evaluate.tune.trace import DeepTrace
from core.ids import element_of
from core.model import KnowledgeContext
from core.settings import Settings

Scored = tuple[SampleResult, KnowledgeContext]


def recorded(settings: Settings) -> Settings:
    """The settings as a run of them says: with the candidates that the metrics need."""
    return deep_enough(settings).replace(cache_size=0)


def scored(
    samples: Sequence[Sample],
    wanted: Sequence[Settings],
    *,
    trace: Callable[[str], DeepTrace],
    labels: Labels,
    whole: bool = False,
    stop: Stop = never,
) -> Iterator[tuple[Scored, ...]]:
    """For each question its result under each of the settings, question by question.

    Without `whole`, settings of equal contexts share one result: its metrics hold for all, what it
    tells of the way there and of what is missing is that of the first. No result has a time, since
    most were never searched for. The labels must have been checked; raises Stopped.
    """
    asked = [unhurried(recorded(settings)) for settings in wanted]
    for sample in samples:
        one = _Question(trace(sample.query), Scoring(sample, labels), whole)
        yield tuple(one.under(settings) for settings in asked if _goes_on(stop))


def _goes_on(stop: Stop) -> bool:
    check(stop)
    return True


class _Question:
    """One question, whose contexts are scored once each."""

    def __init__(self, trace: DeepTrace, scoring: Scoring, whole: bool) -> None:
        self._trace, self._scoring, self._whole = trace, scoring, whole
        self._known: dict[Hashable, Scored] = {}

    def under(self, settings: Settings) -> Scored:
        key = settings if self._whole else self._trace.content(settings)
        if key not in self._known:
            self._known[key] = self._scored(settings)
        return self._known[key]

    def _scored(self, settings: Settings) -> Scored:
        context = self._trace.context(settings)
        result = self._scoring.score(context)
        return (self._with_ranks(result, settings) if self._whole else result), context

    def _with_ranks(self, result: SampleResult, settings: Settings) -> SampleResult:
        """What is missing, with its rank in a deeper search."""
        if not result.needs_ranks:
            return result
        picks = self._trace.candidates(unhurried(deepest(settings))).found.picks
        deeper = list(dict.fromkeys(element_of(pick.hit.chunk_id) for pick in picks))
        misses = with_ranks(result.misses, deeper, candidates=len(result.ranked))
        return replace(result, misses=misses)
