"""A sweep in the background: one question after the other, under all settings at once; what it
finds is in the store before the page shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from time import monotonic
from typing import Any

from core import Workbench
from core.errors import SettingsError
from core.evaluate.results import RunResult
from core.evaluate.run import merged
from core.evaluate.sets.sample import EvalSet, Sample
from core.evaluate.tune.choose import Grid
from core.evaluate.tune.kept import Asked
from core.evaluate.tune.measured import Row
from core.evaluate.tune.plans import halved
from core.evaluate.tune.trace import keys_of
from core.jobs import JOBS, Step, Work
from core.settings import KNOB, Settings, Value
from ui.shared.stoppable import stoppable

KEPT = 6  # grids of this process
PIECE, SECONDS = 20, 2.0  # questions that are kept together, and for how long they wait for others

_GROUPED = re.compile(r"(?<=\d)[.,’\u202f\xa0](?=\d{3}(?!\d))")  # `4,000` in some language

_GRIDS: dict[str, Grid] = {}  # by sweep
_JOBS: dict[str, str] = {}  # by sweep: the job that fills it
_PACE: dict[str, float] = {}  # by store: seconds that a question took, by search


def values_of(name: str, texts: Sequence[str]) -> tuple[Value, ...]:
    """What was typed for a setting, each once: values, and ranges as `0.1..0.5` or
    `1000..8000 by 1000`. Raises SettingsError."""
    return tuple(dict.fromkeys(value for text in texts for value in _values(name, text.strip())))


def _values(name: str, text: str) -> Iterator[Value]:
    knob = KNOB[name]
    if isinstance(knob.default, float):
        text = text.replace(",", ".")  # as many people write it
    elif isinstance(knob.default, int):
        text = _GROUPED.sub("", text)  # as the values that are there are written
    low, dots, rest = text.partition("..")
    if not dots:
        yield knob.parse(text, knob.label)
        return
    high, _, by = rest.partition(" by ")
    first, last = (knob.parse(each.strip(), knob.label) for each in (low, high))
    if not isinstance(first, int | float) or not isinstance(last, int | float):
        raise SettingsError(f"{knob.label}: a range is of numbers, such as 1..5.")
    try:
        step = float(by) if by.strip() else 1.0 if isinstance(first, int) else (last - first) / 4
    except ValueError:
        raise SettingsError(f"{knob.label}: the step {by.strip()!r} is not a number.") from None
    if step <= 0 or (last - first) / step > 100:
        raise SettingsError(f"{knob.label}: {text} is not a range of at most 100 values.")
    for number in range(int((last - first) / step + 1e-9) + 1):
        value = round(first + number * step, 6)
        yield knob.parse(int(value) if isinstance(first, int) else value, knob.label)


def grid_of(
    workbench: Workbench, changes: Mapping[str, Value], wanted: Sequence[Mapping[str, Value]]
) -> tuple[Grid, int]:
    """An empty grid of the settings as they are and those wanted, and how many of these the other
    settings do not allow. `changes` are those of the controls; raises SettingsError for them."""
    now: dict[str, Any] = dict(changes)
    settings: dict[Settings, Mapping[str, Value]] = {workbench.changed(**now): {}}
    refused = 0
    for each in wanted:
        try:
            settings.setdefault(workbench.changed(**{**now, **each}), each)
        except SettingsError:
            refused += 1
    return Grid([*settings.values()], [*settings]), refused


def searches(grid: Grid) -> int:
    """How often each question is searched."""
    return len({keys_of(settings).search for settings in grid.settings})


def seconds(workbench: Workbench, grid: Grid, questions: int) -> float | None:
    """How long it may take, by the last sweep of this store; None where there was none."""
    pace = _PACE.get(workbench.store)
    return None if pace is None else pace * searches(grid) * questions


def start(workbench: Workbench, eval_sets: Sequence[EvalSet], grid: Grid, by: str = "") -> str:
    """Fill the grid in the background; gives the sweep's id. With `by`, combinations are eliminated
    by that metric first. Raises StoreBusy while another job runs, StoreError."""
    name = " + ".join(each.name for each in eval_sets)
    asked = Asked.of(name, merged(eval_sets), grid, workbench.generation, by)
    sweep_id = workbench.sweeps.begin(asked)
    _GRIDS[sweep_id] = grid
    for old in list(_GRIDS)[:-KEPT]:
        del _GRIDS[old]
    _begin(workbench, sweep_id, asked, grid)
    return sweep_id


def go_on(workbench: Workbench, sweep_id: str) -> None:
    """Ask the questions that are left; raises StoreBusy, StoreError."""
    asked, grid = workbench.sweeps.asked(sweep_id), found(workbench, sweep_id)
    if asked and grid:
        _begin(workbench, sweep_id, asked, grid)


def _begin(workbench: Workbench, sweep_id: str, asked: Asked, grid: Grid) -> None:
    total = len(asked.samples) - len(grid.rows)
    _JOBS[sweep_id] = JOBS.start(
        workbench.store, asked.name, lambda: _filled(workbench, sweep_id, asked, grid), total=total
    )


def make_baseline(workbench: Workbench, sweep_id: str, settings: Settings) -> None:
    """Evaluate these settings in the background on the sweep's questions, save the run, and mark it
    as the baseline. Raises StoreBusy, StoreError."""
    if asked := workbench.sweeps.asked(sweep_id):
        questions = EvalSet(asked.name, asked.samples)
        JOBS.start(
            workbench.store,
            f"Baseline on {asked.name}",
            lambda: _as_baseline(workbench, questions, settings),
            total=len(asked.samples),
        )


def _as_baseline(workbench: Workbench, questions: EvalSet, settings: Settings) -> Work:
    changes: Any = settings.to_dict()
    for done, step in enumerate(workbench.evaluate([questions], ragas=False, **changes), start=1):
        if isinstance(step, RunResult):
            run = workbench.runs.save(step)
            workbench.runs.mark_baseline(run.id)
            return (run.id,)
        yield Step(done, step.query)
    return ()


def job_of(sweep_id: str) -> str:
    """The job that fills or filled it; "" where this process has none."""
    return _JOBS.get(sweep_id, "")


def found(workbench: Workbench, sweep_id: str) -> Grid | None:
    """What a sweep has found so far, by this process or an earlier one; None where it is gone."""
    if sweep_id not in _GRIDS and (grid := workbench.sweeps.grid(sweep_id)):
        _GRIDS[sweep_id] = grid
    return _GRIDS.get(sweep_id)


def left(workbench: Workbench, sweep_id: str, grid: Grid) -> int:
    """How many questions are still to be asked; 0 where the store has changed since."""
    asked = workbench.sweeps.asked(sweep_id)
    if asked is None or asked.generation != workbench.generation:
        return 0
    return len(asked.samples) - len(grid.rows)


def _filled(workbench: Workbench, sweep_id: str, asked: Asked, grid: Grid) -> Work:
    before = 0
    if asked.halving_by:
        asked, before = yield from _narrowed(workbench, sweep_id, asked, grid)
    samples, kept, began = asked.samples[len(grid.rows) :], len(grid.rows), monotonic()
    said, done = monotonic(), 0
    try:
        for row in _measured(workbench, samples, grid.settings):
            if row is not None:
                grid.rows.append(row)
                done += 1
            if len(grid.rows) - kept >= PIECE or monotonic() - said > SECONDS:
                kept, said = _keep(workbench, sweep_id, grid, kept), monotonic()
            yield Step(before + done, grid.rows[-1].sample.query if done else "")
    finally:
        _keep(workbench, sweep_id, grid, kept)
    if done:
        _PACE[workbench.store] = (monotonic() - began) / done / searches(grid)
    return ()


def _keep(workbench: Workbench, sweep_id: str, grid: Grid, kept: int) -> int:
    if rows := grid.rows[kept:]:
        workbench.sweeps.add(sweep_id, kept, rows)
    return len(grid.rows)


def _narrowed(workbench: Workbench, sweep_id: str, asked: Asked, grid: Grid) -> Any:
    """Steps; the sweep of what was not eliminated, which the grid is of from now on, and how many
    questions that took."""

    def measure(samples: Sequence[Sample], settings: Sequence[Settings]) -> Iterator[Any]:
        return workbench.measured(samples, settings)

    done = 0
    for step in halved(grid, asked.samples, asked.halving_by, measure):
        if isinstance(step, Row):
            done += 1
            yield Step(done, step.sample.query)
            continue
        rest, samples = step
        grid.changes, grid.settings = rest.changes, rest.settings
        again = Asked.of(asked.name, samples, grid, asked.generation)
        asked = replace(again, created=asked.created)
        workbench.sweeps.narrow(sweep_id, asked)
    return asked, done


def _measured(
    workbench: Workbench, samples: Sequence[Sample], settings: Sequence[Settings]
) -> Iterator[Any]:
    """The rows, and None whenever one is not there yet."""

    def rows(stop: Any) -> Iterator[Any]:
        yield from workbench.measured(samples, settings, stop=stop)

    asked: Any = stoppable(rows)
    with closing(asked):
        yield from asked
