"""The generated gate is what the real command line takes, and what the files say."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.retrieved import A, B, result, run_of

from core.cli import run
from core.cli.evaluate import evaluate
from core.cli.ingest import ingest
from core.evaluate.compare.ci import (
    Gate,
    bound,
    command,
    evaluation,
    github,
    gitlab,
    ingestion,
    options,
    shell,
)
from core.evaluate.sets.sample import Sample
from core.settings import KNOB, Settings

SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "Zoo", "version": "1"},
    "paths": {"/animals": {"post": {"summary": "Add an animal", "responses": {}}}},
}
GATE = Gate(
    ("eval sets/zoo.jsonl",),
    "specs",
    Settings(min_score=0.2, second_look="off", spelling=False, max_total_chunks=30),
    under={"search.recall@10": 0.9},
    over={"context.tokens": 4000.0},
)
Say = Callable[..., int]


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Run a line of a shell in a repository with a specification and a set."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EMBEDDER", "hash")
    monkeypatch.delenv("SPECLOUPE_STORE", raising=False)
    Path("specs").mkdir()
    Path("specs/zoo.json").write_text(json.dumps(SPEC))
    Path("eval sets").mkdir()
    sample = {"id": "a", "query": "Add an animal", "relevant": ["POST /animals"]}
    Path("eval sets/zoo.jsonl").write_text(json.dumps(sample) + "\n")

    def call(line: str) -> int:
        program, *arguments = shlex.split(line)
        assert program == "specloupe"
        return run(arguments)

    return call


def lines(script: str) -> list[str]:
    return script.replace("\\\n", " ").splitlines()


def test_the_command_runs_and_passes_and_fails(zoo: Say) -> None:
    first, second = lines(shell(GATE))
    assert zoo(first) == 0
    assert zoo(second) == 0
    assert "passed" in Path("gate.md").read_text("utf-8")
    assert "<testsuite" in Path("gate.xml").read_text("utf-8")
    tight = Gate(GATE.sets, GATE.specifications, GATE.settings, over={"context.tokens": 1.0})
    assert zoo(lines(shell(tight))[1]) == 1


def test_a_drop_from_a_baseline_is_part_of_the_command(zoo: Say) -> None:
    dropped = Gate(
        GATE.sets,
        GATE.specifications,
        GATE.settings,
        baseline="base line.json",
        drops={"search.mrr": 0.02},
    )
    first, second = lines(shell(dropped))
    assert zoo(first) == 0
    assert (
        zoo(command(["eval", *GATE.sets, "--no-ragas", "--json", "--out", "base line.json"])) == 0
    )
    assert zoo(second) == 0
    assert "at most 0.02 below" in Path("gate.md").read_text("utf-8")


def test_the_steps_of_both_services_are_these_commands(zoo: Say) -> None:
    steps = yaml.safe_load(github(GATE))["jobs"]["gate"]["steps"]
    job = yaml.safe_load(gitlab(GATE))["retrieval"]
    prefix = "uv run --no-sync "
    for scripts in ([step.get("run", "") for step in steps], job["script"]):
        ours = [text.strip() for text in scripts if text.startswith(prefix)]
        assert [text.removeprefix(prefix) for text in ours] == shell(GATE).strip().split("\n", 1)
    assert job["artifacts"]["reports"]["junit"] == "gate.xml"
    assert "gate.md" in steps[-1]["run"]


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "min_score": st.sampled_from([0.0, 0.05, 0.3]),
    "max_depth": st.integers(0, 10),
    "token_limit": st.sampled_from([100, 12_300]),
    "mode": st.sampled_from(["exact", "hybrid"]),
    "spelling": st.booleans(),
    "second_look": st.sampled_from(["off", "auto"]),
    "embedder": st.sampled_from(["static", "minilm", "hash"]),
    "api_filter": st.sampled_from(["off", "soft", "hard"]),
}


@pytest.mark.thorough
@given(values=st.fixed_dictionaries({}, optional=VALUES), path=st.text(min_size=1, max_size=40))
def test_whatever_the_settings_the_command_line_reads_them_back(
    values: dict[str, Any], path: str
) -> None:
    gate = Gate((f"{path}.yaml",), path, Settings(**values), under={"search.mrr": 0.5})
    parsed = evaluate.make_context("eval", evaluation(gate)[1:]).params
    given = {name: parsed[name] for name in KNOB if parsed[name] is not None}
    assert Settings.from_values(given) == gate.settings
    assert len(parsed["sets"]) == 1
    assert parsed["fail_under"] == ("search.mrr=0.5",)
    assert len(ingest.make_context("ingest", ingestion(gate)[1:]).params["sources"]) == 1


@given(path=st.text(max_size=60))
def test_a_path_stays_one_word_of_the_files(path: str) -> None:
    gate = Gate((f"{path}.yaml",), "specs", Settings())
    step = yaml.safe_load(github(gate))["jobs"]["gate"]["steps"][3]["run"]
    assert shlex.split(step.replace("\\\n", ""))[5] == evaluation(gate)[1]
    assert gitlab(gate).count("\n") == gitlab(Gate(("a",), "specs", Settings())).count("\n")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("search.recall@10", 0.691, 0.67),
        ("search.recall@10", 1.0, 0.98),
        ("search.recall@10", 0.01, 0.0),
        ("context.empty", 0.193, 0.22),
        ("context.tokens", 2000.0, 2200.0),
    ],
)
def test_a_bound_leaves_some_room(name: str, value: float, expected: float) -> None:
    assert bound(name, value) == expected


def test_the_gate_can_be_tried_on_a_run() -> None:
    found = run_of(result(Sample("1", "q", relevant=(A,)), [B, A]))
    passed, failed = Gate(
        ("a",), "b", Settings(), under={"search.recall@10": 1.0}, over={"context.tokens": 1.0}
    ).checked(found)
    assert passed.passed
    assert not failed.passed


def test_options_are_the_difference() -> None:
    assert options(Settings()) == []
    base = Settings(min_score=0.2)
    assert options(Settings(max_depth=5), base) == ["--max-depth", "5", "--min-score", "0.3"]
    assert options(Settings(group_repeated=False)) == ["--no-group-repeated"]


def test_the_examples_of_the_docs_are_generated() -> None:
    docs = (Path(__file__).parents[3] / "docs" / "evaluation.md").read_text("utf-8")
    shown = Gate(("eval_sets/samples.yaml",), "specs", Settings(), under={"search.recall@10": 0.75})
    for text in (github(shown), gitlab(shown)):
        assert f"```yaml\n{text}```" in docs
