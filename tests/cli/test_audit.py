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
