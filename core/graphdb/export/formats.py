"""The formats in which a graph is written, each with its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from core.errors import CallError
from core.graphdb.export.cypher import cypher
from core.graphdb.export.graphml import graphml
from core.graphdb.export.tables import node_table, relation_table
from core.index.snapshot.snapshot import Snapshot

Write = Callable[[Snapshot], Iterator[str]]

FORMATS: Mapping[str, Mapping[str, Write]] = {  # format → name of a file → what writes it
    "graphml": {"graph.graphml": graphml},
    "cypher": {"graph.cypher": cypher},
    "csv": {"nodes.csv": node_table, "relations.csv": relation_table},
}


def written(reader: Snapshot, format: str) -> Mapping[str, Iterator[str]]:
    """The text of each file, in pieces. Raises CallError."""
    if format not in FORMATS:
        raise CallError(f"There is no format {format!r}: {', '.join(FORMATS)}.")
    return {name: write(reader) for name, write in FORMATS[format].items()}
