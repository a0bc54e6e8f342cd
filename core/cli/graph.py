"""`specloupe graph`: the references of the store in a graph database, or as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli.shared.options import json_option, quiet_option, store_option
from core.cli.shared.out import line, print_json, write_pieces
from core.cli.shared.progress import At, last_of
from core.present import to_dict
from core.text.plural import counted
from core.workbench.workbench import Workbench

if TYPE_CHECKING:
    from core.graphdb.push import Pushed

FORMATS = ("graphml", "cypher", "csv")


@click.group()
def graph() -> None:
    """Write the references of the store to a graph database, or to files."""


@graph.command()
@click.option(
    "--prune", is_flag=True, help="Remove what earlier pushes wrote and the store no longer has."
)
@quiet_option
@store_option
def push(prune: bool, store: str) -> None:
    """Write the graph of the store to the database at NEO4J_URI (NEO4J_USER, NEO4J_PASSWORD,
    NEO4J_DATABASE). Can be repeated; other stores in the database are left alone.
    """
    with Workbench.open(store, create=False) as workbench:
        done = last_of(workbench.push_graph(prune=prune), _place)
    removed = f", {done.removed:,} old ones removed" if prune else ""
    said = f"{counted(done.nodes, 'node')} and {counted(done.relations, 'relation')}"
    line(f"{said} written{removed}; generation {done.generation}.")


def _place(done: Pushed) -> At | None:
    said = f"{counted(done.nodes, 'node')}, {counted(done.relations, 'relation')}"
    return None if done.generation else At(0, 0, said)


@graph.command()
@json_option
@store_option
def status(as_json: bool, store: str) -> int:
    """Tell whether the database at NEO4J_URI has the present graph of the store.

    Exit status 1 if it has not.
    """
    with Workbench.open(store, create=False) as workbench:
        state, own = workbench.graph_state(), workbench.generation
    if as_json:
        print_json(to_dict(state))
    elif state.is_current:
        line(f"{state.uri} has the present graph of {state.store}, generation {own}.")
    else:
        has = f"generation {state.generation}" if state.generation else "no whole graph"
        line(f"{state.uri} has {has} of {state.store}; the store is at {own}. Push it.")
    return 0 if state.is_current else 1


@graph.command()
@click.option(
    "--format", "format", type=click.Choice(FORMATS), required=True, help="What is written."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The file, or for csv the folder of nodes.csv and relations.csv.",
)
@store_option
def export(format: str, out: Path | None, store: str) -> None:
    """Write the graph of the store to files; no database is needed.

    Without --out it is printed; csv always needs a folder, since it is two tables.
    """
    if format == "csv" and out is None:
        raise click.UsageError("csv is two files: --out FOLDER says where they go.")
    with Workbench.open(store, create=False) as workbench:
        for name, pieces in workbench.graph_texts(format).items():
            write_pieces(out / name if out and format == "csv" else out, pieces)
