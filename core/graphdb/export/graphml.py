"""As GraphML, which Gephi, yEd, networkx and most others open."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from core.graphdb.rows import Node, nodes, relations
from core.index.snapshot.snapshot import Snapshot
from core.text.safe import xml as safe_xml

_OF_NODES = (
    *("labels", "label", "type", "kind", "name", "part", "source_file", "title", "version"),
    *("method", "path", "operation_id", "status", "language"),
)
_OF_EDGES = ("relation", "labels")


def graphml(reader: Snapshot) -> Iterator[str]:
    """The document in pieces. Where a reference is used is one text, by blanks."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for name in _OF_NODES:
        yield _key("node", name, "string")
    yield _key("node", "deprecated", "boolean")
    for name in _OF_EDGES:
        yield _key("edge", name, "string")
    yield _key("edge", "at", "int")
    yield '<graph edgedefault="directed">\n'
    yield from map(_node, nodes(reader))
    for each in relations(reader):
        said = {"relation": each.type, "labels": " ".join(each.labels), "at": each.at}
        data = "".join(f'<data key="edge.{key}">{xml(str(said[key]))}</data>' for key in said)
        ends = f'source="{xml(each.source)}" target="{xml(each.target)}"'
        yield f"<edge {ends}>{data}</edge>\n"
    yield "</graph>\n</graphml>\n"


def _key(of: str, name: str, type: str) -> str:
    return f'<key id="{of}.{name}" for="{of}" attr.name="{name}" attr.type="{type}"/>\n'


def _node(node: Node) -> str:
    said = {"labels": node.label, **node.properties}
    data = "".join(
        f'<data key="node.{key}">{xml(_text(value))}</data>' for key, value in said.items()
    )
    return f'<node id="{xml(node.id)}">{data}</node>\n'


def xml(text: str) -> str:
    """The text for an element or a quoted attribute."""
    return escape(safe_xml(text), quote=True)


def _text(value: str | bool) -> str:
    return value if isinstance(value, str) else str(value).lower()
