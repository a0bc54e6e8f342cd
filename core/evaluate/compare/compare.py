"""Compare two runs question by question: what changed, and whether by more than chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import EvalSetError
from core.evaluate.compare.statistics import (
    CHANCE,
    PAIRED_RESAMPLES,
    bootstrap_interval,
    detectable,
    holm,
    permutation_p,
)
from core.evaluate.compare.summary import times
from core.evaluate.measures import HEADLINE, MEASURE, TIMED, measure
from core.evaluate.results import RunResult, SampleResult
from core.model import JSON

WORST = 20
SAME = 1e-9  # scores nearer than this are a tie
PAID = (  # 0 without a model
    *("cost.tokens_in", "cost.tokens_out", "cost.usd", "cost.model_ms"),
    *("judge.tokens_in", "judge.tokens_out", "judge.usd"),
)
STAGES = tuple(f"latency.{stage}_ms" for stage in TIMED)
COSTS = ("latency.p50_ms", "latency.p95_ms", *STAGES, *PAID)


@dataclass(frozen=True, slots=True)
class Delta:
    """One metric in two runs, over the questions that both define it for."""

    metric: str
    before: float
    after: float
    delta: float  # after - before
    interval: tuple[float, float]  # 95%, paired bootstrap
    p: float  # permutation test
    p_holm: float  # adjusted for the metrics of this comparison
    wins: int  # questions that got better, in the metric's own direction
    ties: int
    losses: int
    detectable: float  # the smallest difference that this set could show
    questions: int
    comparable: bool = True  # False where a run has questions that ran out of time

    @property
    def is_significant(self) -> bool:
        return self.comparable and self.p_holm < CHANCE

    @property
    def gain(self) -> float:
        """How much better it got, in the metric's own direction."""
        return self.delta * _direction(self.metric)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a question costs in two runs, on the average of those that both have."""

    metric: str
    before: float
    after: float

    @property
    def delta(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class LabelMove:
    """The rank of a label, or group of alternatives, before and after; 0 means not found."""

    labels: tuple[str, ...]
    rank_before: int
    rank_after: int
    in_context_before: bool
    in_context_after: bool

    @property
    def kind(self) -> str:
        """`gained` or `lost` by the context; else `moved` up or down the ranking; or `same`."""
        if self.in_context_before != self.in_context_after:
            return "gained" if self.in_context_after else "lost"
        return "same" if self.rank_before == self.rank_after else "moved"


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """One question in two runs."""

    id: str
    query: str
    deltas: Mapping[str, float]  # of the compared metrics, after - before
    moves: tuple[LabelMove, ...]  # of its gold, without what stayed the same


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting, or a fact about the store, that differs."""

    name: str
    before: JSON
    after: JSON


@dataclass(frozen=True, slots=True)
class Comparison:
    deltas: tuple[Delta, ...]
    questions: tuple[QuestionChange, ...]  # that changed; worst regression first
    settings: tuple[Difference, ...]
    store: tuple[Difference, ...]
    only_before: tuple[str, ...]  # ids of questions that only one of the runs has
    only_after: tuple[str, ...]
    same_set: bool
    costs: tuple[Cost, ...] = ()  # time, and what a model read, wrote and cost
    incomparable: str = ""  # why the difference says nothing about the settings, in a sentence

    @property
    def regressions(self) -> tuple[QuestionChange, ...]:
        """The worst regressions first."""
        return tuple(q for q in self.questions if _harm(q.deltas) > SAME)[:WORST]


def compare(
    before: RunResult, after: RunResult, *, metrics: Sequence[str] = HEADLINE, seed: int = 0
) -> Comparison:
    """Pair the questions by id and wording; raises EvalSetError when the runs share none."""
    names = [measure(name).name for name in metrics]
    pairs, only_before, only_after = paired(before, after)
    if not pairs:
        raise EvalSetError("The two runs have no question in common, so they cannot be compared.")
    raw = [found for name in names if (found := _delta(name, pairs, seed))]
    adjusted = holm({delta.metric: delta.p for delta in raw})
    why = incomparable(before, after)
    changes = (_question(a, b, names) for a, b in pairs)
    changed = [change for change in changes if any(change.deltas.values()) or change.moves]
    return Comparison(
        deltas=tuple(
            replace(delta, p_holm=adjusted[delta.metric], comparable=not why) for delta in raw
        ),
        questions=tuple(sorted(changed, key=lambda q: (-_harm(q.deltas), q.id))),
        settings=differences(before.settings, after.settings),
        store=differences(before.store, after.store),
        only_before=only_before,
        only_after=only_after,
        same_set=before.set_hash == after.set_hash,
        costs=tuple(_costs(pairs)),
        incomparable=why,
    )


def incomparable(before: RunResult, after: RunResult) -> str:
    """Why the difference of two runs says nothing; "" where it does say something."""
    if not (before.timed_out or after.timed_out):
        return ""
    return (
        f"Not comparable: {before.timed_out} questions of the first run and {after.timed_out} of "
        "the second ran out of time, so a difference may be due to the machine."
    )


def differences(before: Mapping[str, JSON], after: Mapping[str, JSON]) -> tuple[Difference, ...]:
    """The names whose values differ; an absent one counts as None."""
    names = sorted(before.keys() | after.keys())
    found = (Difference(name, before.get(name), after.get(name)) for name in names)
    return tuple(each for each in found if each.before != each.after)


Pair = tuple[SampleResult, SampleResult]


def paired(
    before: RunResult, after: RunResult
) -> tuple[list[Pair], tuple[str, ...], tuple[str, ...]]:
    """The questions of the same id and wording, and the ids of those that only one run has."""
    first = {(s.id, s.query): s for s in before.samples}
    second = {(s.id, s.query): s for s in after.samples}
    pairs = [(sample, second[key]) for key, sample in first.items() if key in second]
    only_before = tuple(s.id for key, s in first.items() if key not in second)
    only_after = tuple(s.id for key, s in second.items() if key not in first)
    return pairs, only_before, only_after


def _delta(name: str, pairs: Sequence[Pair], seed: int) -> Delta | None:
    both = [
        (a.metrics[name], b.metrics[name])
        for a, b in pairs
        if name in a.metrics and name in b.metrics
    ]
    if not both:
        return None
    deltas = [b - a for a, b in both]
    better = [delta * _direction(name) for delta in deltas]
    wins, losses = sum(d > SAME for d in better), sum(d < -SAME for d in better)
    p = permutation_p(deltas, seed=seed)
    return Delta(
        metric=name,
        before=sum(a for a, _ in both) / len(both),
        after=sum(b for _, b in both) / len(both),
        delta=sum(deltas) / len(both),
        interval=bootstrap_interval(deltas, seed=seed, resamples=PAIRED_RESAMPLES),
        p=p,
        p_holm=p,
        wins=wins,
        ties=len(both) - wins - losses,
        losses=losses,
        detectable=detectable(deltas),
        questions=len(both),
    )


def _costs(pairs: Sequence[Pair]) -> Iterator[Cost]:
    """The time where both runs have one; the rest where either asked a model."""
    before, after = (_cost(side) for side in zip(*pairs, strict=True))
    for name in COSTS:
        known = [name in before, name in after]
        if all(known) or (name in PAID and any(known)):
            yield Cost(name, before.get(name, 0.0), after.get(name, 0.0))


def _cost(results: Sequence[SampleResult]) -> Mapping[str, float]:
    """A question's time, and what the model cost where it was asked at all."""
    paid = {
        name: sum(result.metrics.get(name, 0.0) for result in results) / len(results)
        for name in PAID
        if any(name in result.metrics for result in results)
    }
    return paid | times([result for result in results if result.milliseconds])


def _direction(name: str) -> int:
    return 1 if MEASURE[name].higher_is_better else -1


def _harm(deltas: Mapping[str, float]) -> float:
    """How much worse a question got: the sum over the metrics that are shares."""
    shares = (name for name in deltas if MEASURE[name].unit == "share")
    return -sum(deltas[name] * _direction(name) for name in shares)


def _question(before: SampleResult, after: SampleResult, names: Sequence[str]) -> QuestionChange:
    deltas = {
        name: after.metrics[name] - before.metrics[name]
        for name in names
        if name in before.metrics and name in after.metrics
    }
    groups = [group for group in after.gold if group in before.gold]
    moves = (_move(group, before, after) for group in groups)
    return QuestionChange(
        after.id, after.query, deltas, tuple(move for move in moves if move.kind != "same")
    )


def _move(group: tuple[str, ...], before: SampleResult, after: SampleResult) -> LabelMove:
    return LabelMove(
        labels=group,
        rank_before=before.rank_of(group),
        rank_after=after.rank_of(group),
        in_context_before=before.has_in_context(group),
        in_context_after=after.has_in_context(group),
    )
