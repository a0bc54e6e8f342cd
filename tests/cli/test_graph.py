"""`specloupe graph`, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.graph_server import GraphServer, gone
from support.stores import ingested, opened, version

from core.cli import run
from core.graphdb import server as servers


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("graph")
    with opened(folder / "store") as made:
        ingested(made, version(folder / "apis", 1))
    return str(folder / "store")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> GraphServer:
    server = GraphServer()
    monkeypatch.setenv("EMBEDDER", "hash")
    monkeypatch.setenv("NEO4J_URI", "bolt://memory")
    monkeypatch.setenv("NEO4J_PASSWORD", "open-sesame-77")
    monkeypatch.setattr(servers, "BoltServer", lambda address: server)
    return server


def test_push_and_status(
    store: str, server: GraphServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["graph", "status", "--store", store]) == 1
    assert "no whole graph" in capsys.readouterr().out
    assert run(["graph", "push", "--store", store]) == 0
    assert "nodes and" in capsys.readouterr().out
    assert run(["graph", "push", "--prune", "--store", store]) == 0
    assert "0 old ones removed" in capsys.readouterr().out
    assert run(["graph", "status", "--json", "--store", store]) == 0
    assert json.loads(capsys.readouterr().out)["is_current"] is True
    assert run(["graph", "status", "--store", store]) == 0
    assert "the present graph" in capsys.readouterr().out


def test_a_failure_is_a_sentence_without_the_password(
    store: str, server: GraphServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.before = gone
    assert run(["graph", "push", "--store", store]) == 3
    said = capsys.readouterr().err
    assert "cannot be reached" in said
    assert "open-sesame-77" not in said


@pytest.mark.parametrize(("format", "file"), [("graphml", "g.xml"), ("cypher", "g.cypher")])
def test_export_to_a_file_or_to_the_output(
    store: str,
    server: GraphServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    format: str,
    file: str,
) -> None:
    out = tmp_path / "new" / file
    assert run(["graph", "export", "--format", format, "--out", str(out), "--store", store]) == 0
    assert run(["graph", "export", "--format", format, "--store", store]) == 0
    assert out.read_text() == capsys.readouterr().out
    assert not server.asked


def test_csv_needs_a_folder(
    store: str, server: GraphServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["graph", "export", "--format", "csv", "--store", store]) == 2
    assert "--out FOLDER" in capsys.readouterr().err
    assert (
        run(["graph", "export", "--format", "csv", "--out", str(tmp_path), "--store", store]) == 0
    )
    assert {path.name for path in tmp_path.iterdir()} == {"nodes.csv", "relations.csv"}
