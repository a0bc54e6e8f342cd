"""The impact of changing the selected chunk, drawn into the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.model import ChunkType
from core.retrieve.follow.impact import Affected, Impact, noun_of
from ui.graph.picture import Edge, Line, Node, Picture, Role, depth_title, node, placed
from ui.locale.locale import amount, counted

MOST = 12  # chunks added that were not drawn before
AFFECTED, ON_THE_WAY = -2, -1  # columns, to the left of all results


def reached(drawn: Picture, chosen: str, impact: Impact) -> Picture:
    """The results and all that a change reaches, the nearest first, and the way there.

    `chosen` is the chunk of the picture that changes; what is reached beyond `MOST` is counted, and
    what else the results refer to is left away.
    """
    nodes = {each.id: each for each in drawn.nodes}
    there = [each for each in impact.affected if each.id in nodes]
    more = [each for each in impact.affected if each.id not in nodes]
    shown = _with_ways([*there, *more[:MOST]], impact)
    kept = {
        id: replace(each, reach=id in shown or id == chosen)
        for id, each in nodes.items()
        if id in shown or id == chosen or each.role is Role.PRIMARY
    }
    fresh = {id: _added(each, nodes[chosen]) for id, each in shown.items() if id not in nodes}
    edges = _edges(drawn, shown.values(), {impact.element: chosen}, kept | fresh)
    there_now, columns = placed(list((kept | fresh).values()), edges, title=_title)
    hidden = len(more[MOST:]) + impact.not_listed
    return Picture(there_now, edges, columns, hidden)


def _with_ways(affected: Iterable[Affected], impact: Impact) -> dict[str, Affected]:
    """What is affected and what lies between that and the element, by id."""
    shown = {each.id: each for each in affected}
    passed = {id for each in shown.values() for id in each.via}
    between = (each for each in (*impact.through, *impact.documents) if each.id in passed)
    return {each.id: each for each in between} | shown


def _added(each: Affected, changed: Node) -> Node:
    depth = ON_THE_WAY if each.type is ChunkType.COMPONENT else AFFECTED
    note = f"affected by a change of {changed.label}"
    return replace(node(each.id, Role.ADDED, depth, note), reach=True)


def _edges(
    drawn: Picture,
    shown: Iterable[Affected],
    stands_for: Mapping[str, str],
    nodes: Mapping[str, Node],
) -> tuple[Edge, ...]:
    """References among what is left, and on top those that a change travels back along.

    In the picture a part may stand for its element.
    """
    edges = {
        (e.source, e.target): e for e in drawn.edges if e.source in nodes and e.target in nodes
    }
    for each in shown:
        target = stands_for.get(each.via[-1], each.via[-1])
        if each.id != target and target in nodes:
            edges[each.id, target] = Edge(each.id, target, Line.IMPACT, ", ".join(each.used))
    return tuple(edges.values())


def _title(depth: int) -> str:
    return {AFFECTED: "Affected", ON_THE_WAY: "In between"}.get(depth) or depth_title(depth)


def sentence(impact: Impact) -> str:
    """How many operations, functions and documents are affected, directly and not."""
    direct = sum(each.is_direct for each in impact.affected)
    indirect = len(impact.affected) - direct + impact.not_listed
    if not direct + indirect:
        return "Changing it affects no operations."
    said = f"Changing it affects {_counted(impact)}"
    if direct and indirect:
        return f"{said}: {amount(direct)} directly, {amount(indirect)} through other elements."
    return f"{said} {'directly' if direct else 'through other elements'}."


def _counted(impact: Impact) -> str:
    """`3 operations, 2 functions and 1 document`."""
    counts = Counter(noun_of([each]) for each in impact.affected)
    counts[impact.noun] += impact.not_listed
    *others, last = (counted(n, noun) for noun, n in counts.most_common() if n)
    return f"{', '.join(others)} and {last}" if others else last
