"""`specloupe impact`, `similar` and `agent-context`: what the graph and the vectors say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from core.cli.shared.options import json_option, store_option
from core.cli.shared.out import line, lines, print_json
from core.functions import find_similar_documents, get_agent_context
from core.functions.documents.search import impact_of
from core.functions.opened import as_call_errors
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
    """Show which operations, functions and documents a change to element ID would affect.

    Operations that use it directly come first, then those that use it through other elements, each
    with the shortest chain of references. Of a document, ID may be its path or its own id; what
    implements, satisfies or refers to it is affected.
    """
    with Workbench.open(store, create=False) as workbench:
        found = workbench.impact(id)
        if as_json:
            nodes = impact_of(workbench.affected(found.element))
            near = {"direct": found.direct, "indirect": found.indirect}
            told = {name: [*map(to_dict, affected)] for name, affected in near.items()}
            print_json({**to_dict(found), **told, **nodes})
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
    _list("These documents depend on it:", found.documents)


@click.command()
@click.argument("id")
@click.option("--limit", default=10, show_default=True, help="Maximum number of results, 1 to 100.")
@click.option(
    "--min-score", default=0.8, show_default=True, help="Least cosine of a result, 0 to 1."
)
@json_option
@store_option
def similar(id: str, limit: int, min_score: float, as_json: bool, store: str) -> None:
    """List what is most like document ID, from any source.

    ID is a document's path, its own id, or the id of any chunk: a section, an operation, an
    article. Documents are compared by the mean of their vectors.
    """
    with Workbench.open(store, create=False) as workbench, as_call_errors():
        found = find_similar_documents(id, limit, min_score, workbench)
    if as_json:
        print_json([each.to_dict() for each in found])
        return
    for each in found:
        said = ", ".join(text for text in (each.node_type, each.status) if text)
        line(f"{each.score:.3f}  {each.node_id}  {each.title}  ({said})")
    if not found:
        line(f"Nothing has a cosine of {min_score:g} or more.")


@click.command("agent-context")
@click.argument("action")
@click.argument("target_type")
@click.option("--content", default="", help="What is acted on; its first 100 characters count.")
@click.option("--subsystem", default="", help="Only documents of this subsystem.")
@json_option
@store_option
def agent_context(
    action: str, target_type: str, content: str, subsystem: str, as_json: bool, store: str
) -> None:
    """Print the approved documents to know before ACTION is done to a TARGET_TYPE.

    For example: `specloupe agent-context implement "refund endpoint" --subsystem payments`.
    """
    with Workbench.open(store, create=False) as workbench, as_call_errors():
        found = get_agent_context(action, target_type, content, subsystem, workbench)
    if as_json:
        print_json(to_dict(found))
        return
    lines(found.to_markdown())
    if not found.sections:
        line("No approved document fits.", err=True)


def _list(title: str, affected: Sequence[Affected]) -> None:
    from core.retrieve.follow.impact import noun_of

    if affected:
        said = (
            title
            if title.endswith(":")
            else f"{title} {counted(len(affected), noun_of(affected))}:"
        )
        line(said)
    for each in affected:
        used = ", ".join(each.used)
        between = "".join(f" <- {_short(id)}" for id in reversed(each.via[1:]))
        line(f"  {each.id}{between}" + (f"  ({used})" if used else ""))


def _short(id: str) -> str:
    """Its place in its file; of a document, the file."""
    parsed = Id.parse(id)
    return parsed.file if parsed.local == "document" else parsed.local
