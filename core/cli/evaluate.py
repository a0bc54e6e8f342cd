"""`specloupe lint`, `eval` and `compare`: labelled sets, runs over them, and the gate."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import click
import orjson

from core.cli.shared.opened import opened
from core.cli.shared.options import (
    SettingsCommand,
    json_option,
    quiet_option,
    settings_options,
    store_option,
)
from core.cli.shared.out import line, lines, print_json, write
from core.cli.shared.progress import At, last_of
from core.errors import CallError, EvalSetError, StoreError
from core.evaluate.compare import comment, gate
from core.evaluate.compare.compare import Comparison
from core.evaluate.compare.compare import compare as compare_runs
from core.evaluate.report import report
from core.evaluate.results import RunResult, SampleResult
from core.evaluate.sets.exchange import read
from core.evaluate.sets.lint import lint as lint_set
from core.evaluate.sets.sample import EvalSet
from core.present import to_dict
from core.settings import knob_named
from core.text.money import and_dollars
from core.text.plural import counted
from core.text.safe import one_line
from core.workbench.workbench import Workbench

SetPaths = tuple[Path, ...]
LONGEST = 4_000  # characters of a line of `lint`
eval_sets_argument = click.argument(
    "sets", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="EVAL_SET…"
)


@click.command()
@eval_sets_argument
@json_option
@store_option
def lint(sets: SetPaths, as_json: bool, store: str) -> int:
    """Check labelled question sets for unknown labels, duplicates and contradictions.

    Exit status 2 if a set cannot be used as it is.
    """
    with Workbench.open(store, create=False) as workbench:
        labels = workbench.labels()
        found = {str(path): lint_set(read(path), labels) for path in sets}
    if as_json:
        print_json({path: to_dict(each) for path, each in found.items()})
    else:
        for path, each in found.items():
            for finding in each.findings:
                line(one_line(str(finding), LONGEST))
            made = each.composition
            line(f"{path}: {made.questions} questions, {made.labels} labels")
            for title in ("tags", "intents", "apis"):
                counts = getattr(made, title)
                listed = ", ".join(f"{name} {count}" for name, count in counts.items())
                line(one_line(f"  {title}: {listed}", LONGEST))
    return 2 if any(each.errors for each in found.values()) else 0


@click.command(name="eval", cls=SettingsCommand)
@eval_sets_argument
@click.option(
    "--fail-under",
    multiple=True,
    metavar="NAME=VALUE",
    help="Exit 1 if the metric is below this value.",
)
@click.option(
    "--fail-over",
    multiple=True,
    metavar="NAME=VALUE",
    help="Exit 1 if the metric is above this value.",
)
@click.option(
    "--baseline", metavar="RUN|FILE", help="A saved run, or a file written by `eval --json`."
)
@click.option(
    "--max-drop",
    multiple=True,
    metavar="NAME=VALUE",
    help="Exit 1 if the metric is worse than in the baseline by more than this.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="NAME=VALUE",
    help="Run again with this setting and compare, as in intent_filter=off.",
)
@click.option("--save", is_flag=True, help="Save the run in the store.")
@click.option("--note", default="", help="Note for the saved run.")
@click.option("--tag", "tags", multiple=True, help="Tag for the saved run; may be repeated.")
@click.option("--ragas/--no-ragas", default=True, help="Also compute the ragas metrics.")
@click.option(
    "--remedies/--no-remedies",
    default=True,
    help="Also try which settings would take missed labels in, and at what cost.",
)
@click.option(
    "--budget-tokens",
    type=click.IntRange(0),
    default=0,
    metavar="NUMBER",
    help="End the run once a language model has read and written so many; 0: no limit.",
)
@click.option(
    "--budget-usd",
    type=click.FloatRange(0),
    default=0.0,
    metavar="NUMBER",
    help="End the run once a language model has cost so many dollars; 0: no limit.",
)
@click.option(
    "--judge",
    default="",
    metavar="MODEL",
    help="Also have a language model at LLM_BASE_URL judge contexts and answers.",
)
@click.option(
    "--judge-repeats",
    type=click.IntRange(1, 20),
    default=3,
    show_default=True,
    help="How often the judge is asked about each question.",
)
@click.option("--format", "style", type=click.Choice(tuple(report.FORMATS)), help="Output format.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write to this file.")
@click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit XML report."
)
@click.option(
    "--summary",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a Markdown summary; with --baseline, also what was won and lost since.",
)
@quiet_option
@json_option
@store_option
@settings_options
def evaluate(
    sets: SetPaths,
    fail_under: Sequence[str],
    fail_over: Sequence[str],
    baseline: str | None,
    max_drop: Sequence[str],
    against: Sequence[str],
    save: bool,
    note: str,
    tags: Sequence[str],
    ragas: bool,
    remedies: bool,
    budget_tokens: int,
    budget_usd: float,
    judge: str,
    judge_repeats: int,
    style: str | None,
    out: Path | None,
    junit: Path | None,
    summary: Path | None,
    as_json: bool,
    store: str,
    settings_file: Path | None,
    **given: object,
) -> int:
    """Score retrieval on labelled question sets. Exit status 1 if a metric is out of bounds."""
    under = gate.bounds(fail_under, "--fail-under")
    over = gate.bounds(fail_over, "--fail-over")
    drops = gate.bounds(max_drop, "--max-drop")
    changes = _changes(against)
    eval_sets = [read(path) for path in sets]
    with opened(store, settings_file, given) as workbench:
        before = _run_of(baseline, workbench) if baseline else None
        if save:
            check_saving(workbench)
        ask = partial(
            workbench.evaluate,
            eval_sets,
            ragas=ragas,
            remedies=remedies,
            budget_tokens=budget_tokens,
            budget_usd=budget_usd,
            judge=judge,
            judge_repeats=judge_repeats,
        )
        _say_cost(workbench, eval_sets, changes, judge_repeats if judge else 0)
        run = follow(ask(), eval_sets)
        other = None
        if changes:
            options = cast("dict[str, Any]", changes)
            other = follow(ask(**options), eval_sets)
        unsaved = ""
        if save:
            run, *others = labelled = [_labelled(r, note, tags) for r in (run, other) if r]
            try:
                run, *others = workbench.runs.save_all(labelled)
            except StoreError as error:  # the figures are printed all the same
                unsaved = str(error)
            other = others[0] if others else None
    checks = gate.check(run, fail_under=under, fail_over=over, baseline=before, max_drop=drops)
    if junit:
        write(junit, gate.junit(run, checks))
    if summary:
        compared = comment.won_and_lost(before, run) if before else ""
        write(summary, gate.markdown(run, checks) + compared)
    form = "json" if as_json else style or "text"
    write(out, report.write(run, form), is_json=form in report.AS_JSON)
    for saved in filter(None, (run, other)):
        if saved.id:
            line(f"saved as run {saved.id}", err=True)
    if other:
        # where another program reads standard output, it gets the run alone
        aside = out is None and (as_json or style not in (None, "text"))
        lines(report.comparison_text(compare_runs(run, other)) + "\n", err=aside)
    for problem in filter(None, (run.out_of_time, *run.problems)):
        line(problem, err=True)
    for check in checks:
        line(str(check), err=True)
    if unsaved:
        raise StoreError(f"The figures above are not saved. {unsaved}")
    return 0 if gate.passed(checks) else 1


def _say_cost(
    workbench: Workbench,
    eval_sets: Sequence[EvalSet],
    against: Mapping[str, Any],
    repeats: int,
) -> None:
    """Say before the first question what a language model will cost, where one is asked."""
    questions = sum(len(each.samples) for each in eval_sets)
    each_run = [workbench.model_cost(questions, **c) for c in ({}, *([against] if against else []))]
    if repeats:
        each_run += [workbench.judge_cost(questions, repeats)] * len(each_run)
    calls = sum(found.calls for found, _ in each_run)
    if calls:
        tokens, usd = sum(f.tokens for f, _ in each_run), sum(money for _, money in each_run)
        cost = f"{tokens:,} tokens{and_dollars(usd)}"
        line(f"The model is asked at most {calls:,} times: {cost}.", err=True)


def check_saving(workbench: Workbench) -> None:
    """Say before the first question that a run cannot be saved now; its figures are printed."""
    try:
        workbench.runs.check_writable()
    except StoreError as error:
        line(
            f"Runs cannot be saved at the moment: {error} The evaluation continues; "
            "saving is tried again at the end.",
            err=True,
        )


@click.command()
@click.argument("before", metavar="RUN")
@click.argument("after", metavar="RUN")
@json_option
@store_option
def compare(before: str, after: str, as_json: bool, store: str) -> None:
    """Compare two runs, saved or written by `eval --json`: differences with 95% intervals."""
    with Workbench.open(store) as workbench:
        found = compare_runs(_run_of(before, workbench), _run_of(after, workbench))
    _show_comparison(found, as_json)


def _show_comparison(found: Comparison, as_json: bool) -> None:
    if as_json:
        print_json(to_dict(found))
    else:
        lines(report.comparison_text(found))


def _run_of(name: str, workbench: Workbench) -> RunResult:
    """A saved run by its id, or a file that `eval --json` wrote."""
    path = Path(name)
    if not os.path.isfile(path):  # `Path.is_file` raises for a name that is too long
        return workbench.runs.get(name)
    try:
        values = orjson.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise EvalSetError(f"{name}: not a file written by `eval --json` ({error}).") from error
    return RunResult.from_dict(values, name)


def follow(results: Iterator[SampleResult | RunResult], eval_sets: Sequence[EvalSet]) -> RunResult:
    """Show progress, and return the run."""
    total = sum(len(each.samples) for each in eval_sets)

    def place(step: tuple[int, SampleResult | RunResult]) -> At | None:
        done, result = step
        return None if isinstance(result, RunResult) else questions(done, total)

    _, last = last_of(enumerate(results, start=1), place)
    assert isinstance(last, RunResult)
    return last


def questions(done: int, total: int) -> At:
    """How far asking a set is."""
    return At(done, total, f"{done:,} of {counted(total, 'question')}")


def _labelled(run: RunResult, note: str, tags: Sequence[str]) -> RunResult:
    from dataclasses import replace

    return replace(run, notes=note, tags=tuple(sorted(set(tags))))


def _changes(against: Sequence[str]) -> Mapping[str, bool | int | float | str]:
    changes = {}
    for text in against:
        name, equals, raw = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise CallError(f"--against {text}: write SETTING=VALUE, as in intent_filter=off.")
        changes[name] = knob_named(name, f"--against {text}").parse(raw, f"--against {name}")
    return changes
