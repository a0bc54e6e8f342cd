"""As Cypher statements, as `cypher-shell` runs them: what `push` writes, of one store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.graphdb.push import batched
from core.graphdb.rows import MISSING, nodes, relations
from core.index.snapshot.snapshot import Snapshot

_LINES = 500  # rows of a statement
_UNIQUE = (
    "CREATE CONSTRAINT specloupe_{low}_id IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE;\n"
)
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def cypher(reader: Snapshot) -> Iterator[str]:
    """The statements, one a line; running them again changes nothing."""
    for label in ("Chunk", MISSING):
        yield _UNIQUE.format(low=label.lower(), label=label)
    rows = ((n.label, {"id": n.id, "row": n.row, **n.properties}) for n in nodes(reader))
    for label, batch in batched(rows, most=_LINES):
        labels = label if label == MISSING else f"Chunk:{label}"
        yield (f"UNWIND {literal(batch)} AS row MERGE (n:{labels} {{id: row.id}}) SET n += row;\n")
    said = (
        (
            (each.type, MISSING if each.is_missing else "Chunk"),
            {
                "source": each.source,
                "target": each.target,
                "said": {"at": each.at, "labels": each.labels, "places": each.places},
            },
        )
        for each in relations(reader)
    )
    for (type, label), batch in batched(said, most=_LINES):
        yield (
            f"UNWIND {literal(batch)} AS row MATCH (a:Chunk {{id: row.source}}) "
            f"MATCH (b:{label} {{id: row.target}}) MERGE (a)-[r:`{type}`]->(b) SET r += row.said;\n"
        )


_LINES = 500  # rows of a statement


def literal(value: Any) -> str:
    """A value as Cypher writes it."""
    if isinstance(value, str):
        return f"'{_escaped(value)}'"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    return str(value)


def _escaped(text: str) -> str:
    """No character of a text ends it, or its line."""
    plain = text.translate(_ESCAPES)
    return "".join(c if c.isprintable() else _hex(c) for c in plain)


def _hex(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    pairs = (units[at : at + 2] for at in range(0, len(units), 2))
    return "".join(f"\\u{pair.hex()}" for pair in pairs)
