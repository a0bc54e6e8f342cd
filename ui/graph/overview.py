"""A whole API at a glance: its domains, and the schemas that they share most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.ids import element_id, encode
from core.model import CatalogEntry, DomainEntry
from ui.graph.picture import Column, Edge, Line, Node, Picture, Role, placed
from ui.locale.locale import counted
from ui.shared.kinds import kind_of_id

GAP = 260  # in the picture's own units
DOMAINS, SCHEMAS = 16, 16  # drawn of each: more would be a hairball


def overview(entry: CatalogEntry) -> Picture:
    """Domains on the left by size, on the right the schemas that the most of them use."""
    domains = sorted(entry.domain_index, key=lambda d: (-len(d.endpoints), d.name))[:DOMAINS]
    shared = Counter(schema for domain in domains for schema in domain.schemas)
    users = {schema.name: len(schema.used_by) for schema in entry.schemas}
    ranked = sorted(shared, key=lambda name: (-shared[name], -users.get(name, 0), name))
    schemas = ranked[:SCHEMAS]
    nodes = [
        *(_domain(entry, domain) for domain in domains),
        *(_schema(entry, name, shared[name], users.get(name, 0)) for name in schemas),
    ]
    edges = [
        Edge(
            _id(entry, "tags", domain.name),
            _id(entry, "components/schemas", name),
            Line.FOLLOWED,
            "",
        )
        for domain in domains
        for name in sorted(set(domain.schemas) & set(schemas))
    ]
    titles = ("Domains", "Shared schemas")
    there, columns = _apart(*placed(nodes, edges, title=lambda depth: titles[depth]))
    rest = len(entry.domain_index) - len(domains) + len(ranked) - len(schemas)
    return Picture(there, tuple(edges), columns, rest)


def _apart(
    nodes: Sequence[Node], columns: Sequence[Column]
) -> tuple[tuple[Node, ...], tuple[Column, ...]]:
    """Room between the columns, for each domain refers to several schemas."""
    moved = (Column(c.title, c.left + GAP * i, c.right + GAP * i) for i, c in enumerate(columns))
    return tuple(replace(node, x=node.x + GAP * node.depth) for node in nodes), tuple(moved)


def alternative(entry: CatalogEntry, drawn: Picture) -> str:
    """The picture in a sentence, for those who cannot see it."""
    domains = sum(node.depth == 0 for node in drawn.nodes)
    return (
        f"{counted(domains, 'domain')} of {entry.name} and the "
        f"{counted(len(drawn.nodes) - domains, 'schema')} that they share most. "
        "The list beside it names everything that is drawn."
    )


def _domain(entry: CatalogEntry, domain: DomainEntry) -> Node:
    id = _id(entry, "tags", domain.name)
    note = f"{counted(len(domain.endpoints), 'path')}, {counted(len(domain.schemas), 'schema')}"
    label = f"{domain.name} · {len(domain.endpoints)}"
    return Node(id, label, kind_of_id(id).key, Role.PRIMARY, 0, note)


def _schema(entry: CatalogEntry, name: str, domains: int, users: int) -> Node:
    id = _id(entry, "components/schemas", name)
    note = f"in {counted(domains, 'domain')}, used by {counted(users, 'operation')}"
    return Node(id, name, kind_of_id(id).key, Role.REFERENCE, 1, note)


def _id(entry: CatalogEntry, group: str, name: str) -> str:
    return element_id(entry.file, f"{group}/{encode(name)}")
