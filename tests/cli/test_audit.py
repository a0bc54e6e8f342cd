"""`specloupe audit`: what it prints, its gate, and its files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cli import run

Call = Callable[..., tuple[int, str, str]]
OK = {"responses": {"200": {"description": "OK"}}}
SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "Zoo", "version": "1"},
    "paths": {"/animals": {"get": {"summary": "List animals", **OK}}, "/bare": {"get": {**OK}}},
}


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Call a command in a folder with a store."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EMBEDDER", "hash")
    monkeypatch.delenv("SPECLOUPE_STORE", raising=False)
    Path("zoo.json").write_text(json.dumps(SPEC))

    def call(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        status = run(arguments)
        return (status, *capfd.readouterr())

    assert call("ingest", "zoo.json")[0] == 0
    return call


def test_it_prints_shares_findings_and_what_they_are_worth(zoo: Call) -> None:
    status, out, err = zoo("audit")
    assert status == 0
    assert "Audit of 2 elements, 1 API" in out
    assert "not documented" in out
    assert "no sufficient one" in err


def test_json(zoo: Call) -> None:
    values = json.loads(zoo("audit", "--api", "zoo", "--json")[1])
    assert values["elements"] == 2
    assert values["causes"] == {"not documented": 1}
    assert json.loads(zoo("audit", "--json")[1])["reused_apis"] == 1
    assert json.loads(zoo("audit", "--json", "--fresh")[1])["reused_apis"] == 0


def test_the_gate(zoo: Call) -> None:
    assert zoo("audit", "--min-found", "0.5")[0] == 0
    status, _, err = zoo("audit", "--min-found", "1", "--max-primary-results", "1")
    found = json.loads(zoo("audit", "--json", "--max-primary-results", "1")[1])["found"]
    assert status == (0 if found == 1 else 1)
    assert f"found {found:.3f}, at least 1.000 wanted" in err


def test_an_overlay_of_one_api(zoo: Call) -> None:
    assert zoo("audit", "--overlay", "out/overlay.json")[0] == 0
    (action,) = json.loads(Path("out/overlay.json").read_text())["actions"]
    assert action["target"] == "$['paths']['/bare']['get']"
    assert action["update"] == {"summary": "Get bare"}


def test_an_overlay_of_several_apis_is_refused(zoo: Call) -> None:
    Path("zoo.json").rename("more.json")
    assert zoo("ingest", "more.json")[0] == 0
    status, _, err = zoo("audit", "--overlay", "overlay.json")
    assert status == 2
    assert "--api ID" in err
    assert not Path("overlay.json").exists()


def test_an_unknown_api(zoo: Call) -> None:
    status, _, err = zoo("audit", "--api", "zo")
    assert status == 2
    assert "zoo" in err


NEWER = {
    **SPEC,
    "info": {"title": "Zoo", "version": "2"},
    "paths": {"/animals": {"get": {**OK}}, "/tickets": {"get": {"summary": "Buy tickets", **OK}}},
}
SET = (
    "- {id: a, query: Show me the animals, relevant: [GET /animals]}\n"
    "- {id: b, query: bare, relevant: [GET /bare]}\n"
)


@pytest.fixture
def newer(zoo: Call) -> Path:
    Path("newer.json").write_text(json.dumps(NEWER))
    Path("set.yaml").write_text(SET)
    return Path("newer.json")


def test_a_newer_version_is_told_element_by_element(zoo: Call, newer: Path) -> None:
    status, out, _ = zoo("audit", "--newer", str(newer), "--api", "zoo", "--set", "set.yaml")
    assert status == 0
    assert "A newer version of zoo" in out
    assert "GET /bare" in out  # the label that is gone
    assert "zoo.json:paths/bare/get" in out


def test_a_newer_version_as_json_and_nothing_of_it_is_stored(zoo: Call, newer: Path) -> None:
    status, out, _ = zoo("audit", "--newer", "newer.json", "--api", "zoo", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["fates"]["gone"] == 1
    assert found["fates"]["new"] == 1
    assert found["labels"] is None
    assert "zoo.json:paths/bare/get" in zoo("chunks")[1]


def test_the_gate_of_a_newer_version(zoo: Call, newer: Path) -> None:
    call = ("audit", "--newer", "newer.json", "--api", "zoo", "--set", "set.yaml", "--max-lost")
    assert zoo(*call, "0")[0] == 1
    assert zoo(*call, "9")[0] == 0


def test_the_same_version_loses_nothing(zoo: Call, newer: Path) -> None:
    status, out, _ = zoo("audit", "--newer", "zoo.json", "--set", "set.yaml", "--max-lost", "0")
    assert status == 0
    assert "Labels of questions: 0 lost, 0 gained, 0 moved" in out


def test_a_newer_version_of_nothing_is_refused(zoo: Call, newer: Path) -> None:
    status, _, err = zoo("audit", "--newer", "newer.json")
    assert status == 2
    assert "newer" in err
    assert zoo("audit", "--newer", "set.yaml", "--api", "zoo")[0] == 1
    assert zoo("audit", "--max-lost", "0")[0] == 2
