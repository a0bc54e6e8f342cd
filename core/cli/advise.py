"""`specloupe advise depth`: how deep references need to be followed, by what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from core.cli.shared.opened import opened
from core.cli.shared.options import SettingsCommand, json_option, settings_options, store_option
from core.cli.shared.out import line, print_json
from core.errors import CallError
from core.evaluate.sets.exchange import read
from core.evaluate.sets.sample import Sample
from core.evaluate.tune.depth import SHARE, Depths, of_thumbs
from core.present import to_dict
from core.text.plural import counted
from core.workbench.workbench import Workbench

THUMBS = "thumbs"


@click.group()
def advise() -> None:
    """Say which settings fit labelled questions."""


@advise.command(cls=SettingsCommand)
@click.argument("labelled", metavar=f"EVAL_SET|{THUMBS}")
@click.option(
    "--share",
    type=click.FloatRange(0.01, 1.0),
    default=SHARE,
    show_default=True,
    help="Share of what any depth finds that the advised one must keep.",
)
@json_option
@store_option
@settings_options
def depth(
    labelled: str,
    share: float,
    as_json: bool,
    store: str,
    settings_file: Path | None,
    **given: object,
) -> None:
    """Print the least depth that keeps nearly all expected answers in the context, by intent.

    The questions are those of a labelled set, or those that got a thumb up on Query.
    """
    with opened(store, settings_file, given) as workbench:
        found = list(workbench.advise_depth(_samples(labelled, workbench)))
    if as_json:
        print_json([{**to_dict(each), "least": each.least(share)} for each in found])
        return
    for each in found:
        line(_told(each, share))


def _samples(labelled: str, workbench: Workbench) -> Sequence[Sample]:
    if labelled != THUMBS:
        return read(Path(labelled)).samples
    found = of_thumbs(workbench.kept.thumbed_up())
    if not found:
        raise CallError("No result has a thumb up yet: give some on Query, or name a labelled set.")
    return found


def _told(each: Depths, share: float) -> str:
    least = each.least(share)
    by_depth = ", ".join(f"{depth}: {found}" for depth, found in enumerate(each.found))
    return (
        f"{each.intent}: depth {least} ({counted(each.questions, 'question')}, "
        f"{each.tokens[least]:,.0f} tokens each; of {each.wanted} expected answers by depth "
        f"{by_depth})"
    )
