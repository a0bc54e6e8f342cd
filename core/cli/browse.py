"""`specloupe catalog`, `chunks` and `show`: what is in the store."""

from __future__ import annotations

import click

from core.cli.shared.options import json_option, print_json_line, store_option
from core.cli.shared.out import line, lines, print_json
from core.present import to_dict
from core.workbench.workbench import Workbench


@click.command()
@click.option(
    "--detail", default="", metavar="FILE_ID", help="The index of this API, as JSON, in its place."
)
@json_option
@store_option
def catalog(detail: str, as_json: bool, store: str) -> None:
    """List the APIs in the store."""
    with Workbench.open(store, create=False) as workbench:
        if detail:
            print_json(workbench.detailed_index(detail))
            return
        entries = workbench.catalog()
    if as_json:
        print_json([to_dict(entry) for entry in entries])
        return
    for entry in entries:
        operations, schemas = entry.counts.get("operations", 0), entry.counts.get("schemas", 0)
        domains = ", ".join(entry.domains[:5])
        head = " ".join(entry.name.split())
        line(f"{entry.file_id}  {head}  {operations} operations, {schemas} schemas")
        line(f"    {domains}") if domains else None


@click.command()
@click.option("--api", default="", metavar="FILE_ID", help="Only the chunks of this API.")
@store_option
def chunks(api: str, store: str) -> None:
    """Print every chunk as a line of JSON."""
    with Workbench.open(store, create=False) as workbench:
        for chunk in workbench.chunks(api):
            print_json_line(to_dict(chunk))


@click.command()
@click.argument("id")
@json_option
@store_option
def show(id: str, as_json: bool, store: str) -> None:
    """Show a chunk or element, with its full JSON."""
    with Workbench.open(store, create=False) as workbench:
        chunk, body = workbench.show(id)
    if as_json:
        print_json({**to_dict(chunk), "json": body})
        return
    lines(f"{chunk.id}\n\n{chunk.text}\n\n")
    _list("uses", [f"{target}  ({', '.join(used)})" for target, used in chunk.ref_ids.items()])
    _list("used by", list(chunk.referenced_by))
    print_json(body)


def _list(title: str, entries: list[str]) -> None:
    if entries:
        line(f"{title}:")
        for entry in entries:
            line(f"  {entry}")
        line("")
