"""A picture that grows: what a chosen chunk uses, and what uses it, one step at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from core.model import Chunk
from ui.graph.picture import Edge, Line, Node, Picture, Role, node, placed

MOST = 12  # chunks that one step adds in one direction
USES, USERS = "uses", "used by"


@dataclass(frozen=True, slots=True)
class _Step:
    """One reference from or to an opened chunk."""

    other: str
    edge: tuple[str, str]
    used: str
    depth: int
    note: str


def expanded(
    drawn: Picture,
    opened: Iterable[str],
    read: Callable[[str], Chunk | None],
    directions: Iterable[str],
) -> Picture:
    """With one step around each opened chunk that is drawn, in their order; the rest is counted."""
    nodes = {each.id: each for each in drawn.nodes}
    edges = {(edge.source, edge.target): edge for edge in drawn.edges}
    hidden, before = drawn.not_drawn, len(edges)
    for chunk_id in opened:
        chunk = read(chunk_id) if chunk_id in nodes else None
        for direction in directions if chunk else ():
            steps = list(_steps(chunk, nodes[chunk_id], direction))
            fresh = [step for step in steps if step.other not in nodes]
            hidden += len(fresh[MOST:])
            nodes |= {s.other: node(s.other, Role.ADDED, s.depth, s.note) for s in fresh[:MOST]}
            edges |= _drawn(steps, nodes, edges)
    if len(edges) == before:
        return drawn
    there, columns = placed(list(nodes.values()), list(edges.values()))
    return Picture(there, tuple(edges.values()), columns, hidden)


def _steps(chunk: Chunk | None, at: Node, direction: str) -> Iterable[_Step]:
    if chunk is None:
        return
    if direction == USES:
        for target, used in chunk.ref_ids.items():
            yield _Step(
                target, (chunk.id, target), ", ".join(used), at.depth + 1, f"{at.label} uses it"
            )
    else:
        for source in chunk.referenced_by:
            # Never among the results, for it is none of them.
            depth = at.depth - 1 or -1
            yield _Step(source, (source, chunk.id), "", depth, f"it uses {at.label}")


def _drawn(
    steps: Iterable[_Step], nodes: Mapping[str, Node], known: Mapping[tuple[str, str], Edge]
) -> dict[tuple[str, str], Edge]:
    return {
        s.edge: Edge(*s.edge, Line.ALSO, s.used)
        for s in steps
        if s.other in nodes and s.edge not in known
    }
