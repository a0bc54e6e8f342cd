"""`specloupe sweep`: try every combination of some settings on labelled sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import click

from core.cli.evaluate import SetPaths, check_saving, eval_sets_argument, questions
from core.cli.shared.opened import opened
from core.cli.shared.options import (
    SettingsCommand,
    json_option,
    quiet_option,
    settings_options,
    store_option,
)
from core.cli.shared.out import line, lines, print_json
from core.cli.shared.progress import At, shown
from core.errors import StoreError
from core.evaluate.compare.sweep import (
    Changes,
    Trial,
    axes,
    combinations,
    named,
    ranked,
)
from core.evaluate.measures import HEADLINE, measure
from core.evaluate.report import tables
from core.evaluate.results import RunResult
from core.evaluate.sets.exchange import read
from core.evaluate.sets.sample import EvalSet
from core.evaluate.tune.sweep import Skipped, Step, Tried
from core.model import JSON
from core.present import to_dict
from core.text.chance import p_value
from core.workbench.workbench import Workbench

FORMATS = {"text": tables.as_text, "markdown": tables.as_markdown}
TAG = "sweep"


@click.command(cls=SettingsCommand)
@eval_sets_argument
@click.option(
    "--set",
    "values",
    multiple=True,
    required=True,
    metavar="SETTING=VALUE,…",
    help="Values to try: max_depth=1,2,3; several settings are combined.",
)
@click.option(
    "--by",
    default="context.recall",
    show_default=True,
    metavar="METRIC",
    help="Metric used to rank the combinations.",
)
@click.option("--save", is_flag=True, help=f"Save each run in the store, tagged {TAG}.")
@click.option("--ragas", is_flag=True, help="Also compute the ragas metrics.")
@click.option("--format", "style", type=click.Choice(tuple(FORMATS)), default="text")
@quiet_option
@json_option
@store_option
@settings_options
def sweep(
    sets: SetPaths,
    values: Sequence[str],
    by: str,
    save: bool,
    ragas: bool,
    style: str,
    as_json: bool,
    store: str,
    settings_file: Path | None,
    **given: object,
) -> None:
    """Try combinations of settings on labelled sets.

    Shows which is best, and whether the difference is significant. Each is compared with the
    current settings, which are evaluated first.
    """
    metric, wanted = measure(by).name, combinations(axes(values))
    eval_sets = [read(path) for path in sets]
    runs: list[tuple[Changes, RunResult]] = []
    unsaved: list[str] = []
    with opened(store, settings_file, given) as workbench:
        if save:
            check_saving(workbench)
        steps = workbench.sweep(eval_sets, wanted, by=metric, whole=save, ragas=ragas)
        for changes, run in _followed(steps, eval_sets):
            runs.append((changes, _saved(run, workbench, unsaved) if save else run))
    (_, before), *tried = runs
    trials = ranked(before, tried, metric)
    if as_json:
        print_json({"before": _plain({}, before), "trials": [*map(_trial, trials)]})
    else:
        lines(FORMATS[style]([_table(before, trials, metric)]))
        line(_verdict(trials), err=True)
    if unsaved:
        raise StoreError(f"{len(unsaved)} of {len(runs)} runs are not saved. {unsaved[-1]}")


def _saved(run: RunResult, workbench: Workbench, unsaved: list[str]) -> RunResult:
    """The run as it is kept; why it is not is noted, and the sweep goes on."""
    try:
        return workbench.runs.save(replace(run, tags=(TAG,)))
    except StoreError as error:
        unsaved.append(str(error))
        return run


def _followed(
    steps: Iterator[Step], eval_sets: Sequence[EvalSet]
) -> Iterator[tuple[Changes, RunResult]]:
    """The runs as they are ready; what is not tried is said on stderr."""
    asked, total = count(1), sum(len(each.samples) for each in eval_sets)

    def place(step: Step) -> At | None:
        return None if isinstance(step, Skipped | Tried) else questions(next(asked), total)

    for step in shown(steps, place):
        if isinstance(step, Skipped):
            line(f"left out: {named(step.changes)}: {step.error}", err=True)
        elif isinstance(step, Tried):
            yield step.changes, step.run


def _table(before: RunResult, trials: Sequence[Trial], by: str) -> tables.Table:
    settings = tuple(trials[0].changes) if trials else ()
    names = [by, *(name for name in HEADLINE if name != by)]
    now = [str(before.settings[name]).lower() for name in settings]
    rows = [[*now, "current", "", "", *_figures(before, names)]]
    rows += [[*_values(trial), *_change(trial), *_figures(trial.run, names)] for trial in trials]
    head = (*settings, "change", "95% interval", "p (Holm)", *names)
    return tables.Table(f"Sweep of {before.name}, {len(before.samples)} questions", head, rows)


def _values(trial: Trial) -> Iterator[str]:
    return (str(value).lower() for value in trial.changes.values())


def _change(trial: Trial) -> tuple[str, str, str]:
    low, high = trial.delta.interval
    return f"{trial.delta.delta:+.3f}", f"{low:+.3f} – {high:+.3f}", p_value(trial.delta.p_holm)


def _figures(run: RunResult, names: Sequence[str]) -> Iterator[str]:
    return (tables.number(name, run.metrics.get(name)) for name in names)


def _verdict(trials: Sequence[Trial]) -> str:
    """What the figures allow to say, in a sentence."""
    if not trials:
        return "Nothing to compare: each combination is invalid or equals the current settings."
    if late := next((t.run for t in trials if not t.delta.comparable), None):
        return (
            late.out_of_time or "Not comparable: the run with the current settings ran out of time."
        )
    best = trials[0]
    if best.delta.gain <= 0:
        return "None is better than the current settings."
    if best.delta.is_significant:
        return f"Best: {best.name}; the difference is statistically significant."
    size = best.delta.detectable
    hint = f" (this many questions can detect {size:.3f})" if size else ""
    return f"Best: {best.name}, but the difference may be chance{hint}."


def _trial(trial: Trial) -> JSON:
    return {**_plain(trial.changes, trial.run), "delta": to_dict(trial.delta)}


def _plain(changes: Changes, run: RunResult) -> dict[str, JSON]:
    return {"settings": dict(changes), "metrics": dict(run.metrics), "run": run.id}
