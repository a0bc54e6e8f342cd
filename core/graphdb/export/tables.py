"""As two CSV tables with the headings that `neo4j-admin database import` reads."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from core.graphdb.rows import MISSING, nodes, relations
from core.index.snapshot.snapshot import Snapshot
from core.text import safe

_NODE = (
    *("label", "type", "kind", "name", "part", "source_file", "title", "version"),
    *("method", "path", "operation_id", "status", "language", "deprecated"),
)
_LISTED = ";"  # between the values of a list


def node_table(reader: Snapshot) -> Iterator[str]:
    """Line by line; the first has the headings."""
    yield _line("id:ID", ":LABEL", *_NODE[:-1], "deprecated:boolean")
    for node in nodes(reader):
        labels = MISSING if node.label == MISSING else f"Chunk{_LISTED}{node.label}"
        yield _line(node.id, labels, *(node.properties.get(name, "") for name in _NODE))


def relation_table(reader: Snapshot) -> Iterator[str]:
    yield _line(":START_ID", ":END_ID", ":TYPE", "labels:string[]", "at:int")
    for each in relations(reader):
        yield _line(each.source, each.target, each.type, _LISTED.join(each.labels), each.at)


def _line(*values: Any) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow([_cell(value) for value in values])
    return out.getvalue()


def _cell(value: Any) -> str:
    """A text that a spreadsheet would take for a formula is none."""
    if isinstance(value, bool):
        return str(value).lower()
    return safe.csv(value) if isinstance(value, str) else str(value)
