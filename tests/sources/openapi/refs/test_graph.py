from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from core.sources.openapi.refs.graph import components, in_cycles

NODES = st.sampled_from("abcdefgh")
GRAPHS = st.dictionaries(NODES, st.sets(NODES))


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """What a path of at least one step leads to."""
    seen: set[str] = set()
    new = set(graph.get(start, ()))
    while new:
        seen |= new
        new = {target for node in new for target in graph.get(node, ())} - seen
    return seen


@given(GRAPHS)
def test_a_node_is_in_a_cycle_if_it_reaches_itself(graph: dict[str, set[str]]) -> None:
    expected = {node for node in graph if node in reachable(graph, node)}
    assert in_cycles(graph, components(graph)) == expected


@given(GRAPHS)
def test_components_come_after_those_they_lead_to(graph: dict[str, set[str]]) -> None:
    groups = components(graph)
    place = {node: at for at, group in enumerate(groups) for node in group}
    assert sum(map(len, groups)) == len(place)
    for node in graph:
        for target in graph[node]:
            assert place[target] <= place[node]


@given(GRAPHS)
def test_components_are_those_of_networkx(graph: dict[str, set[str]]) -> None:
    oracle = nx.DiGraph(graph)
    found = components(graph)
    groups = list(nx.strongly_connected_components(oracle))
    assert sorted(map(sorted, found)) == sorted(map(sorted, groups))
    order = {node: at for at, group in enumerate(found) for node in group}
    assert all(order[target] <= order[node] for node, target in oracle.edges)
    loops = set(nx.nodes_with_selfloops(oracle))
    cyclic = {node for group in groups for node in group if len(group) > 1 or node in loops}
    assert in_cycles(graph, found) == cyclic


def test_a_long_chain_needs_no_recursion() -> None:
    chain = {str(n): [str(n + 1)] for n in range(50_000)}
    assert in_cycles(chain, components(chain)) == set()
    ring = {**chain, "50000": ["0"]}
    assert in_cycles(ring, components(ring)) == {str(n) for n in range(50_001)}
