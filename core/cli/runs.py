"""`specloupe runs`: the leaderboard of saved runs, their notes and marks, and their exports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from core.cli.shared.opened import changing
from core.cli.shared.options import json_option, store_option
from core.cli.shared.out import line, lines, print_json, write
from core.evaluate.measures import HEADLINE
from core.evaluate.report import report, tables
from core.evaluate.results import RunResult
from core.workbench.workbench import Workbench

RUN = click.argument("run_id", metavar="RUN")


@click.group()
def runs() -> None:
    """List, annotate, export and delete saved runs.

    RUN is an id, the first characters of one, `latest` or `baseline`.
    """


@runs.command(name="list")
@click.option(
    "--find",
    "text",
    default="",
    metavar="TEXT",
    help="Only runs whose name, note or id contains TEXT.",
)
@click.option("--tag", default="", help="Only runs with this tag.")
@click.option("--baseline", is_flag=True, help="Only the baseline run.")
@json_option
@store_option
def list_runs(text: str, tag: str, baseline: bool, as_json: bool, store: str) -> None:
    """The leaderboard: saved runs with their main metrics, newest first."""
    with Workbench.open(store, create=False) as workbench:
        found = workbench.runs.newest(text=text, tag=tag, baseline=baseline)
        damaged = workbench.runs.damaged()
    for run_id in damaged:
        line(
            f"The saved run {run_id} is damaged; `specloupe runs rm {run_id}` deletes it.",
            err=True,
        )
    if as_json:
        print_json([run.to_dict() for run in found])
    elif found:
        lines(tables.as_text([_leaderboard(found)]))
    else:
        line("No saved run matches; `specloupe eval EVAL_SET --save` saves one.", err=True)


@runs.command()
@RUN
@click.option("--format", "style", type=click.Choice(tuple(report.FORMATS)), default="text")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write to this file instead of standard output.",
)
@store_option
def export(run_id: str, style: str, out: Path | None, store: str) -> None:
    """Write one run as text, CSV, JSONL, JSON, Markdown, a TREC run or an HTML report."""
    with Workbench.open(store, create=False) as workbench:
        text = report.write(workbench.runs.get(run_id), style)
    write(out, text, is_json=style in report.AS_JSON)


@runs.command()
@RUN
@click.option("--note", help="Replace the run's note.")
@click.option("--tag", "tags", multiple=True, help="Replace the run's tags.")
@click.option(
    "--baseline/--no-baseline", default=None, help="Mark or unmark the run as the baseline."
)
@store_option
def mark(
    run_id: str, note: str | None, tags: Sequence[str], baseline: bool | None, store: str
) -> None:
    """Set a run's note or tags, or mark it as the baseline; such runs are never pruned."""
    with changing(store) as workbench:
        run = workbench.runs.get(run_id)
        workbench.runs.annotate(run.id, notes=note, tags=tags or None)
        if baseline:
            workbench.runs.mark_baseline(run.id)
        elif baseline is False and run.baseline:
            workbench.runs.mark_baseline(None)


@runs.command()
@click.argument("run_ids", metavar="RUN…", nargs=-1, required=True)
@store_option
def rm(run_ids: Sequence[str], store: str) -> None:
    """Delete saved runs."""
    with changing(store) as workbench:
        for run_id in [workbench.runs.find(each) for each in run_ids]:
            workbench.runs.delete(run_id)


def _leaderboard(found: Sequence[RunResult]) -> tables.Table:
    head = ("run", "set", "questions", *HEADLINE, "tags", "note")
    return tables.Table("Saved runs", head, list(_rows(found)))


def _rows(found: Sequence[RunResult]) -> Iterator[Sequence[str]]:
    for run in found:
        figures = (tables.number(name, run.metrics.get(name)) for name in HEADLINE)
        asked = str(run.questions)
        asked += f" ({run.timed_out} out of time)" if run.timed_out else ""
        mark = f"{run.id} (baseline)" if run.baseline else run.id
        yield mark, run.name, asked, *figures, ", ".join(run.tags), run.notes
