"""A graph database that speaks Bolt: Neo4j, Memgraph, ArcadeDB.

Where it is and who asks comes from the environment alone, and is neither stored, logged nor shown.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from core.errors import CallError, GraphUnavailable
from core.in_time import InTime, TooLate

URI, USER, PASSWORD, DATABASE = "NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD", "NEO4J_DATABASE"
STORE = "GRAPH_STORE"  # what the store is called in the database
SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
INSTALL = "A graph database needs an extra: install `specloupe[bolt]`."
SECONDS = 2.0  # for a connection, and for a query of a walk
WRITE_SECONDS = 120.0  # for a batch of a push, repeated attempts included
_RETRY_SECONDS = 10.0

Rows = Sequence[Sequence[Any]]

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # else Python prints its notices


@dataclass(frozen=True, slots=True)
class Address:
    uri: str
    user: str
    database: str  # "" is the server's own default
    password: str = field(repr=False)


def address(environment: Mapping[str, str]) -> Address:
    """Raises CallError; no message repeats what was set, where a password might be in it."""
    uri = environment.get(URI, "").strip()
    if not uri:
        raise CallError(f"{URI} is not set: it says where the graph database is, as bolt://HOST.")
    if "@" in uri:
        raise CallError(f"{URI} must not name a user or a password: {USER} and {PASSWORD} do.")
    parts = urlsplit(uri)
    if parts.scheme not in SCHEMES or not parts.netloc:
        raise CallError(f"{URI} must be the address of a server: {', '.join(SCHEMES)}, ://HOST.")
    return Address(
        uri,
        environment.get(USER, "").strip() or "neo4j",
        environment.get(DATABASE, "").strip(),
        environment.get(PASSWORD, ""),
    )


def name_of(store: str, environment: Mapping[str, str]) -> str:
    """What a store is called in the database: by `GRAPH_STORE`, else its address, or the whole
    path of its folder. Raises CallError."""
    given = environment.get(STORE, "").strip()
    if not given.isprintable():
        raise CallError(f"{STORE} must be one line of text.")
    return given or (store if "://" in store else str(Path(store).resolve()))


class Server(Protocol):
    """One database; safe between threads. Every call may raise GraphUnavailable."""

    @property
    def uri(self) -> str: ...

    def run(self, query: str, parameters: Mapping[str, Any], seconds: float) -> Rows:
        """What a query returns; it is given up after so long."""

    def write(self, query: str, parameters: Mapping[str, Any]) -> Rows:
        """The same in one transaction, tried again where that may help."""

    def close(self) -> None: ...


class BoltServer:
    """A `Server` by its address; connects when it is first asked."""

    def __init__(self, address: Address) -> None:
        try:
            import neo4j
        except ImportError as error:
            raise CallError(INSTALL) from error
        self.uri = address.uri
        self._errors = (neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError, OSError)
        self._refused = neo4j.exceptions.AuthError
        self._database = address.database or None
        self._in_time = InTime[Rows]()
        self._driver = neo4j.GraphDatabase.driver(
            address.uri,
            auth=(address.user, address.password),
            connection_timeout=SECONDS,
            connection_acquisition_timeout=SECONDS,
            max_transaction_retry_time=_RETRY_SECONDS,
        )

    def run(self, query: str, parameters: Mapping[str, Any], seconds: float) -> Rows:
        def work() -> Rows:
            with self._driver.session(database=self._database) as session:
                return session.run(query, parameters).values()  # type: ignore[arg-type]

        return self._run(work, seconds)

    def write(self, query: str, parameters: Mapping[str, Any]) -> Rows:
        def work() -> Rows:
            with self._driver.session(database=self._database) as session:
                return session.execute_write(lambda t: t.run(query, parameters).values())  # type: ignore[arg-type]

        return self._run(work, WRITE_SECONDS)

    def close(self) -> None:
        self._driver.close()

    def _run(self, work: Any, seconds: float) -> Rows:
        try:
            return self._in_time.run(work, seconds)
        except TooLate as late:
            raise GraphUnavailable(f"{self.uri} did not answer: {late}.") from late
        except self._refused as error:
            raise GraphUnavailable(
                f"{self.uri} refused the user and the password of {USER} and {PASSWORD}."
            ) from error
        except self._errors as error:
            raise GraphUnavailable(self._said(error)) from error

    def _said(self, error: Exception) -> str:
        """What the server calls its error; its sentences may repeat what they were sent."""
        code = getattr(error, "code", None)
        if code:
            return f"{self.uri} could not do what it was asked ({code})."
        return f"{self.uri} cannot be reached ({type(error).__name__})."
