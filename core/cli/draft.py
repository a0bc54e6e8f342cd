"""`specloupe draft`: questions that a model drafts for one API, each with its labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from core.cli.evaluate import questions
from core.cli.ingest import yes_option
from core.cli.shared.opened import changing
from core.cli.shared.options import store_option
from core.cli.shared.out import line, write
from core.cli.shared.paid import agrees, tell_cost
from core.cli.shared.progress import shown
from core.errors import CallError
from core.evaluate.labelling.by_model import KINDS
from core.evaluate.labelling.versions import Origin
from core.evaluate.sets.sample import EvalSet
from core.evaluate.sets.sets import dump
from core.text.plural import counted


@click.command()
@click.argument("api", metavar="FILE_ID")
@click.option(
    "--count",
    type=click.IntRange(1, 500),
    default=20,
    show_default=True,
    help="How many questions to draft at most.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(tuple(KINDS)),
    help="Kinds of questions; all by default. May be repeated.",
)
@click.option(
    "--set", "name", default="", help="Add them to this set of the store, to be labelled."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write them to this file (.yaml, .json or .jsonl).",
)
@yes_option
@store_option
def draft(
    api: str,
    count: int,
    kinds: Sequence[str],
    name: str,
    out: Path | None,
    yes: bool,
    store: str,
) -> int:
    """Have a language model draft questions for one API, labelled with what they were drafted from.

    LLM_MODEL names the model. The cost is said first. They are drafts: look at each on the page
    Label, where the ones of a --set wait, before you measure anything with them. Exit status 1 if
    nobody agreed to the cost.
    """
    if not (name or out):
        raise CallError("Say where the questions go: --set NAME, or --out FILE.")
    with changing(store) as workbench:
        cost, usd = workbench.drafting_cost(api, count, kinds)
        tell_cost(cost, usd)
        if not agrees(yes):
            line("No question was drafted: --yes agrees to the cost.", err=True)
            return 1
        steps = enumerate(workbench.draft_questions(api, count, kinds), start=1)
        drafted = [
            sample for _, sample in shown(steps, lambda step: questions(step[0], cost.calls))
        ]
        samples = tuple(sample for sample in drafted if sample)
        if name:
            workbench.label_sets.add(name, samples, Origin.MODEL, api)
    if out:
        write(out, dump(EvalSet(out.stem, samples), out.suffix))
    left_out = len(drafted) - len(samples)
    line(f"{counted(len(samples), 'question')} drafted, {left_out} left out.", err=True)
    return 0
