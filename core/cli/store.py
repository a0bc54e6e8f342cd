"""`specloupe store`: which parts of the store are intact, repair of the others, and who changed
what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from core.cli.ingest import follow
from core.cli.shared.opened import changing
from core.cli.shared.options import (
    SettingsCommand,
    effective,
    json_option,
    quiet_option,
    store_option,
)
from core.cli.shared.out import line, print_json
from core.present import to_dict
from core.workbench.workbench import Workbench

if TYPE_CHECKING:
    from core.index.check import Finding


@click.group()
def store() -> None:
    """Check and repair the store, and see who changed it."""


@store.command(cls=SettingsCommand)
@click.option("--dry-run", is_flag=True, help="Report what is wrong without changing anything.")
@click.option("--embedder", metavar="NAME", help="The embedding model.")
@quiet_option
@json_option
@store_option
def check(dry_run: bool, embedder: str | None, as_json: bool, store: str) -> int:
    """Report which parts of the store are intact, and repair the others.

    Exit status 1 if something can only be restored from the original files or, with --dry-run, if
    anything needs repair.
    """
    settings = effective(None, {"embedder": embedder}).settings
    if not dry_run:
        Workbench.restore(store)
    with changing(store, settings=settings) as workbench:
        found = _said(workbench.check(), as_json)
        if not dry_run and _wrong(found):
            report = follow(workbench.repair())
            line(f"{len(report.repaired)} files were repaired.", err=True)
            found = _said(workbench.check(), as_json)
    if as_json:
        print_json([to_dict(one) for one in found])
    return 1 if _wrong(found) else 0


@store.command()
@click.option(
    "--limit",
    default=50,
    show_default=True,
    type=click.IntRange(1, 100_000),
    help="How many changes to list at most.",
)
@json_option
@store_option
def log(limit: int, as_json: bool, store: str) -> None:
    """List who changed what in the store, the newest first.

    On the pages it is who logged in, on the command line the user of the machine. The text of
    questions is not in it. Changes are kept on the machine that made them.
    """
    with Workbench.open(store, create=False) as workbench:
        found = workbench.change_log.newest(limit)
    if as_json:
        print_json([to_dict(entry) for entry in found])
    for entry in () if as_json else found:
        line("  ".join(filter(None, (entry.at, entry.who, entry.what, entry.of, entry.came))))


def _said(found: Iterable[Finding], quiet: bool) -> list[Finding]:
    said = []
    for one in found:
        said.append(one)
        if not quiet:
            text = f"{one.state}: {one.part}{f' of {one.file}' if one.file else ''}: {one.said}"
            line(text)
    return said


def _wrong(found: Iterable[Finding]) -> list[Finding]:
    return [one for one in found if one.state != "whole"]
