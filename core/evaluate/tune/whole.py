"""Questions under many settings, each context in full, from as few searches as can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.evaluate.results import SampleResult
from core.evaluate.run import asking, unhurried
from core.evaluate.score.score import Scoring
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.evaluate.stop import Stop, check, never
from core.evaluate.tune.measured import recorded
from core.evaluate.tune.remedies import Remedies
from core.evaluate.tune.trace import DeepTrace
from core.model import KnowledgeContext
from core.settings import Settings

Scored = tuple[SampleResult, KnowledgeContext]


def scored(
    samples: Sequence[Sample],
    wanted: Sequence[Settings],
    *,
    trace: Callable[..., DeepTrace],
    labels: Labels,
    stop: Stop = never,
) -> Iterator[tuple[Scored, ...]]:
    """For each question its result under each of the settings, as an evaluation gives it but for
    the time, since most were never searched for. The labels must have been checked; raises Stopped.
    """
    asked = [unhurried(recorded(settings)) for settings in wanted]
    for sample in samples:
        one = _Question(asking(trace, sample), Scoring(sample, labels))
        yield tuple(one.under(settings) for settings in asked if _goes_on(stop))


def _goes_on(stop: Stop) -> bool:
    check(stop)
    return True


class _Question:
    def __init__(self, trace: DeepTrace, scoring: Scoring) -> None:
        self._trace, self._scoring = trace, scoring

    def under(self, settings: Settings) -> Scored:
        context, labels = self._trace.context(settings), self._scoring.labels
        result = self._scoring.score(context)
        return Remedies(lambda _: self._trace, labels, settings).of_one(result), context
