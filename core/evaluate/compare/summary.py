"""Sum the results of an evaluation up: means, intervals, slices, latencies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil

from core.evaluate.compare.statistics import bootstrap_interval
from core.evaluate.measures import MEASURE, PERCENTILES, TIMED
from core.evaluate.results import RunResult, SampleResult
from core.model import JSON


@dataclass(frozen=True, slots=True)
class Provenance:
    """What was run, to be saved beside what came out."""

    name: str  # of the set, or sets
    set_hash: str
    settings: Mapping[str, JSON] = field(default_factory=dict)
    store: Mapping[str, JSON] = field(default_factory=dict)  # summary of the manifest
    code_version: str = ""


def summarise(
    results: Sequence[SampleResult],
    provenance: Provenance,
    *,
    complete: bool = True,
    problems: Sequence[str] = (),
) -> RunResult:
    """The run that these results are; `complete` is False when it was stopped early."""
    by_slice = _by_slice(results)
    values = _values(results)
    return RunResult(
        name=provenance.name,
        set_hash=provenance.set_hash,
        settings=provenance.settings,
        store=provenance.store,
        code_version=provenance.code_version,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        metrics=metrics(results),
        counts={name: len(scores) for name, scores in values.items()},
        intervals={name: bootstrap_interval(scores) for name, scores in values.items()},
        slices={name: metrics(members) for name, members in by_slice.items()},
        slice_sizes={name: len(members) for name, members in by_slice.items()},
        samples=tuple(results),
        complete=complete,
        problems=tuple(problems),
        timed_out=sum(result.timed_out for result in results),
    )


def metrics(results: Sequence[SampleResult]) -> dict[str, float]:
    """Macro averages over the questions that each metric is defined for, and the latencies.

    A result without a time was not searched for, but recomputed from another search.
    """
    means = {name: sum(scores) / len(scores) for name, scores in _values(results).items()}
    searched = [result for result in results if result.milliseconds]
    return means | times(searched)


def times(results: Sequence[SampleResult]) -> dict[str, float]:
    """`latency.*` of results that were searched for, as a whole and by stage."""
    return latencies([each.milliseconds for each in results]) | _stages(results)


def latencies(milliseconds: Sequence[float]) -> dict[str, float]:
    """`latency.*`; percentiles are nearest ranks, so each was really measured."""
    if not milliseconds:
        return {}
    ordered = sorted(milliseconds)
    ranks = {p: ordered[max(0, ceil(p / 100 * len(ordered)) - 1)] for p in PERCENTILES}
    return {
        **{f"latency.p{p}_ms": value for p, value in ranks.items()},
        "latency.mean_ms": sum(ordered) / len(ordered),
        "latency.max_ms": ordered[-1],
    }


def _stages(results: Sequence[SampleResult]) -> dict[str, float]:
    """`latency.*` by stage: its mean over the questions that went through it."""
    taken = {name: [r.stages[name] for r in results if name in r.stages] for name in TIMED}
    return {f"latency.{name}_ms": sum(ms) / len(ms) for name, ms in taken.items() if ms}


def _values(results: Sequence[SampleResult]) -> dict[str, list[float]]:
    """The defined scores of each metric, in the catalogue's order."""
    values: dict[str, list[float]] = {}
    for result in results:
        for name, score in result.metrics.items():
            values.setdefault(name, []).append(score)
    return {name: values[name] for name in MEASURE if name in values}


def _by_slice(results: Sequence[SampleResult]) -> dict[str, list[SampleResult]]:
    slices: dict[str, list[SampleResult]] = {}
    for result in results:
        for name in dict.fromkeys(_slices(result)):
            slices.setdefault(name, []).append(result)
    return dict(sorted(slices.items()))


def _slices(result: SampleResult) -> Iterator[str]:
    yield from (f"tag: {tag}" for tag in result.tags)
    if result.intent:
        yield f"intent: {result.intent}"
    yield from (f"api: {api}" for api in result.apis)
