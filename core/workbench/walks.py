"""Where the references of a workbench's questions are followed, by the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from core.deadline import Deadline
from core.index.graphs import Chunks, InMemory, Traversal
from core.settings import Settings

if TYPE_CHECKING:
    from core.graphdb.walk import Database
    from core.retrieve.reader import Reader


@dataclass(frozen=True, slots=True)
class GraphState:
    """What the graph database has of a store."""

    uri: str
    store: str  # what the store is called there
    generation: str  # that it answers for; "" while there is none, or while one is written
    is_current: bool  # it is the store's own


class Walks:
    """Gives a traversal for each question; the database is opened by the first that needs it."""

    def __init__(self, store: str, environment: Mapping[str, str]) -> None:
        self._store, self._environment = store, environment
        self._lock = Lock()
        self._database: Database | None = None

    def walk(
        self, settings: Settings, *, inverse: bool = True
    ) -> Callable[[Reader, Deadline | None], Traversal]:
        """What makes the traversal of one question; `inverse` also asks who refers to what is met.

        Raises CallError when the database that the settings want cannot be called.
        """
        if settings.graph_backend == "memory":
            return in_memory
        from core.graphdb.walk import BoltWalk

        database = self.database()

        def walk(reader: Reader, deadline: Deadline | None = None) -> Traversal:
            return BoltWalk(reader, database, reader.generation, deadline, inverse=inverse)

        return walk

    def database(self) -> Database:
        """Raises CallError."""
        from core.graphdb.server import BoltServer, address, name_of
        from core.graphdb.walk import Database

        with self._lock:
            if self._database is None:
                server = BoltServer(address(self._environment))
                self._database = Database(server, name_of(self._store, self._environment))
            return self._database

    def state(self, generation: str) -> GraphState:
        """For a store of this generation. Raises CallError, GraphUnavailable."""
        from core.graphdb.graph import generation_in
        from core.graphdb.server import SECONDS

        database = self.database()
        known = generation_in(database.server, database.store, SECONDS)
        return GraphState(database.server.uri, database.store, known, known == generation)

    def close(self) -> None:
        with self._lock:
            database, self._database = self._database, None
        if database:
            database.close()


def in_memory(reader: Chunks, deadline: Deadline | None = None) -> Traversal:
    return InMemory(reader)
