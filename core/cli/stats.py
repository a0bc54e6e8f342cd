"""`specloupe stats`: what the store holds, and what its last retrievals came to."""

from __future__ import annotations

import click

from core.cli.shared.options import json_option, store_option
from core.cli.shared.out import lines, print_json
from core.evaluate.report import tables
from core.present import to_dict
from core.workbench.recorder import in_words, slowest_in_words
from core.workbench.workbench import StoreFigures, Workbench


@click.command()
@json_option
@store_option
def stats(as_json: bool, store: str) -> None:
    """Summarise the store and its last 10,000 retrievals, from the app, commands and Python.

    Only numbers are kept alongside the store, never the text of questions.
    """
    with Workbench.open(store, create=False) as workbench:
        held, asked = workbench.figures(), workbench.recorded()
    if as_json:
        print_json({"store": to_dict(held), "retrievals": to_dict(asked)})
        return
    head = ("figure", "value")
    said = [
        tables.Table(f"The store {store}", head, held_rows(held)),
        tables.Table("The last retrievals", head, in_words(asked)),
    ]
    if asked.stage_ms:
        spent = [(name.replace("_", " "), f"{ms:,.1f} ms") for name, ms in asked.stage_ms.items()]
        slow = ("the slowest", "took", "most of it", "came to")
        said.append(tables.Table("Where their time went", ("stage", "on average"), spent))
        said.append(tables.Table("The slowest", slow, slowest_in_words(asked)))
    lines(tables.as_text(said))


def held_rows(held: StoreFigures) -> list[tuple[str, str]]:
    """What the store holds, in words."""
    return [
        ("specifications", f"{held.specs:,}"),
        ("operations", f"{held.operations:,}"),
        ("schemas", f"{held.schemas:,}"),
        ("articles", f"{held.articles:,}"),
        ("documents", f"{held.documents:,}"),
        ("source files", f"{held.source_files:,}"),
        ("chunks", f"{held.chunks:,}"),
        ("embedder", held.embedder),
        ("generation", held.generation or "none: the store is empty"),
    ]
