"""The leaderboard of saved runs, and the other ways in which runs leave a command."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.cli import run
from core.evaluate.runs.runs import Runs

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
    assert zoo("runs", "list") == (
        0,
        "",
        "No saved run matches; `specloupe eval EVAL_SET --save` saves one.\n",
    )
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
    status, out, err = zoo(
        "eval",
        "zoo.jsonl",
        "--no-ragas",
        "--save",
        "--format",
        "csv",
        "--against",
        "intent_filter=off",
    )
    assert status == 0
    assert len(out.splitlines()) == 2
    assert err.count("saved as run") == 2
    assert "intent_filter" in err
    assert len(json.loads(zoo("runs", "list", "--json")[1])) == 2


def test_a_sweep_tries_every_combination_and_says_what_chance_allows(zoo: Call) -> None:
    axes = ("--set", "min_score=0,1", "--set", "max_primary_results=1,20")
    status, out, err = zoo("sweep", "zoo.jsonl", *axes, "--save", "--max-total-chunks", "15")
    assert status == 0
    assert out.count("current") == 1
    assert len(out.splitlines()) == 3 + 3  # a title, a head, three rows
    assert "left out: min_score=0.0, max_primary_results=20: max_total_chunks (15) is below" in err
    assert err.endswith("None is better than the current settings.\n")
    assert {tuple(run["tags"]) for run in json.loads(zoo("runs", "list", "--json")[1])} == {
        ("sweep",)
    }
    found = json.loads(zoo("sweep", "zoo.jsonl", "--set", "min_score=1,0", "--json")[1])
    kept, lost = found["trials"]
    assert found["before"]["settings"] == {}
    assert found["before"]["metrics"]["context.recall"] == 1
    assert (lost["settings"], lost["metrics"]["context.recall"]) == ({"min_score": 1.0}, 0.0)
    assert kept["delta"]["delta"] == 0
    assert zoo("sweep", "zoo.jsonl")[0] == 2


def test_a_sweep_stops_where_nothing_can_be_compared(zoo: Call) -> None:
    status, out, err = zoo("sweep", "zoo.jsonl", "--set", "max_depth=3")
    assert (status, out.count("\n")) == (0, 4)  # one row: the settings as they are
    assert err.endswith(
        "Nothing to compare: each combination is invalid or equals the current settings.\n"
    )
    _, _, err = zoo("sweep", "zoo.jsonl", "--set", "embedder=minilm,hash")
    assert (
        "left out: embedder=minilm: embedder: fixed when a store is created. To compare two" in err
    )
    status, _, err = zoo("sweep", "zoo.jsonl", "--set", "max_depth=1", "--by", "no_answer.accuracy")
    assert (status, "1/1" in err) == (2, False)  # told after the first run
    assert "no_answer.accuracy is not measured here" in err
    status, _, err = zoo("eval", "zoo.jsonl", "--no-ragas", "--against", "embedder=minilm")
    assert (status, "fixed when a store is created" in err) == (2, True)


def test_each_question_is_logged_when_asked_for(zoo: Call) -> None:
    _, _, err = zoo("eval", "zoo.jsonl", "--no-ragas", "--json", "--log-stats")
    assert '"event": "retrieve"' in err
    assert "{" not in zoo("eval", "zoo.jsonl", "--no-ragas", "--json")[2]


def test_names_that_are_too_long_are_no_run(zoo: Call) -> None:
    status, _, err = zoo("eval", "zoo.jsonl", "--no-ragas", "--baseline", "x" * 5_000)
    assert status == 2
    assert err.count("\n") == 1


def test_what_lint_prints_cannot_steer_a_terminal(zoo: Call) -> None:
    _, out, _ = zoo("lint", "zoo.jsonl")
    assert "31m" in out
    assert not {"\x9b", "\u202e"} & set(out)


def test_a_set_goes_to_the_formats_of_others_and_back(zoo: Call) -> None:
    label = "zoo.json:paths/animals/post"
    assert zoo("convert", "zoo.jsonl", "--to", "yaml")[1].startswith("name: zoo\nsamples:")
    assert zoo("convert", "zoo.jsonl", "--to", "trec", "--out", "new/zoo.qrels") == (0, "", "")
    assert Path("new/zoo.qrels").read_text() == f"a 0 {label} 1\n"
    Path("zoo.tsv").write_text("a\tAdd an animal\n")
    back = zoo("convert", "new/zoo.qrels", "--questions", "zoo.tsv", "--to", "jsonl")[1]
    assert json.loads(back) == {"id": "a", "query": "Add an animal", "relevant": [label]}
    assert zoo("convert", "zoo.jsonl", "--to", "ragas", "--out", "ragas.jsonl")[0] == 0
    assert zoo("convert", "zoo.jsonl", "--to", "beir", "--out", "beir") == (0, "", "")
    assert '"title": "POST /animals"' in Path("beir/corpus.jsonl").read_text()
    for other in ("ragas.jsonl", "beir"):
        assert zoo("lint", other)[0] == 0
        assert zoo("eval", other, "--no-ragas", "--fail-under", "search.recall@10=1")[0] == 0


def test_questions_without_an_answer_are_said_to_be_in_no_judgement(zoo: Call) -> None:
    rows = [{"query": "Add?", "relevant": ["POST /animals"]}, {"query": "Why?", "relevant": []}]
    Path("two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    _, out, err = zoo("convert", "two.jsonl", "--to", "trec")
    assert out == "q001 0 zoo.json:paths/animals/post 1\n"
    assert err.startswith("1 of 2 questions have no answer")
    assert zoo("convert", "two.jsonl", "--to", "ragas", "--out", "r.jsonl") == (0, "", "")


def test_a_set_that_cannot_be_converted_says_why(zoo: Call) -> None:
    assert zoo("convert", "zoo.jsonl", "--to", "beir") == (
        2,
        "",
        "specloupe: --to beir writes a folder; name it with --out.\n",
    )
    Path("wrong.jsonl").write_text(json.dumps({"query": "Why?", "relevant": ["GET /animals"]}))
    status, _, err = zoo("convert", "wrong.jsonl", "--to", "trec")
    assert status == 2
    assert "Did you mean 'zoo.json POST /animals'" in err
    assert zoo("lint", ".")[2].startswith("specloupe: .: a folder must contain BEIR's")
    assert "cannot be written" in zoo("convert", "zoo.jsonl", "--to", "csv", "--out", ".")[2]


def damaged(runs: Path) -> None:
    runs.write_bytes(b"no database at all " * 100)


def locked(runs: Path) -> None:
    LOCKS.append(db := sqlite3.connect(runs, isolation_level=None))
    db.execute("BEGIN EXCLUSIVE")


LOCKS: list[sqlite3.Connection] = []


@pytest.mark.parametrize("harm", [damaged, locked])
def test_figures_are_printed_even_when_they_cannot_be_saved(
    zoo: Call, harm: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Runs.save_all.__kwdefaults__, "busy_s", 0.2)
    assert zoo("eval", "zoo.jsonl", "--no-ragas", "--save")[0] == 0
    harm(Path(".specloupe/runs.sqlite"))
    try:
        status, out, err = zoo("eval", "zoo.jsonl", "--no-ragas", "--save")
    finally:
        while LOCKS:
            LOCKS.pop().close()
    assert status == 3
    assert "search.mrr" in out
    assert err.startswith("Runs cannot be saved at the moment: ")  # before the first question
    assert "The figures above are not saved." in err.splitlines()[-1]


def test_a_damaged_run_is_named_and_taken_out(zoo: Call) -> None:
    for note in ("one", "two"):
        assert zoo("eval", "zoo.jsonl", "--no-ragas", "--save", "--note", note)[0] == 0
    with closing(sqlite3.connect(".specloupe/runs.sqlite")) as db, db:
        (bad,) = db.execute("SELECT id FROM runs WHERE notes = 'one'").fetchone()
        db.execute("UPDATE runs SET summary = '' WHERE id = ?", (bad,))
    status, out, err = zoo("runs", "list")
    assert (status, "two" in out, f"specloupe runs rm {bad}" in err) == (0, True, True)
    assert zoo("runs", "rm", bad)[0] == 0
    assert zoo("runs", "list")[2] == ""
