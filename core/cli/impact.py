"""`specloupe impact`: who is affected when an element changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from core.cli.shared.options import json_option, store_option
from core.cli.shared.out import line, print_json
from core.ids import Id
from core.present import to_dict
from core.text.plural import counted
from core.workbench.workbench import Workbench

if TYPE_CHECKING:
    from core.retrieve.follow.impact import Affected


@click.command()
@click.argument("id")
@json_option
@store_option
def impact(id: str, as_json: bool, store: str) -> None:
    """Show which operations, and which functions, a change to element ID would affect.

    Operations that use it directly come first, then those that use it through other elements, each
    with the shortest chain of references.
    """
    with Workbench.open(store, create=False) as workbench:
        found = workbench.impact(id)
    if as_json:
        print_json(to_dict(found))
        return
    _list(f"{found.element} is used directly by", found.direct)
    _list(
        "and, through other elements, by"
        if found.direct
        else f"{found.element} is used through other elements by",
        found.indirect,
    )
    if found.not_listed:
        line(f"  and {found.not_listed:,} more")
    if not found.operations:
        line(f"Changing {found.element} affects no operation.")


def _noun(affected: Sequence[Affected]) -> str:
    operations = sum(each.type.is_operation for each in affected)
    return {len(affected): "operation", 0: "function"}.get(operations, "element")


def _list(title: str, affected: Sequence[Affected]) -> None:
    if affected:
        line(f"{title} {counted(len(affected), _noun(affected))}:")
    for each in affected:
        used = ", ".join(each.used)
        between = "".join(f" <- {Id.parse(id).local}" for id in reversed(each.via[1:]))
        line(f"  {each.id}{between}" + (f"  ({used})" if used else ""))
