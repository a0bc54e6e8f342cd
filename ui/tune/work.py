"""A sweep in the background: one question after the other, under all settings at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import product
from typing import Any

from core import Workbench
from core.errors import CallError, SettingsError
from core.evaluate.run import merged
from core.evaluate.sets.sample import EvalSet
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.trace import keys_of
from core.jobs import JOBS, Step, Work
from core.settings import KNOB, Settings, Value
from ui.shared.stoppable import stoppable

KEPT = 4  # grids of this process
MOST = 1000  # combinations
ALL, SINGLE = "all combinations", "one at a time"

_GRIDS: dict[str, Grid] = {}  # by job


def values_of(name: str, texts: Sequence[str]) -> tuple[Value, ...]:
    """What was typed for a setting, each once; raises SettingsError."""
    knob = KNOB[name]
    return tuple(dict.fromkeys(knob.parse(text.strip(), knob.label) for text in texts))


def combined(axes: Mapping[str, Sequence[Value]], how: str) -> list[dict[str, Value]]:
    """The combinations to try; raises CallError for too many."""
    if how == SINGLE:
        return [{name: value} for name, values in axes.items() for value in values]
    count = 1
    for values in axes.values():
        count *= len(values)
    if count > MOST:
        raise CallError(f"{count:,} combinations are more than {MOST:,}: give fewer values.")
    return [dict(zip(axes, each, strict=True)) for each in product(*axes.values())]


def grid_of(
    workbench: Workbench, changes: Mapping[str, Value], wanted: Sequence[Mapping[str, Value]]
) -> tuple[Grid, int]:
    """An empty grid of the settings as they are and those wanted, and how many of these the other
    settings do not allow. `changes` are those of the controls; raises SettingsError for them."""
    now: dict[str, Any] = dict(changes)
    tried: list[Mapping[str, Value]] = [{}]
    settings: list[Settings] = [workbench.changed(**now)]
    refused = 0
    for each in wanted:
        try:
            made = workbench.changed(**{**now, **each})
        except SettingsError:
            refused += 1
            continue
        if made not in settings:
            tried.append(each)
            settings.append(made)
    return Grid(tried, settings), refused


def searches(grid: Grid) -> int:
    """How often each question is searched."""
    return len({keys_of(settings).search for settings in grid.settings})


def start(workbench: Workbench, eval_sets: Sequence[EvalSet], grid: Grid) -> str:
    """Fill the grid in the background; gives the job's id. Raises StoreBusy while another runs."""
    job = JOBS.start(
        workbench.store,
        " + ".join(each.name for each in eval_sets),
        lambda: _filled(workbench, eval_sets, grid),
        total=sum(len(each.samples) for each in eval_sets),
    )
    _GRIDS[job] = grid
    for old in list(_GRIDS)[:-KEPT]:
        del _GRIDS[old]
    return job


def found(job_id: str) -> Grid | None:
    """What a job has found so far, or had found when it was stopped; None where that is gone."""
    return _GRIDS.get(job_id)


def _filled(workbench: Workbench, eval_sets: Sequence[EvalSet], grid: Grid) -> Work:
    samples = merged(eval_sets)

    def rows(stop: Any) -> Iterator[Any]:
        yield from workbench.measured(samples, grid.settings, stop=stop)

    asked: Any = stoppable(rows)
    with closing(asked):
        for row in asked:
            if row is not None:
                grid.rows.append(row)
            done = len(grid.rows)
            yield Step(done, samples[done - 1].query if done else "")
    return ()
