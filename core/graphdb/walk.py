"""Walks through a database, which go on in memory when it does not answer or is not up to date."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from threading import Lock

from core.deadline import Clock, Deadline
from core.errors import GraphError, GraphStale
from core.graphdb.graph import BoltGraph
from core.graphdb.server import SECONDS, Server
from core.index.graphs import Chunks, Direction, Edge, MemoryGraph
from core.model import Chunk
from core.reasons import Flag

PAUSE = 30.0  # seconds in which a database that failed is not asked again
_LOG = logging.getLogger("specloupe.graph")


class Database:
    """A server that all walks of a process share, and whether it is worth asking now."""

    def __init__(self, server: Server, store: str, clock: Clock = time.monotonic) -> None:
        self.server, self.store = server, store
        self._clock, self._lock = clock, Lock()
        self._failed: GraphError | None = None
        self._again = 0.0  # when it is asked again after it failed

    def check(self) -> None:
        """Raise what it failed with last, until it is to be asked again."""
        with self._lock:
            if self._failed and self._clock() < self._again:
                raise self._failed.with_traceback(None)

    def failed(self, error: GraphError) -> None:
        """It is left alone for a while; the first of several failures is told."""
        with self._lock:
            is_first = self._failed is None
            if is_first or self._clock() >= self._again:
                self._failed, self._again = error, self._clock() + PAUSE
        if is_first:
            _LOG.warning("References are followed in memory: %s", error)

    def answered(self) -> None:
        with self._lock:
            is_back, self._failed = self._failed is not None, None
        if is_back:
            _LOG.info("References are followed in the graph database again.")

    def ask_again(self) -> None:
        """Without waiting: the store was pushed, or the server is known to be back."""
        self._again = 0.0

    def close(self) -> None:
        self.server.close()


class BoltWalk:
    """A `Traversal` of one question: in the database until it fails, then in memory.

    Both give the same, so what was found before stays right. With `inverse`, chunks come with the
    references to them from the database too.
    """

    def __init__(
        self,
        reader: Chunks,
        database: Database,
        generation: str,
        deadline: Deadline | None = None,
        *,
        inverse: bool = True,
    ) -> None:
        self.flags: Mapping[str, str] = {}
        self._reader, self._database, self._generation = reader, database, generation
        self._memory = MemoryGraph(reader.chunks)
        self._deadline = deadline
        self._direction: Direction = "both" if inverse else "out"
        self._joined: dict[str, Chunk] = {}

    @property
    def graph(self) -> BoltWalk:
        return self

    def neighbours(
        self,
        ids: Collection[str],
        /,
        *,
        direction: Direction = "out",
        relations: Collection[str] = (),
        limit: int | None = None,
    ) -> Mapping[str, tuple[Edge, ...]]:
        if not self.flags and not (self._deadline and self._deadline.passed):
            try:
                return self._asked(ids, direction, relations, limit)
            except GraphError as error:
                self._failed(error)
        return self._memory.neighbours(ids, direction=direction, relations=relations, limit=limit)

    def _asked(
        self,
        ids: Collection[str],
        direction: Direction,
        relations: Collection[str],
        limit: int | None,
    ) -> Mapping[str, tuple[Edge, ...]]:
        database = self._database
        database.check()
        graph = BoltGraph(database.server, database.store, self._generation, self._seconds)
        try:
            found = graph.neighbours(ids, direction=direction, relations=relations, limit=limit)
        except GraphError as error:
            database.failed(error)
            raise
        database.answered()
        return found

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]:
        if self.flags:
            return self._reader.chunks(ids)
        new = self._reader.chunks([id for id in ids if id not in self._joined])
        if new:
            edges = self.neighbours(new, direction=self._direction)
            self._joined |= {id: self._with(chunk, edges[id]) for id, chunk in new.items()}
        return {id: self._joined[id] for id in ids if id in self._joined}

    def _with(self, chunk: Chunk, edges: Collection[Edge]) -> Chunk:
        """The chunk with these references."""
        refs = {edge.target: edge.relations for edge in edges if not edge.is_inverse}
        if self._direction == "out":
            return replace(chunk, ref_ids=refs)
        users = tuple(edge.target for edge in edges if edge.is_inverse)
        return replace(chunk, ref_ids=refs, referenced_by=users)

    def _seconds(self) -> float:
        left = SECONDS if self._deadline is None else self._deadline.left
        return max(0.001, min(SECONDS, left))

    def _failed(self, error: GraphError) -> None:
        flag = Flag.GRAPH_STALE if isinstance(error, GraphStale) else Flag.GRAPH_UNAVAILABLE
        self.flags = {flag.value: f"References were followed in memory: {error}"}
