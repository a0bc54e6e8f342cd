"""A graph as files: others read it, and hostile text in it stays text."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import networkx as nx
import pytest
from support.graphs import snapshot_of

from core.errors import CallError
from core.graphdb.export.cypher import literal
from core.graphdb.export.formats import FORMATS, written
from core.index.snapshot.snapshot import Snapshot

GET, USER, ODD, AWAY = (
    *("a.json:paths/users/get", "a.json:components/schemas/User"),
    *("=a.json:components/schemas/<b>\"&'\\", "away.md:document"),
)
REFS: dict[str, dict[str, tuple[str, ...]]] = {
    GET: {ODD: ("x-a",), USER: ("responses.200", "requestBody", "optional"), AWAY: ()},
    USER: {USER: ("properties.next", "optional")},
    ODD: {},
}


@pytest.fixture
def reader(tmp_path: Path) -> Snapshot:
    return snapshot_of(REFS, tmp_path)


def texts(reader: Snapshot, format: str) -> dict[str, str]:
    return {name: "".join(pieces) for name, pieces in written(reader, format).items()}


def test_networkx_reads_the_graphml(reader: Snapshot) -> None:
    (text,) = texts(reader, "graphml").values()
    graph = nx.read_graphml(io.BytesIO(text.encode()), force_multigraph=True)
    assert {*graph} == {*REFS, AWAY}
    told = {(a, b, d["relation"], d["labels"], d["at"]) for a, b, d in graph.edges(data=True)}
    assert told == {
        (GET, ODD, "EXTENSION", "x-a", 0),
        (GET, USER, "RESPONSES", "responses.200 optional", 1),
        (GET, USER, "REQUEST_BODY", "requestBody optional", 1),
        (GET, AWAY, "REFERS_TO", "", 2),
        (USER, USER, "PROPERTIES", "properties.next optional", 0),
    }
    assert graph.nodes[GET]["labels"] == "Operation"
    assert graph.nodes[GET]["deprecated"] is False
    assert graph.nodes[AWAY]["labels"] == "Missing"


def test_csv_has_a_table_of_nodes_and_one_of_relations(reader: Snapshot) -> None:
    tables = {n: [*csv.reader(io.StringIO(t))] for n, t in texts(reader, "csv").items()}
    nodes, relations = tables["nodes.csv"], tables["relations.csv"]
    ids = [row[0] for row in nodes[1:]]
    assert ids == ["'" + ODD, USER, GET, AWAY]
    assert nodes[3][1] == "Chunk;Operation"
    assert all(len(row) == len(nodes[0]) for row in nodes)
    assert {row[2] for row in relations[1:]} == {
        *("EXTENSION", "RESPONSES", "REQUEST_BODY", "REFERS_TO", "PROPERTIES")
    }
    assert {end for row in relations[1:] for end in row[:2]} <= {*ids}


def test_cypher_is_a_statement_a_line(reader: Snapshot) -> None:
    (text,) = texts(reader, "cypher").values()
    lines = text.splitlines()
    assert all(line.endswith(";") for line in lines)
    assert sum("CREATE CONSTRAINT" in line for line in lines) == 2
    assert sum("MERGE (a)-[r:`RESPONSES`]->(b)" in line for line in lines) == 1
    assert literal(ODD) in text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("it's", r"'it\'s'"),
        ("a\\", r"'a\\'"),
        ("a\nb\u2028", r"'a\nb\u2028'"),
        ("\x00\U0001f600", "'\\u0000\U0001f600'"),
        (True, "true"),
        (3, "3"),
        ({"a": ["b", ()]}, "{a: ['b', []]}"),
    ],
    ids=repr,
)
def test_a_value_as_cypher_writes_it(value: object, expected: str) -> None:
    assert literal(value) == expected


def test_an_unknown_format_is_refused(reader: Snapshot) -> None:
    with pytest.raises(CallError, match=", ".join(FORMATS)):
        written(reader, "dot")
