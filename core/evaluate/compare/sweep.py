"""Every combination of some settings, tried on the same questions: which is best, and by more than
chance?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from core.errors import CallError
from core.evaluate.compare.compare import Delta, compare
from core.evaluate.compare.statistics import holm
from core.evaluate.results import RunResult
from core.settings import Value, knob_named

MOST = 1000  # combinations
Changes = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Trial:
    """One combination of settings, and how it compares with the settings as they were."""

    changes: Changes
    run: RunResult
    delta: Delta  # of the metric that decides; its `p_holm` counts all trials

    @property
    def name(self) -> str:
        return named(self.changes)


def named(changes: Changes) -> str:
    return ", ".join(f"{name}={str(value).lower()}" for name, value in changes.items())


def axis(text: str) -> tuple[str, tuple[Value, ...]]:
    """A setting and its values, from `max_depth=1,2,3`; raises CallError, SettingsError."""
    name, equals, values = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise CallError(f"--set {text}: write SETTING=VALUE,VALUE, as in max_depth=1,2,3.")
    knob = knob_named(name, f"--set {text}")
    parsed = (knob.parse(value.strip(), f"--set {name}") for value in values.split(","))
    return name, tuple(dict.fromkeys(parsed))


def axes(texts: Sequence[str]) -> Mapping[str, tuple[Value, ...]]:
    """The values of each setting; raises as `axis`, and CallError for a setting given twice."""
    found: dict[str, tuple[Value, ...]] = {}
    for name, values in map(axis, texts):
        if name in found:
            raise CallError(f"--set {name} is given twice: write all its values in one.")
        found[name] = values
    return found


def combinations(axes: Mapping[str, Sequence[Value]]) -> list[Changes]:
    """Each value of each setting with each of the others; raises CallError for too many."""
    count = prod(map(len, axes.values()))
    if count > MOST:
        raise CallError(f"{count} combinations are more than {MOST}: give fewer values.")
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def check_measured(run: RunResult, by: str) -> None:
    """Raise CallError where no question of the run defines the metric."""
    if not any(by in sample.metrics for sample in run.samples):
        raise _undecided(by)


def ranked(
    before: RunResult, tried: Sequence[tuple[Changes, RunResult]], by: str
) -> tuple[Trial, ...]:
    """The trials by this metric, best first; equals stay in their order. `before` is the run with
    the settings as they were. Raises CallError where no question defines the metric."""
    trials = [Trial(changes, run, _delta(before, run, by)) for changes, run in tried]
    adjusted = holm({str(n): trial.delta.p for n, trial in enumerate(trials)})
    counted = [
        replace(trial, delta=replace(trial.delta, p_holm=adjusted[str(n)]))
        for n, trial in enumerate(trials)
    ]
    return tuple(sorted(counted, key=lambda trial: -trial.delta.gain))


def _delta(before: RunResult, after: RunResult, by: str) -> Delta:
    deltas = compare(before, after, metrics=(by,)).deltas
    if not deltas:
        raise _undecided(by)
    return deltas[0]


def _undecided(by: str) -> CallError:
    return CallError(
        f"{by} is not measured here, so it cannot rank the combinations; choose another with --by."
    )
