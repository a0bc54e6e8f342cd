"""The leaderboard of saved runs, and the other ways in which runs leave a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cli import run

Call = Callable[..., tuple[int, str, str]]
SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "Zoo", "version": "1"},
    "paths": {"/animals": {"post": {"summary": "Add an animal", "responses": {}}}},
}


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Call a command in a folder with a store and the set `zoo.jsonl`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EMBEDDER", "hash")
    monkeypatch.delenv("SPECLOUPE_STORE", raising=False)
    Path("zoo.json").write_text(json.dumps(SPEC))
    sample = {"id": "a", "query": "Add an animal", "relevant": ["POST /animals"]}
    Path("zoo.jsonl").write_text(json.dumps({**sample, "tags": ["\x9b31m\u202e"]}) + "\n")

    def call(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        status = run(arguments)
        return (status, *capfd.readouterr())

    assert call("ingest", "zoo.json")[0] == 0
    return call


def test_saved_runs_are_listed_marked_exported_and_deleted(zoo: Call) -> None:
    assert zoo("runs", "list") == (0, "", "No saved run fits; `specloupe eval EVAL_SET --save` "
                                   "keeps one.\n")  # fmt: skip
    assert zoo("eval", "zoo.jsonl", "--no-ragas", "--save", "--tag", "nightly")[0] == 0
    assert zoo("runs", "mark", "latest", "--note", "first\x1b[31m", "--baseline") == (0, "", "")
    status, out, _ = zoo("runs", "list", "--tag", "nightly", "--baseline")
    assert status == 0
    assert "(baseline)  zoo  1" in out
    assert "nightly  first [31m" in out
    (listed,) = json.loads(zoo("runs", "list", "--json")[1])
    assert listed["baseline"]
    assert zoo("runs", "export", "baseline", "--format", "trec")[1].startswith("a Q0 zoo.json:")
    assert zoo("runs", "export", "latest", "--format", "html", "--out", "report.html")[0] == 0
    assert Path("report.html").read_text().startswith("<!doctype html>")
    assert zoo("runs", "mark", "latest", "--no-baseline")[0] == 0
    assert json.loads(zoo("runs", "list", "--json")[1])[0]["tags"] == ["nightly"]
    assert zoo("runs", "rm", listed["id"])[0] == 0
    assert zoo("runs", "export", "latest")[0] == 2


def test_running_again_with_another_setting_keeps_both_and_prints_one(zoo: Call) -> None:
    status, out, err = zoo("eval", "zoo.jsonl", "--no-ragas", "--save", "--format", "csv",
                           "--against", "intent_filter=off")  # fmt: skip
    assert status == 0
    assert len(out.splitlines()) == 2
    assert err.count("saved as run") == 2
    assert "intent_filter" in err
    assert len(json.loads(zoo("runs", "list", "--json")[1])) == 2


def test_names_that_are_too_long_are_no_run(zoo: Call) -> None:
    status, _, err = zoo("eval", "zoo.jsonl", "--no-ragas", "--baseline", "x" * 5_000)
    assert status == 2
    assert err.count("\n") == 1


def test_what_lint_prints_cannot_steer_a_terminal(zoo: Call) -> None:
    _, out, _ = zoo("lint", "zoo.jsonl")
    assert "31m" in out
    assert not {"\x9b", "\u202e"} & set(out)
