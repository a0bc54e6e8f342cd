"""What a question names comes first; what nothing is called is never told as named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.stores import ingested, opened

from core import Workbench
from core.errors import CallError
from core.model import KnowledgeContext

FINE = {"responses": {"200": {"description": "fine"}}}


def _api(
    paths: Mapping[str, Mapping[str, str]], server: str = "https://api.harbour.example"
) -> dict[str, Any]:
    """An API of operations, each with its operationId or with none."""
    return {
        "openapi": "3.0.3",
        "info": {"title": "Harbour", "version": "1"},
        "servers": [{"url": server}],
        "components": {"schemas": {"Moor--Full": {"type": "object"}, "list": {"type": "object"}}},
        "paths": {
            path: {m: {**FINE, **({"operationId": id} if id else {})} for m, id in methods.items()}
            for path, methods in paths.items()
        },
    }


PATHS = {
    "/": {"get": ""},
    "/freights": {"get": "freights.list", "post": "freights:add"},
    "/freights/{id}": {"get": "freights/one", "delete": "drop freight Now"},
    "/freights/{id}/stamps": {"get": "a.b#c", "post": ""},
    "/vessels/search": {"get": ""},
    "/vessels/{imo}": {"get": "", "patch": ""},
    "/vessels/{imo}/crew/{person}": {"get": ""},
    "/vessels/$count": {"get": ""},
    "/vessels/{imo}/photo/$value": {"get": ""},
    "/Berths({key})": {"get": ""},
    "/Berths": {"get": ""},
    "/files/*": {"get": ""},
    "/cargo/{id}:seal": {"post": ""},
    "/cargo/{id}": {"post": ""},
    "/{tenant}": {"get": ""},
    "/ports/{port}/terminals/{terminal}/cranes": {"get": "b.c"},
    "/uploads/{id}": {"get": "Crane::Raise"},
    "/ports": {"get": "lift slowly"},
}


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("named")
    (folder / "apis").mkdir()
    (folder / "apis" / "harbour.json").write_text(json.dumps(_api(PATHS)))
    other = {"/lamps/{id}": {"get": ""}, "/freights/{id}": {"get": ""}}
    lights = _api(other, "https://lights.example/v2/eu")
    (folder / "apis" / "lights.json").write_text(json.dumps(lights))
    with opened(folder / "store") as made:
        ingested(made, folder / "apis")
        yield made


def first(context: KnowledgeContext) -> str:
    found = context.primary_chunks[0].chunk.id
    return found.replace("harbour.json:", "").replace("paths/", "")


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["{}", "What are the parameters of {}?", "call `{}`, please"])
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("freights.list", "freights/get"),
        ("freights:add", "freights/post"),
        ("freights/one", "freights/{id}/get"),
        ("a.b#c", "freights/{id}/stamps/get"),
        ("drop freight Now", "freights/{id}/delete"),
        ("b.c", "ports/{port}/terminals/{terminal}/cranes/get"),
        ("Crane::Raise", "uploads/{id}/get"),
        ("Moor--Full", "components/schemas/Moor--Full"),
        ("GET /vessels/$count", "vessels/$count/get"),
        ("GET /vessels/{imo}/photo/$value", "vessels/{imo}/photo/$value/get"),
        ("GET /Berths({key})", "Berths({key})/get"),
        ("GET /Berths(7)", "Berths({key})/get"),
        ("/files/*", "files/*/get"),
        ("POST /cargo/c-12:seal", "cargo/{id}%3Aseal/post"),
        ("PATCH /vessels/imo_9F3b", "vessels/{imo}/patch"),
        ("GET /vessels/2024-05-01", "vessels/{imo}/get"),
        ("GET /vessels/ann@quay.example", "vessels/{imo}/get"),
        ("GET /vessels/9f3b1c2d-aaaa-4bbb-8ccc-1234567890ab", "vessels/{imo}/get"),
        ("GET /vessels/search", "vessels/search/get"),
        ("GET /vessels/search?limit=5", "vessels/search/get"),
        ("GET /vessels/12/crew/p_1", "vessels/{imo}/crew/{person}/get"),
        ("https://api.harbour.example/freights/8", "freights/{id}/get"),
        ("curl https://api.harbour.example/freights/8", "freights/{id}/get"),
        ("curl -XDELETE https://api.harbour.example/freights/8", "freights/{id}/delete"),
        ("curl https://api.harbour.example/freights -d weight=2", "freights/post"),
        ("curl --request PATCH 'https://api.harbour.example/vessels/8'", "vessels/{imo}/patch"),
        ("GET https://lights.example/v2/eu/freights/8", "lights.json:freights/{id}/get"),
        ("GET {{baseUrl}}/vessels/search", "vessels/search/get"),
        ("requests.get(api.harbour.example/vessels/8)", "vessels/{imo}/get"),
        ("harbour.json:paths/cargo/{id}/post", "cargo/{id}/post"),
    ],
)
def test_what_is_named_comes_first(form: str, name: str, wanted: str, workbench: Workbench) -> None:
    assert first(workbench.retrieve(form.format(name), min_score=0.0)) == wanted


@pytest.mark.parametrize("form", ["operationId: {}", "what does operation id {} do?"])
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("b.c", "ports/{port}/terminals/{terminal}/cranes/get"),
        ("Crane::Raise", "uploads/{id}/get"),
        ("lift slowly", "ports/get"),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "exact"])
def test_what_is_said_to_be_an_operation_id_is_one(
    form: str, name: str, wanted: str, mode: str, workbench: Workbench
) -> None:
    assert first(workbench.retrieve(form.format(name), mode=mode, min_score=0.0)) == wanted


@pytest.mark.parametrize(
    "path",
    ["/loads/{id}", "/ports/{port}/terminals/{terminal}/tracks", "/ports/{a}/terminals/{b}/crabs"],
)
def test_another_segment_is_not_a_slip(path: str, workbench: Workbench) -> None:
    notes = workbench.retrieve(f"GET {path}", min_score=0.0).trace.notes
    assert not any("names" in note for note in notes)


def test_the_root_path_is_named_with_its_method(workbench: Workbench) -> None:
    assert first(workbench.retrieve("GET /", min_score=0.0)) == "/get"


def test_an_ordinary_word_is_a_name_alone_and_in_backticks(workbench: Workbench) -> None:
    assert first(workbench.retrieve("list", min_score=0.0)).endswith("schemas/list")
    assert first(workbench.retrieve("what has `list`?", min_score=0.0)).endswith("schemas/list")
    notes = workbench.retrieve("list the vessels", min_score=0.0).trace.notes
    assert not any("names" in note for note in notes)


@pytest.mark.parametrize(
    "path",
    ["/ights", "/reights", "/search", "/nothing", "/a/b/c", "/nothing/{id}", "/42", "/{a}/{b}"],
)
def test_what_nothing_is_called_is_not_named_exactly(path: str, workbench: Workbench) -> None:
    notes = workbench.retrieve(f"GET {path}", min_score=0.0).trace.notes
    assert not any("exactly" in note for note in notes)


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("GET /freigths/{id}/stamps", "freights/{id}/stamps/get"),
        ("GET /port/{x}/terminals/{y}/craens", "ports/{port}/terminals/{terminal}/cranes/get"),
        ("GET /v9/vessels/search", "vessels/search/get"),
        ("GET /vessels/nobody", "vessels/{imo}/get"),
    ],
    ids=["a slip", "two slips", "a base path", "a word for a value"],
)
def test_a_near_match_is_told_as_one(asked: str, wanted: str, workbench: Workbench) -> None:
    context = workbench.retrieve(asked, min_score=0.0)
    assert first(context) == wanted
    assert any("nearly" in note for note in context.trace.notes)
    assert not any("exactly" in note for note in context.trace.notes)


@pytest.mark.parametrize("question", ["quixotic zyzzyva", "qqqq", "⚓", "?", "¿qué?", "как дела"])
@pytest.mark.parametrize("filtered", [None, {"type": "operation"}], ids=["all", "filtered"])
def test_words_alone_find_nothing_where_no_word_is_known(
    question: str, filtered: dict[str, str] | None, workbench: Workbench
) -> None:
    context = workbench.retrieve(question, mode="exact", filter_metadata=filtered, min_score=0.0)
    assert context.primary_chunks == ()


@pytest.mark.parametrize("question", [None, 5, b"x", ["x"]], ids=repr)
def test_a_question_that_is_not_a_text_is_a_wrong_call(
    question: object, workbench: Workbench
) -> None:
    with pytest.raises(CallError, match="must be text"):
        workbench.retrieve(question)  # type: ignore[arg-type]


def test_a_method_that_is_not_there_names_its_path_nearly(workbench: Workbench) -> None:
    context = workbench.retrieve("What does DELETE /ports do?", min_score=0.0)
    assert first(context) == "ports/get"
    assert not [note for note in context.trace.notes if "exactly" in note]
    assert [note for note in context.trace.notes if "apart from a typing error, a method" in note]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("COPY /berths", ["berths/COPY"]),
        ("what can LOCK /berths answer?", ["berths/LOCK"]),
        ("/quays/", ["quays//get"]),
        ("GET /quays/ please", ["quays//get"]),
        ("GET /quays", ["quays/get"]),
        ("/cranes/", ["cranes/get"]),
    ],
)
def test_own_methods_and_strokes_at_the_end(
    question: str, wanted: list[str], tmp_path: Path
) -> None:
    paths = {path: {"get": FINE} for path in ("/quays", "/quays/", "/cranes", "/berths")}
    value = {**_api({}), "openapi": "3.2.0", "paths": paths}
    paths["/berths"]["additionalOperations"] = {"COPY": FINE, "LOCK": FINE}
    (tmp_path / "apis").mkdir()
    (tmp_path / "apis" / "harbour.json").write_text(json.dumps(value))
    with opened(tmp_path / "store") as made:
        ingested(made, tmp_path / "apis")
        context = made.retrieve(question, min_score=0.0)
    assert first(context) == wanted[0]
    assert [note for note in context.trace.notes if "names 1 chunk exactly" in note]
