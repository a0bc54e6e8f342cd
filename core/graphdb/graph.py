"""The graph of a store, as a database has it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from core.errors import GraphStale
from core.graphdb.push import key_of
from core.graphdb.rows import labels_of
from core.graphdb.server import Rows, Server
from core.index.graphs import Direction, Edge, wanted

_IDS = 256  # asked for at once
_MANY = 2**31 - 1
_WAYS = {False: "(a:Chunk {key: key})-[r]->(b)", True: "(a:Chunk {key: key})<-[r]-(b)"}
# The generation is looked up after the relations: a push takes it away before it writes anything,
# so while it is still there, the relations were whole.
_NEIGHBOURS = (
    "UNWIND $keys AS key MATCH {way} WHERE r.generation = $generation "
    "AND ($every OR any(said IN r.labels WHERE said IN $relations)) "
    "WITH a, b, collect([r.at, r.labels, r.places]) AS said ORDER BY b.row "
    "WITH a, collect([b.id, b.row, said])[..$limit] AS ends "
    "WITH collect([a.id, ends]) AS found "
    "MATCH (s:SpecloupeStore {{name: $store}}) RETURN s.generation, found"
)
_GENERATION = "MATCH (s:SpecloupeStore {name: $store}) RETURN s.generation"


class BoltGraph:
    """A `Graph` of one generation. Raises GraphUnavailable, and GraphStale as soon as the database
    holds another generation; `seconds` says how long a query may take."""

    def __init__(
        self, server: Server, store: str, generation: str, seconds: Callable[[], float]
    ) -> None:
        self._server, self._store = server, store
        self._generation, self._seconds = generation, seconds

    def neighbours(
        self,
        ids: Collection[str],
        /,
        *,
        direction: Direction = "out",
        relations: Collection[str] = (),
        limit: int | None = None,
    ) -> Mapping[str, tuple[Edge, ...]]:
        found: dict[str, tuple[Edge, ...]] = dict.fromkeys(ids, ())
        for is_inverse in (False, True):
            if direction != ("out" if is_inverse else "in"):
                for id, ends in self._ends(list(found), is_inverse, relations, limit):
                    found[id] = (*found[id], *_edges(ends, is_inverse, relations))
        return found

    def _ends(
        self, ids: Sequence[str], is_inverse: bool, relations: Collection[str], limit: int | None
    ) -> Iterable[Sequence[Any]]:
        query = _NEIGHBOURS.format(way=_WAYS[is_inverse])
        for start in range(0, len(ids), _IDS):
            parameters = {
                "keys": [key_of(self._store, id) for id in ids[start : start + _IDS]],
                "store": self._store,
                "generation": self._generation,
                "every": not relations,
                "relations": [*relations],
                "limit": _MANY if limit is None else limit,
            }
            rows = self._server.run(query, parameters, self._seconds())
            _check(rows, self._generation, self._server.uri)
            yield from rows[0][1]


def _edges(ends: Iterable[Any], is_inverse: bool, relations: Collection[str]) -> list[Edge]:
    """Own references in their order; those of others by id, which is the order of rows."""
    edges = []
    for id, row, said in ends:
        labels = wanted(labels_of((labels, places) for _, labels, places in said), relations)
        if labels is not None:
            edges.append((row if is_inverse else said[0][0], Edge(id, labels, is_inverse)))
    return [edge for _, edge in sorted(edges, key=lambda each: each[0])]


def _check(rows: Rows, generation: str, uri: str) -> None:
    if not rows:
        raise GraphStale(f"{uri} has no graph of this store: `specloupe graph push` writes it.")
    if rows[0][0] != generation:
        raise GraphStale(
            f"{uri} has the graph of another generation of this store, or half of one: "
            "`specloupe graph push` writes the present one."
        )


def generation_in(server: Server, store: str, seconds: float) -> str:
    """The generation of a store that the database answers for; "" while there is none, or while
    one is written. Raises GraphUnavailable."""
    rows = server.run(_GENERATION, {"store": store}, seconds)
    return str(rows[0][0] or "") if rows else ""
