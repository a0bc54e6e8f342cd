"""The commands as a user calls them: what they print, where, and with which exit status."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.commands import Say, calling

from core.cli import COMMANDS, specloupe

SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "Zoo", "version": "1"},
    "paths": {
        "/animals": {
            "post": {
                "operationId": "addAnimal",
                "summary": "Add an animal",
                "requestBody": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Animal"}}
                    }
                },
                "responses": {"201": {"description": "Added"}},
            }
        }
    },
    "components": {"schemas": {"Animal": {"type": "object", "properties": {"name": {}}}}},
}
ADD = "zoo.json:paths/animals/post"


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Say]:
    """Call a command in a folder with `zoo.json`; gives status, stdout and stderr."""
    return calling(tmp_path, monkeypatch, capfd, {"zoo.json": SPEC})


@pytest.fixture
def zoo(cli: Callable[..., Say]) -> Callable[..., Say]:
    """The same, with `zoo.json` in the store."""
    assert cli("ingest", "zoo.json")[0] == 0
    return cli


def test_ingest_says_what_it_read(cli: Callable[..., Say]) -> None:
    status, out, _ = cli("ingest", "zoo.json")
    assert status == 0
    assert "zoo.json  1 operations, 1 components" in out
    assert "1 read, 0 unchanged, 0 refused" in out


def test_ingest_skips_what_is_unchanged(zoo: Callable[..., Say]) -> None:
    report = json.loads(zoo("ingest", "zoo.json", "--json")[1])
    assert (report["specs"], report["skipped"]) == ([], ["zoo.json"])


def test_one_refused_file_does_not_stop_the_others(cli: Callable[..., Say]) -> None:
    Path("cut.json").write_text('{"openapi": "3.0.0", "info": {')
    status, out, err = cli("ingest", "cut.json", "zoo.json")
    assert status == 1
    assert "1 read" in out
    assert err.startswith("refused: cut.json: the JSON ends too early, at line 1")


def test_what_no_person_wrote_is_left_out_counted_no_failure(cli: Callable[..., Say]) -> None:
    Path("web").mkdir()
    for number in range(13):
        Path(f"web/{number:02}.min.js").write_text("a=1;" * 2_000)
    Path("web/app.js").write_text("function go() {}\n")
    status, out, err = cli("ingest", "web")
    assert status == 0
    assert "1 read, 0 unchanged, 0 refused, 0 removed, 13 left out" in out
    said = [line for line in err.splitlines() if line.startswith("left out:")]
    assert len(said) == 11
    assert said[-1].startswith("left out: 3 more: it looks minified")


def test_a_broken_file_beside_what_is_left_out_is_a_failure(cli: Callable[..., Say]) -> None:
    Path("web").mkdir()
    Path("web/app.min.js").write_text("a=1;" * 2_000)
    Path("web/data.json").write_text('{"openapi": "3.0.0", "info": {')
    status, out, err = cli("ingest", "web", "--format", "all")
    assert status == 1
    assert "1 refused, 0 removed, 1 left out" in out
    assert "left out: app.min.js: it looks minified" in err
    assert "refused: data.json: the JSON ends too early" in err


def test_query_prints_the_context(zoo: Callable[..., Say]) -> None:
    status, out, err = zoo("query", "add an animal", "--min-score", "0")
    assert status == 0
    assert f"## {ADD}" in out
    assert "results" in err


def test_query_json_holds_the_whole_context(zoo: Callable[..., Say]) -> None:
    context = json.loads(zoo("query", "add an animal", "--min-score", "0", "--json")[1])
    assert context["primary_chunks"][0]["chunk"]["id"] == ADD
    ids = [item["chunk"]["id"] for item in context["primary_chunks"] + context["referenced_chunks"]]
    assert "zoo.json:components/schemas/Animal" in ids
    assert context["total_tokens"] <= 4000
    assert context["trace"]["understanding"]["intent"] == "endpoint"


def test_a_wrong_setting_is_named_as_it_was_given(zoo: Callable[..., Say]) -> None:
    status, _, err = zoo("query", "add an animal", "--max-depth", "99")
    assert (status, err) == (2, "specloupe: --max-depth: 99 is not between 0 and 10.\n")


def test_the_app_refuses_a_wrong_settings_file_before_it_starts(zoo: Callable[..., Say]) -> None:
    Path("wrong.toml").write_text("max_depth = 50")
    status, _, err = zoo("app", "--settings", "wrong.toml")
    assert status == 2
    assert "wrong.toml: max_depth: 50 is not between 0 and 10" in err


def test_where_narrows_the_search(zoo: Callable[..., Say]) -> None:
    arguments = ("--where", "type=component", "--min-score", "0", "--max-depth", "0", "--json")
    context = json.loads(zoo("query", "animal", *arguments)[1])
    kinds = {item["chunk"]["type"] for item in context["primary_chunks"]}
    assert kinds == {"component"}


def test_where_takes_tags_and_several_values(zoo: Callable[..., Say]) -> None:
    path = {"responses": {}, "tags": ["Herds", "Zoo"], "summary": "List animals of a herd"}
    other = {"responses": {}, "tags": ["Cages"], "summary": "List animals of a cage"}
    paths = {"/herds": {"get": path}, "/cages": {"get": other}}
    document = {"openapi": "3.1.0", "info": {"title": "H", "version": "1"}, "paths": paths}
    Path("herds.json").write_text(json.dumps(document))
    assert zoo("ingest", "herds.json")[0] == 0

    def found(*conditions: str) -> set[str]:
        asked = [word for condition in conditions for word in ("--where", condition)]
        out = zoo("query", "animals", *asked, "--min-score", "0", "--json")[1]
        return {item["chunk"]["path"] for item in json.loads(out)["primary_chunks"]}

    assert found("tags=Herds") == found("tags=Zoo", "type=operation") == {"/herds"}
    assert found("tags=Herds", "tags=Cages") == {"/herds", "/cages"}
    assert found("tags=herds") == set()


@pytest.mark.parametrize("option", ["--top-k", "--limit", "--max-primary-results"])
def test_names_of_the_number_of_results(option: str, zoo: Callable[..., Say]) -> None:
    out = zoo("query", "animal", "--min-score", "0", option, "1", "--json")[1]
    assert len(json.loads(out)["primary_chunks"]) == 1
    assert option in zoo("query", "--help")[1]
    values = json.loads(zoo("settings", "--json", option, "2")[1])
    assert values["max_primary_results"] == {"value": 2, "origin": "argument"}


@pytest.mark.parametrize(("value", "found"), [("no", 1), ("FALSE", 1), ("true", 0), ("1", 0)])
def test_deprecated_is_a_yes_or_no(value: str, found: int, zoo: Callable[..., Say]) -> None:
    arguments = ("--min-score", "0", "--where", "type=operation", "--json")
    out = zoo("query", "animal", "--where", f"deprecated={value}", *arguments)[1]
    assert len(json.loads(out)["primary_chunks"]) == found


def test_the_log_line_of_a_query_is_printed_when_asked_for(zoo: Callable[..., Say]) -> None:
    _, out, err = zoo("query", "animal", "--log-stats", "--json")
    assert json.loads(err)["event"] == "retrieve"
    assert json.loads(out)["query"] == "animal"
    for quiet in ((), ("--no-log-stats",)):
        assert zoo("query", "animal", *quiet, "--json")[2] == ""


def test_catalog_chunks_and_show_agree(zoo: Callable[..., Say]) -> None:
    (entry,) = json.loads(zoo("catalog", "--json")[1])
    assert (entry["file_id"], entry["counts"]["operations"]) == ("zoo", 1)
    chunks = [json.loads(line) for line in zoo("chunks")[1].splitlines()]
    by_id = {chunk["id"]: chunk for chunk in chunks}
    assert by_id[ADD]["ref_ids"] == {"zoo.json:components/schemas/Animal": ["requestBody"]}
    assert by_id["zoo.json:components/schemas/Animal"]["referenced_by"] == [ADD]
    shown = json.loads(zoo("show", ADD, "--json")[1])
    assert shown["json"]["summary"] == "Add an animal"
    assert "requestBody" in zoo("show", ADD)[1]


def test_the_detail_of_an_api_is_its_index_in_the_pipelines_own_keys(
    zoo: Callable[..., Say],
) -> None:
    index = json.loads(zoo("catalog", "--detail", "zoo", "--json")[1])
    assert [*index] == ["file_id", "endpoints", "schemas", "domains"]
    assert index["endpoints"][0].keys() == {"path", "methods", "operations"}
    assert index["schemas"][0].keys() == {"name", "type", "used_by"}
    assert zoo("catalog", "--detail", "zo")[0] != 0


def test_impact_names_the_operations_that_use_an_element(zoo: Callable[..., Say]) -> None:
    animal = "zoo.json:components/schemas/Animal"
    status, out, _ = zoo("impact", animal)
    assert (status, f"{animal} is used directly by 1 operation:" in out) == (0, True)
    assert f"{ADD}  (requestBody)" in out
    (operation,) = json.loads(zoo("impact", animal, "--json")[1])["operations"]
    assert (operation["id"], operation["via"]) == (ADD, [animal])
    assert "affects no operation" in zoo("impact", ADD)[1]


def test_impact_of_what_is_used_through_others_alone(cli: Callable[..., Say]) -> None:
    schemas = {"Animal": {"properties": {"kind": {"$ref": "#/components/schemas/Kind"}}}}
    kinds = {"Kind": {"type": "string"}}
    Path("zoo.json").write_text(json.dumps(SPEC | {"components": {"schemas": schemas | kinds}}))
    assert cli("ingest", "zoo.json")[0] == 0
    kind = "zoo.json:components/schemas/Kind"
    said = cli("impact", kind)[1].splitlines()[0]
    assert said == f"{kind} is used through other elements by 1 operation:"


def test_specs_rm_takes_an_api_out(zoo: Callable[..., Say]) -> None:
    status, out, _ = zoo("specs", "rm", "zoo")
    assert (status, "removed: zoo.json" in out) == (0, True)
    assert json.loads(zoo("catalog", "--json")[1]) == []


def test_a_question_that_finds_nothing_says_what_came_nearest(zoo: Callable[..., Say]) -> None:
    status, out, err = zoo("query", "animal", "--min-score", "1")
    assert (status, out) == (0, "")
    assert re.search(r"Nothing scored 1 or more; nearest: zoo.json:\S+ \(0\.\d{3}\)", err)
    score = re.search(r"--min-score (\S+) includes the first", err)
    assert score
    assert zoo("query", "animal", "--min-score", score[1])[1].startswith("# Contents")


def test_a_question_to_an_empty_store_says_how_to_fill_it(zoo: Callable[..., Say]) -> None:
    assert zoo("specs", "rm", "zoo")[0] == 0
    status, out, err = zoo("query", "animal")
    assert (status, out) == (0, "")
    assert err.endswith("The store is empty; `specloupe ingest PATH` fills it.\n")


def test_the_store_can_be_converted_to_another_embedder(zoo: Callable[..., Say]) -> None:
    assert zoo("reembed", "--embedder", "static")[:2] == (0, "1 files converted to static\n")
    status, out, _ = zoo("query", "add an animal", "--embedder", "static", "--min-score", "0")
    assert (status, ADD in out) == (0, True)


def test_the_read_index_can_be_built_anew(zoo: Callable[..., Say]) -> None:
    assert zoo("index", "rebuild")[0] == 0
    assert zoo("query", "add an animal", "--min-score", "0")[0] == 0


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch, cli: Callable[..., Say]) -> Callable[..., Say]:
    """A call with the embedder that people have: that for tests has no second look."""
    monkeypatch.setenv("EMBEDDER", "static")
    monkeypatch.setenv("RETRIEVAL_SECOND_LOOK", "auto")
    return cli


def test_an_ingest_says_how_the_second_look_is_made_and_the_command_makes_it(
    usual: Callable[..., Say],
) -> None:
    err = usual("ingest", "zoo.json")[2]
    assert re.search(r"(\d+) of \1 chunks have no second vector yet: .*`specloupe index sec", err)
    status, _, err = usual("index", "second-look")
    assert status == 0
    assert re.search(r"(\d+) of \1 chunks have a second vector", err)
    assert "second vector" not in usual("ingest", "zoo.json")[2]


def test_an_ingest_can_wait_for_the_second_look(usual: Callable[..., Say]) -> None:
    status, out, err = usual("ingest", "zoo.json", "--second-look", "--json")
    assert status == 0
    assert json.loads(out)["chunks"]
    assert re.search(r"(\d+) of \1 chunks have a second vector", err)


def test_a_store_without_a_second_look_says_so(zoo: Callable[..., Say]) -> None:
    assert "no second look" in zoo("index", "second-look")[2]


def test_settings_say_where_they_come_from(cli: Callable[..., Say]) -> None:
    values: dict[str, Any] = json.loads(cli("settings", "--json", "--max-depth", "1")[1])
    assert values["max_depth"] == {"value": 1, "origin": "argument"}
    assert values["embedder"] == {"value": "hash", "origin": "environment EMBEDDER"}
    assert values["token_limit"] == {"value": 4000, "origin": "default"}


def test_settings_show_what_an_endpoint_is_asked_for(
    cli: Callable[..., Say], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_EMBEDDING_MODEL", raising=False)
    monkeypatch.delenv("OPENAI_EMBEDDING_DIMENSIONS", raising=False)
    lines = cli("settings")[1].splitlines()
    assert sum("not set (used by the openai embedder)" in line for line in lines) == 2
    monkeypatch.setenv("OPENAI_EMBEDDING_MODEL", "mine")
    monkeypatch.setenv("OPENAI_EMBEDDING_DIMENSIONS", "384")
    said = [line.split() for line in cli("settings")[1].splitlines()]
    assert ["OPENAI_EMBEDDING_MODEL", "mine"] in said
    assert ["OPENAI_EMBEDDING_DIMENSIONS", "384"] in said


def test_eval_scores_a_set_and_holds_a_bound(zoo: Callable[..., Say]) -> None:
    sample = {"id": "a", "query": "add an animal", "relevant": [ADD]}
    Path("set.json").write_text(json.dumps({"name": "zoo", "samples": [sample]}))
    arguments = ("eval", "set.json", "--no-ragas", "--json", "--save", "--min-score", "0")
    status, out, err = zoo(*arguments, "--fail-under", "search.recall@10=1")
    assert (status, json.loads(out)["metrics"]["search.recall@10"]) == (0, 1)
    assert "saved as run" in err
    assert zoo(*arguments, "--fail-over", "context.tokens=1")[0] == 1
    assert zoo("compare", "latest", "latest")[0] == 0


def test_lint_names_file_line_and_the_nearest(zoo: Callable[..., Say]) -> None:
    Path("set.yaml").write_text("samples:\n- query: how?\n  relevant:\n  - zoo.json POST /animal\n")
    status, out, _ = zoo("lint", "set.yaml")
    assert status == 2
    assert "set.yaml:4" in out
    assert "/animals" in out


WRONG = [
    ("query '' ", 2, "The question is empty"),
    ("query hi --max-depth x", 2, "'x' is not a whole number"),
    ("query hi --max-total-chunks 2", 2, "below max_primary_results"),
    ("query hi --bogus", 2, "No such option '--bogus'"),
    ("query hi --api nope", 2, "There is no API 'nope'"),
    ("query hi --where shape=round", 2, "is not one of type, component_kind"),
    ("query hi --where round", 2, "is not KEY=VALUE"),
    ("query hi --where deprecated=maybe", 2, "'maybe' is neither true nor false"),
    ("query hi --settings missing.toml", 2, "missing.toml cannot be read"),
    ("query hi --embedder static", 3, "was built with the embedder hash"),
    ("query hi --store elsewhere", 3, "There is no store at elsewhere"),
    ("show zoo.json:paths/animal/post", 2, f"Did you mean {ADD}"),
    ("impact zoo.json:paths/animal/post", 2, f"Did you mean {ADD}"),
    ("ingest zoo.json --store zoo.json", 3, "is a file, not a folder"),
    ("specs rm lion", 2, "lion"),
    ("eval missing.yaml", 2, "missing.yaml"),
    ("compare latest latest", 2, "run"),
    ("bogus", 2, "No such command 'bogus'"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("line", "status", "says"), WRONG, ids=[line for line, _, _ in WRONG])
def test_what_is_wrong_is_said_in_one_sentence(
    line: str, status: int, says: str, zoo: Callable[..., Say]
) -> None:
    import shlex

    found, _, err = zoo(*shlex.split(line))
    assert found == status
    assert says in err
    assert err.startswith("specloupe: ")
    assert err.count("\n") == 1  # one line, no traceback


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("cut.json", '{"openapi": "3.0.0"', "ends too early"),
        ("plain.yaml", "a: 1\n", "not like an API description"),
        ("missing.json", None, "no such file or folder"),
        ("folder", "", "holds no .json, .yaml or .yml file"),
    ],
)
def test_refused_input_leaves_the_store_as_it_was(
    name: str, content: str | None, says: str, zoo: Callable[..., Say]
) -> None:
    if name == "folder":
        Path(name).mkdir()
    elif content is not None:
        Path(name).write_text(content)
    status, _, err = zoo("ingest", name)
    assert (status, says in err) == (1, True)
    assert len(json.loads(zoo("catalog", "--json")[1])) == 1


def test_every_command_has_help() -> None:
    for name in COMMANDS:
        command = specloupe.get_command(None, name)  # type: ignore[arg-type]  # it asks nothing
        assert command is not None
        assert command.help


def test_stats_sum_up_the_store_and_its_questions(zoo: Callable[..., Say]) -> None:
    assert "retrievals  none yet" in zoo("stats")[1]
    for query in ("add an animal", "my secret question"):
        zoo("query", query)
    status, out, _ = zoo("stats")
    assert status == 0
    assert "operations      1" in out
    assert "retrievals" in out
    found = json.loads(zoo("stats", "--json")[1])
    assert found["store"]["specs"] == 1
    assert found["retrievals"]["retrievals"] == 2
    assert 0 < found["retrievals"]["p50_ms"] <= found["retrievals"]["p95_ms"]
    kept = b"".join(file.read_bytes() for file in Path(".specloupe").glob("statistics*"))
    assert b"secret" not in kept


DESIGN = "---\nid: D-1\nstatus: approved\nimplements: R-1\n---\n# Cages\nHow an animal is added.\n"
RULE = "---\nid: R-1\ntype: requirement\nstatus: approved\n---\n# Rules\nAn animal has a name.\n"


@pytest.fixture
def documents(cli: Callable[..., Say]) -> Callable[..., Say]:
    """The same with two documents, of which one implements the other."""
    Path("design").mkdir()
    Path("design/cages.md").write_text(DESIGN)
    Path("rules.md").write_text(RULE)
    assert cli("ingest", ".", "--format", "all")[0] == 0
    return cli


def test_impact_of_a_document_by_its_own_id(documents: Callable[..., Say]) -> None:
    out = documents("impact", "R-1")[1]
    assert "These documents depend on it:\n  design/cages.md:document  (IMPLEMENTS)" in out
    told = json.loads(documents("impact", "R-1", "--json")[1])
    assert [each["title"] for each in told["direct_impact"]] == ["Cages"]
    assert (told["indirect_impact"], told["total_affected"]) == ([], 1)


def test_impact_of_an_element_has_titles_and_a_total(zoo: Callable[..., Say]) -> None:
    told = json.loads(zoo("impact", "zoo.json:components/schemas/Animal", "--json")[1])
    (direct,) = told["direct_impact"]
    assert (direct["id"], direct["title"], direct["type"]) == (ADD, "POST /animals", "operation")
    assert [each["id"] for each in told["direct"]] == [ADD]
    assert (told["indirect"], told["total_affected"]) == ([], 1)


def test_similar_lists_what_is_near_with_its_cosine(documents: Callable[..., Say]) -> None:
    status, out, _ = documents("similar", "D-1", "--min-score", "0")
    assert status == 0
    assert "rules.md:document  Rules  (requirement, approved)" in out
    (first, *_) = json.loads(documents("similar", "D-1", "--min-score", "0", "--json")[1])
    assert {"node_id", "score", "title", "status"} <= first.keys()
    assert "Nothing has a cosine of 1 or more" in documents("similar", "D-1", "--min-score", "1")[1]


def test_similar_refuses_in_sentences(documents: Callable[..., Say]) -> None:
    assert documents("similar", "D-9")[0] == 2
    status, _, err = documents("similar", "D-1", "--limit", "0")
    assert (status, "limit must be a whole number from 1 to 100" in err) == (2, True)


def test_agent_context_prints_what_is_approved(documents: Callable[..., Say]) -> None:
    status, out, err = documents("agent-context", "add", "animal", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["query"] == "add animal"
    assert documents("agent-context", "add", "animal", "--subsystem", "none") == (
        0,
        "",
        "No approved document fits.\n",
    )
