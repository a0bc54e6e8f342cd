from __future__ import annotations

import pickle
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.settings import (
    FORMATS,
    KNOB,
    KNOBS,
    STAGES,
    Follow,
    Settings,
    export,
    read_file,
    resolve,
)


def test_every_knob_has_a_default_within_its_own_bounds() -> None:
    for knob in KNOBS:
        assert knob.parse(knob.default, knob.name) == knob.default


def test_environment_names_are_the_required_ones() -> None:
    assert KNOB["max_depth"].env == "RETRIEVAL_MAX_DEPTH"
    assert KNOB["token_limit"].env == "CONTEXT_TOKEN_LIMIT"
    assert len({knob.env for knob in KNOBS}) == len(KNOBS)


def test_an_argument_beats_the_file_beats_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text("[specloupe]\nmax_depth = 2\ntoken_limit = 2000\n")
    environment = {"RETRIEVAL_MAX_DEPTH": "1", "RRF_K": "10", "CONTEXT_TOKEN_LIMIT": ""}
    found = resolve({"max_depth": 4}, file=file, environment=environment)
    assert (found.settings.max_depth, found.settings.token_limit) == (4, 2000)
    assert found.settings.rrf_k == 10
    assert found.origin["max_depth"] == "argument"
    assert found.origin["token_limit"] == f"file {file}"
    assert found.origin["rrf_k"] == "environment RRF_K"
    assert found.origin["mode"] == "default"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"max_depth": "deep"}, "not a whole number"),
        ({"max_depth": 2.5}, "not a whole number"),
        ({"max_depth": True}, "not a whole number"),
        ({"max_depth": 99}, "not between 0 and 10"),
        ({"min_score": "nan"}, "not a number"),
        ({"mode": "fuzzy"}, "not one of semantic, exact, hybrid"),
        ({"query_analysis": "perhaps"}, "not true or false"),
        ({"max_dept": 1}, "Did you mean 'max_depth'"),
        ({"max_total_chunks": 3}, "below max_primary_results"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_wrong_value_is_refused_in_a_sentence(values: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        resolve(values, environment={})


def test_direct_construction_is_checked_too() -> None:
    with pytest.raises(SettingsError):
        Settings(max_depth=-1)


@pytest.mark.thorough
@pytest.mark.parametrize("style", [style for style in FORMATS if style != "python"])
@given(depth=st.integers(0, 10), score=st.floats(0, 1), analysis=st.booleans())
def test_what_is_exported_reads_back_equal(
    style: str, depth: int, score: float, analysis: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    settings = Settings(max_depth=depth, min_score=score, query_analysis=analysis)
    file = tmp_path_factory.getbasetemp() / f"exported.{style}"
    file.write_text(export(settings, style))
    assert Settings.from_values(read_file(file)) == settings


def test_the_python_export_runs() -> None:
    scope: dict[str, object] = {}
    exec(export(Settings(max_depth=1), "python"), scope)
    assert scope["settings"] == Settings(max_depth=1)


@pytest.mark.parametrize("name", ["missing.toml", "broken.toml", "list.json", "line.env"])
def test_a_broken_settings_file_names_itself(name: str, tmp_path: Path) -> None:
    contents = {"broken.toml": "a = [", "list.json": "[1]", "line.env": "just words"}
    if name in contents:
        (tmp_path / name).write_text(contents[name])
    with pytest.raises(SettingsError, match=name):
        read_file(tmp_path / name)


@pytest.mark.parametrize("name", ["top_k", "limit"])
def test_other_names_of_a_setting(name: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(f"specloupe:\n  {name}: 4\n")
    assert Settings.from_values({name: 4}).max_primary_results == 4
    assert Settings().replace(**{name: 4}).max_primary_results == 4
    assert resolve({name: 4}, environment={}).settings.max_primary_results == 4
    assert resolve({}, file=file, environment={}).settings.max_primary_results == 4
    with pytest.raises(SettingsError, match="set twice"):
        Settings.from_values({name: 4, "max_primary_results": 5})


@pytest.mark.parametrize("text", ["- 1", "a: [", "max_depth: {a: 1}"])
def test_a_yaml_file_that_holds_no_settings(text: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.yml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.yml"):
        resolve({}, file=file, environment={})


OWN, USUAL = (0.8, 0.2), (0.5, 0.5)


@pytest.mark.parametrize(
    ("asked", "weights"),
    [
        ({}, USUAL),
        ({"embedder": "minilm"}, OWN),
        ({"embedder": "openai"}, USUAL),
        ({"embedder": "minilm", "vector_weight": 0.7, "keyword_weight": 0.3}, (0.7, 0.3)),
        ({"embedder": "minilm", "vector_weight": 0.5, "keyword_weight": 0.5}, USUAL),
        ({"embedder": "minilm", "vector_weight": 0.5}, USUAL),
        ({"embedder": "minilm", "keyword_weight": 0.3}, (0.5, 0.3)),
    ],
    ids=str,
)
def test_an_embedder_has_weights_of_its_own_unless_any_was_asked_for(
    asked: dict[str, Any], weights: tuple[float, float]
) -> None:
    resolved = resolve(asked, environment={})
    made = [
        Settings(**asked),
        Settings.from_values(asked),
        Settings().replace(**asked),
        resolved.settings,
        pickle.loads(pickle.dumps(Settings(**asked))),  # our own bytes
    ]
    for settings in made:
        assert (settings.vector_weight, settings.keyword_weight) == weights
        assert settings == made[0]
        assert Settings.from_values(settings.to_dict()) == settings
    own = "default of minilm" if weights == OWN else "default"
    assert resolved.origin["vector_weight"] == ("argument" if "vector_weight" in asked else own)


def test_weights_that_nobody_asked_for_go_with_the_embedder() -> None:
    assert Settings(embedder="minilm").replace(embedder="static") == Settings()
    asked = Settings(vector_weight=0.5, keyword_weight=0.5)
    assert asked.replace(embedder="minilm").vector_weight == 0.5


def test_a_stage_is_given_all_that_it_needs_and_nothing_else() -> None:
    names = [f.name for stage in STAGES for f in fields(stage)]
    assert sorted(names) == sorted(knob.name for knob in KNOBS)
    assert len(names) == len(set(names))
    assert Follow(max_depth=2).max_depth == Settings(max_depth=2).max_depth
    assert not hasattr(Follow(), "token_limit")


DOCUMENTS = {  # variable → setting and default: what weighs documents, and how far relations lead
    "DOC_APPROVED_BOOST": ("doc_approved_boost", 1.5),
    "DOC_RECENT_BOOST": ("doc_recent_boost", 1.2),
    "DOC_ARCHITECTURE_WEIGHT": ("doc_architecture_weight", 2.0),
    "DOC_DESIGN_WEIGHT": ("doc_design_weight", 1.5),
    "DOC_CODE_WEIGHT": ("doc_code_weight", 1.0),
    "RECENT_DAYS": ("doc_recent_days", 90),
    "GRAPH_WEIGHT_IMPLEMENTS": ("graph_weight_implements", 1.0),
    "GRAPH_WEIGHT_SATISFIES": ("graph_weight_satisfies", 0.9),
    "GRAPH_WEIGHT_REFERENCES": ("graph_weight_references", 0.7),
    "GRAPH_WEIGHT_SUPERSEDES": ("graph_weight_supersedes", 0.5),
    "GRAPH_WEIGHT_BELONGS_TO": ("graph_weight_belongs_to", 1.0),
    "GRAPH_MAX_EXPANDED": ("graph_max_expanded", 20),
    "RETRIEVAL_DIRECTION": ("direction", "out"),
    "INCLUDE_HISTORY": ("include_history", False),
    "INCLUDE_CODE": ("include_code", True),
    "RETRIEVAL_VARIATIONS": ("variations", "on_empty"),
}
OTHERWISE = {"out": "both", "on_empty": "always", False: "true", True: "false"}


@pytest.mark.parametrize("variable", DOCUMENTS)
def test_what_documents_are_found_by_has_its_name_and_default(variable: str) -> None:
    name, default = DOCUMENTS[variable]
    plain = resolve({}, environment={})
    assert (getattr(plain.settings, name), plain.origin[name]) == (default, "default")
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    written = "0.3" if isinstance(default, float) else "7" if is_number else OTHERWISE[default]
    found = resolve({}, environment={variable: written})
    assert getattr(found.settings, name) != default
    assert found.origin[name] == f"environment {variable}"


def test_a_fusion_by_ranks_may_begin_at_rank_0() -> None:
    assert resolve({}, environment={"RRF_K": "0"}).settings.rrf_k == 0
