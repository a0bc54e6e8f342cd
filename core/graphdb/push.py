"""Write the graph of a store into a database, in batches that can be repeated.

While a push is under way, and after one that was killed, the database says of the store that it
holds no generation, so nobody follows what is half written; another push makes it whole. Each batch
makes sure that no other push of the store has begun since, in the transaction that writes it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, TypeVar

from core.errors import GraphError, GraphUnavailable
from core.graphdb.rows import MISSING, Node, Relation, nodes, relations
from core.graphdb.server import WRITE_SECONDS, Server
from core.index.snapshot.snapshot import Snapshot

BATCH = 5000  # nodes or relations
Row = dict[str, Any]
Name = TypeVar("Name", bound=Hashable)

_UNIQUE = (("SpecloupeStore", "name"), ("Chunk", "key"), (MISSING, "key"))
_CONSTRAINTS = (  # as Neo4j and ArcadeDB have it, and as Memgraph has
    "CREATE CONSTRAINT specloupe_{low} IF NOT EXISTS FOR (n:{label}) REQUIRE n.{key} IS UNIQUE",
    "CREATE CONSTRAINT ON (n:{label}) ASSERT n.{key} IS UNIQUE",
)
_BEGIN = (
    "MERGE (s:SpecloupeStore {name: $store}) SET s.push = $push, s.generation = '', s.batch = 0 "
    "RETURN s.name"
)
_OURS = (  # SET takes the lock that the next push waits for
    "MATCH (s:SpecloupeStore {name: $store}) WHERE s.push = $push SET s.batch = $batch "
)
_KNOWN = (  # a MERGE of two labels would look at every node, with some servers
    "WITH s UNWIND $rows AS row MATCH (n:{label} {{key: row.key}}) SET n += row "
    "RETURN collect(n.key)"
)
# No id changes its type, so the labels of a node stay.
_NEW = "WITH s UNWIND $rows AS row CREATE (n:{labels}) SET n += row RETURN collect(n.key)"
_RELATIONS = (
    "WITH s UNWIND $rows AS row MATCH (a:Chunk {{key: row.source}}) "
    "MATCH (b:{label} {{key: row.target}}) MERGE (a)-[r:`{type}`]->(b) SET r += row.said "
    "RETURN count(r)"
)
_OLD_RELATIONS = (
    "WITH s MATCH (a:Chunk {store: $store})-[r]->() WHERE r.generation <> $generation "
    "WITH r LIMIT $most DELETE r RETURN count(r)"
)
_OLD_NODES = (
    "WITH s MATCH (n:{label} {{store: $store}}) WHERE n.generation <> $generation "
    "WITH n LIMIT $most DETACH DELETE n RETURN count(n)"
)
_END = "SET s.generation = $generation RETURN s.name"


@dataclass(frozen=True, slots=True)
class Pushed:
    """How far a push is; the last one is what it came to."""

    nodes: int = 0
    relations: int = 0
    removed: int = 0  # nodes and relations of earlier generations
    generation: str = ""  # that the database answers for; "" until all is written


def push(server: Server, reader: Snapshot, store: str, *, prune: bool = False) -> Iterator[Pushed]:
    """Yields after each batch. With `prune`, what earlier pushes of this store wrote and the store
    no longer has is removed; without, it stays and is not followed. Raises GraphError."""
    batches = _Batches(server, store, reader.generation)
    batches.begin()
    done, related, removed = 0, 0, 0
    for label, rows in _node_batches(reader, batches):
        batches.put_nodes(label, rows)
        done += len(rows)
        yield Pushed(done, related)
    for query, rows in _relation_batches(reader, batches):
        batches.check(batches.write(query, rows=rows), rows)
        related += len(rows)
        yield Pushed(done, related)
    batches.write(_END)
    if prune:
        old = (_OLD_RELATIONS, *(_OLD_NODES.format(label=label) for label in ("Chunk", MISSING)))
        for query in old:
            while count := int(batches.write(query)):
                removed += count
                yield Pushed(done, related, removed)
    yield Pushed(done, related, removed, reader.generation)


class _Batches:
    """What one push writes."""

    def __init__(self, server: Server, store: str, generation: str) -> None:
        self.store, self.generation = store, generation
        self._server, self._push, self._written = server, token_hex(8), 0

    def begin(self) -> None:
        for label, key in _UNIQUE:
            self._constrain(label, key)
        self._server.write(_BEGIN, {"store": self.store, "push": self._push})

    def _constrain(self, label: str, key: str) -> None:
        first, second = (
            text.format(low=label.lower(), label=label, key=key) for text in _CONSTRAINTS
        )
        try:
            self._server.run(first, {}, WRITE_SECONDS)
        except GraphUnavailable:
            self._server.run(second, {}, WRITE_SECONDS)

    def key(self, id: str) -> str:
        """Of one chunk in all the stores of a database."""
        return key_of(self.store, id)

    def put_nodes(self, label: str, rows: Sequence[Row]) -> None:
        """Change those that are there, and create the others."""
        own = MISSING if label == MISSING else "Chunk"
        known = {*self.write(_KNOWN.format(label=own), rows=rows)}
        if new := [row for row in rows if row["key"] not in known]:
            labels = MISSING if label == MISSING else f"Chunk:{label}"
            self.check(len(self.write(_NEW.format(labels=labels), rows=new)), new)

    def check(self, written: int, rows: Sequence[Row]) -> None:
        """Raise GraphError where the server wrote fewer."""
        if written != len(rows):
            raise GraphError(
                f"{self._server.uri} wrote {written} of {len(rows)} rows of a batch; push again."
            )

    def write(self, query: str, **parameters: Any) -> Any:
        """What the query counts or collects; raises GraphError when another push of the store has
        begun."""
        self._written += 1
        known: dict[str, Any] = {"store": self.store, "push": self._push, "most": BATCH}
        known |= {"generation": self.generation, "batch": self._written}
        found = self._server.write(_OURS + query, {**known, **parameters})
        value = found[0][0] if found else None
        if not value and not self._server.write(_OURS + "RETURN s.name", known):
            raise GraphError("Another push of this store has begun; this one was given up.")
        return value


def key_of(store: str, id: str) -> str:
    """The key of a chunk, which no other chunk of any store has."""
    return f"{store}\n{id}"


def _node_batches(reader: Snapshot, batches: _Batches) -> Iterator[tuple[str, list[Row]]]:
    def row(node: Node) -> Row:
        own = {"key": batches.key(node.id), "store": batches.store, "id": node.id, "row": node.row}
        return {**own, "generation": batches.generation, **node.properties}

    yield from batched((node.label, row(node)) for node in nodes(reader))


def _relation_batches(reader: Snapshot, batches: _Batches) -> Iterator[tuple[str, list[Row]]]:
    def row(each: Relation) -> Row:
        said = {"at": each.at, "labels": list(each.labels), "places": list(each.places)}
        return {
            "source": batches.key(each.source),
            "target": batches.key(each.target),
            "said": {**said, "generation": batches.generation},
        }

    rows = (((each.type, each.is_missing), row(each)) for each in relations(reader))
    for (type, is_missing), batch in batched(rows):
        yield _RELATIONS.format(type=type, label=MISSING if is_missing else "Chunk"), batch


def batched(
    rows: Iterable[tuple[Name, Row]], *, most: int = BATCH
) -> Iterator[tuple[Name, list[Row]]]:
    """Rows with the same first value together, at most so many of them."""
    waiting: dict[Name, list[Row]] = {}
    for name, row in rows:
        batch = waiting.setdefault(name, [])
        batch.append(row)
        if len(batch) == most:
            yield name, waiting.pop(name)
    yield from waiting.items()
