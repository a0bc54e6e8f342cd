"""A context as a picture: which chunks and references are drawn, what they are, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.model import KnowledgeContext, LeftOut
from core.reasons import Cut, cause
from ui.locale.locale import amount, retold
from ui.shared.kinds import kind_of, kind_of_id, name_of, short_name
from ui.shared.words import steps

ROWS = 16  # nodes in one column before it is broken into the next
COLUMN = 262  # distance between the centres of columns, in the picture's own units
ROW, TALL = 58, 520  # least distance between rows, and the height that few rows spread over


class Role(StrEnum):
    PRIMARY = "primary"
    REFERENCE = "reference"
    CUT = "cut"
    MISSING = "missing"
    ADDED = "added"  # not of the context: a step around a chunk that was opened


class Line(StrEnum):
    FOLLOWED = "followed"  # the reference that brought the target in
    ALSO = "also"  # another reference between two that are shown
    CYCLE = "cycle"  # leads back to where it came from
    CUT = "cut"  # leads to what is not in the context
    IMPACT = "impact"  # a change travels along it, from the target to the source


@dataclass(frozen=True, slots=True)
class Node:
    id: str
    label: str
    kind: str  # key of a `Kind`
    role: Role
    depth: int  # steps from a primary
    note: str  # why it is here, or what cut it
    mark: str = ""  # what cut it, in two words
    reach: bool = False  # the change that is looked at reaches it
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    source: str
    target: str
    line: Line
    used: str  # where the source uses the target


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Picture:
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    columns: tuple[Column, ...]
    not_drawn: int  # cut references beyond those that were asked for


def picture(context: KnowledgeContext, *, cuts: int = 8) -> Picture:
    """Every chunk of the context and the `cuts` nearest references that were cut, by depth.

    The rest is only counted, to keep the picture readable.
    """
    cut = [left for left in context.trace.left_out if left.via]
    cut.sort(key=lambda left: (left.depth, left.chunk_id))
    nodes = {node.id: node for node in (*_taken(context), *map(_cut, cut[:cuts]))}
    edges = _edges(context, cut[:cuts], nodes)
    there, columns = placed(list(nodes.values()), edges)
    return Picture(there, edges, columns, max(0, len(cut) - cuts))


def _taken(context: KnowledgeContext) -> Iterable[Node]:
    for item in context.chunks:
        role = Role.PRIMARY if item.is_primary else Role.REFERENCE
        note = (
            f"result {item.rank}, score {amount(item.score, 2)}"
            if item.is_primary
            else f"{', '.join(item.used) or 'used'}, {steps(item.depth)}"
        )
        made = node(item.chunk.id, role, item.depth, f"{note}; {amount(item.tokens)} tokens")
        yield replace(made, label=name_of(item.chunk), kind=kind_of(item.chunk).key)


def _cut(left: LeftOut) -> Node:
    role = Role.MISSING if left.cut is Cut.MISSING else Role.CUT
    why = cause(left.cut, left.setting)
    note = f"left out: {why.said}" + (f" ({retold(left.detail)})" if left.detail else "")
    return replace(node(left.chunk_id, role, left.depth, note), mark=why.mark)


def node(chunk_id: str, role: Role, depth: int, note: str) -> Node:
    """A node that is not placed yet."""
    return Node(chunk_id, short_name(chunk_id), kind_of_id(chunk_id).key, role, depth, note)


def _edges(
    context: KnowledgeContext, cut: Sequence[LeftOut], nodes: Mapping[str, Node]
) -> tuple[Edge, ...]:
    entry = {id: item.chunk.id for item in context.chunks for id in item.ids}  # parts are inside
    via = {item.chunk.id: _owners(item.via, entry) for item in context.chunks}
    uses = {
        (item.chunk.id, target): used
        for item in context.chunks
        for target, used in item.refers_to.items()
        if target in nodes
    }
    ways = {left.chunk_id: _owners(left.via, entry) for left in cut}
    uses = {(v, id): () for id, way in ways.items() if (v := _shown(way, nodes))} | uses
    back = _cyclic(uses)
    return tuple(
        Edge(source, target, _line(source, target, nodes, via, back), ", ".join(used))
        for (source, target), used in sorted(uses.items())
    )


def _owners(via: Sequence[str], entry: Mapping[str, str]) -> tuple[str, ...]:
    """A chain of elements; a part counts as the element that it is written in."""
    return tuple(entry.get(chunk_id, chunk_id) for chunk_id in via)


def _shown(via: Sequence[str], nodes: Mapping[str, Node]) -> str:
    """The last of the chain that is drawn."""
    return next((chunk_id for chunk_id in reversed(via) if chunk_id in nodes), "")


def _line(
    source: str,
    target: str,
    nodes: Mapping[str, Node],
    via: Mapping[str, Sequence[str]],
    back: set[tuple[str, str]],
) -> Line:
    if nodes[target].role in (Role.CUT, Role.MISSING):
        return Line.CUT
    if (source, target) in back and nodes[target].depth <= nodes[source].depth:
        return Line.CYCLE
    return Line.FOLLOWED if via.get(target, ())[-1:] == (source,) else Line.ALSO


def _cyclic(uses: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The references whose target leads back to their source."""
    targets: dict[str, list[str]] = defaultdict(list)
    for source, target in uses:
        targets[source].append(target)
    reached = {source: _reached(source, targets) for source in list(targets)}
    return {(s, t) for s, ts in targets.items() for t in ts if s in reached.get(t, {t})}


def _reached(start: str, targets: Mapping[str, list[str]]) -> set[str]:
    seen, front = {start}, [start]
    while front:
        fresh = [t for t in targets.get(front.pop(), ()) if t not in seen]
        seen.update(fresh)
        front.extend(fresh)
    return seen


def placed(
    nodes: Sequence[Node], edges: Sequence[Edge], *, title: Callable[[int], str] | None = None
) -> tuple[tuple[Node, ...], tuple[Column, ...]]:
    """Depth runs to the right; a node is placed near the mean height of what refers to it."""
    by_depth: dict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        by_depth[node.depth].append(node)
    sources: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        sources[edge.target].append(edge.source)
    there: dict[str, Node] = {}
    columns: list[Column] = []
    left = 0
    tallest = min(ROWS, max(map(len, by_depth.values()), default=1))
    row = max(ROW, min(2 * ROW, TALL // tallest))
    for depth in sorted(by_depth):
        ordered = _ordered(by_depth[depth], sources, there)
        width = -(-len(ordered) // ROWS)
        there |= {n.id: n for n in _column(ordered, left, row)}
        right = left + width * COLUMN
        columns.append(Column((title or depth_title)(depth), left, right))
        left = right
    return tuple(there.values()), tuple(columns)


def _ordered(
    nodes: list[Node], sources: Mapping[str, list[str]], placed: Mapping[str, Node]
) -> list[Node]:
    """Primaries keep their rank; below them, what was taken comes first, near what uses it."""
    if not placed:
        return nodes

    def height(node: Node) -> tuple[bool, float, str]:
        heights = [placed[s].y for s in sources[node.id] if s in placed] or [0]
        return node.role is not Role.REFERENCE, sum(heights) / len(heights), node.id

    return sorted(nodes, key=height)


def _column(nodes: Sequence[Node], left: int, height: int) -> Iterable[Node]:
    for index, node in enumerate(nodes):
        column, row = divmod(index, ROWS)
        rows = min(ROWS, len(nodes) - column * ROWS)
        x = left + column * COLUMN + COLUMN // 2
        yield replace(node, x=x, y=round((row - (rows - 1) / 2) * height))


def depth_title(depth: int) -> str:
    """What a column is called."""
    if depth < 0:
        return "Used by"
    return "Results" if depth == 0 else steps(depth)
