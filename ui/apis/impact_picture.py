"""The impact of a change as a picture: what it affects on the left, the element on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.retrieve.follow.impact import Affected, Impact
from ui.graph.picture import Column, Edge, Line, Node, Picture, Role, node, placed
from ui.shared.words import steps


def impact_picture(impact: Impact, *, most: int) -> Picture:
    """The element, the `most` nearest that it affects, and what is between; arrows refer."""
    drawn = impact.affected[:most]
    known = {each.id for each in drawn}
    passed = {id for each in drawn for id in each.via} - known
    between = [each for each in (*impact.through, *impact.documents) if each.id in passed]
    start = node(impact.element, Role.PRIMARY, 0, "the element that changes")
    nodes = [start, *(_affected(each) for each in (*between, *drawn))]
    there_too = {each.id for each in nodes}
    outwards = [_edge(each) for each in (*between, *drawn) if each.via[-1] in there_too]
    there, columns = placed(nodes, [_turned(edge) for edge in outwards], title=_title)
    rest = len(impact.affected) - len(drawn) + impact.not_listed
    mirrored, turned = _mirrored(there, columns)
    return Picture(mirrored, tuple(outwards), turned, rest)


def _affected(each: Affected) -> Node:
    note = f"{', '.join(each.used) or 'used'}, {steps(len(each.via))}"
    return node(each.id, Role.REFERENCE, len(each.via), note)


def _edge(each: Affected) -> Edge:
    return Edge(each.id, each.via[-1], Line.FOLLOWED, ", ".join(each.used))


def _turned(edge: Edge) -> Edge:
    """Places are given outwards from the element, against the references."""
    return replace(edge, source=edge.target, target=edge.source)


def _title(depth: int) -> str:
    return "Changed element" if depth == 0 else f"{steps(depth)} away"


def _mirrored(
    nodes: Sequence[Node], columns: Sequence[Column]
) -> tuple[tuple[Node, ...], tuple[Column, ...]]:
    width = max(column.right for column in columns)
    turned = (Column(c.title, width - c.right, width - c.left) for c in reversed(columns))
    return tuple(replace(node, x=width - node.x) for node in nodes), tuple(turned)
