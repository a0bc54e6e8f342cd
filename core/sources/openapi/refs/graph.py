"""Cycles in a graph of references."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

Graph = Mapping[str, Collection[str]]


def components(graph: Graph) -> list[list[str]]:
    """The strongly connected components (Tarjan, without recursion), targets before sources."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    open_nodes: list[str] = []
    is_open: set[str] = set()
    found: list[list[str]] = []
    for root in graph:
        if root in order:
            continue
        work: list[tuple[str, Iterator[str]]] = []
        entering: str | None = root
        while entering is not None or work:
            if entering is not None:
                order[entering] = low[entering] = len(order)
                open_nodes.append(entering)
                is_open.add(entering)
                work.append((entering, iter(graph.get(entering, ()))))
                entering = None
            node, targets = work[-1]
            for target in targets:
                if target not in order:
                    entering = target
                    break
                if target in is_open:
                    low[node] = min(low[node], order[target])
            if entering is not None:
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == order[node]:
                found.append(_closed(node, open_nodes, is_open))
    return found


def _closed(node: str, open_nodes: list[str], is_open: set[str]) -> list[str]:
    at = len(open_nodes) - 1
    while open_nodes[at] != node:
        at -= 1
    closed = open_nodes[at:]
    del open_nodes[at:]
    is_open.difference_update(closed)
    return closed


def in_cycles(graph: Graph, order: Sequence[Sequence[str]]) -> set[str]:
    """The nodes from which a path leads back to themselves; `order` are its components."""
    return {
        node for group in order for node in group if len(group) > 1 or node in graph.get(node, ())
    }
