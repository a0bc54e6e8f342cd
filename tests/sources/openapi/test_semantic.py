"""Findings about names, in every version and also where a parameter stands elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from support.specs import api, chunked, swagger

OK = {"200": {"description": "fine"}}
ID = {"name": "id", "in": "path", "required": True, "schema": {}}


def get(*parameters: Any, **more: Any) -> dict[str, Any]:
    return {"get": {"responses": OK, "parameters": list(parameters), **more}}


def told(value: Any, **files: Any) -> list[tuple[str, str]]:
    specs = chunked({"api.json": value, **{f"{k}.json": v for k, v in files.items()}})
    found = next(spec for spec in specs if spec.document.file == "api.json").report.findings
    return [(f.message, f.pointer) for f in found if f.rule == "oas-names"]


@pytest.mark.parametrize("made", [api, swagger], ids=["3.1", "2.0"])
class TestNames:
    def test_nothing_is_wrong(self, made: Any) -> None:
        paths = {"/a/{id}": get(ID, operationId="a"), "/b": get(operationId="b")}
        assert told(made(paths)) == []

    def test_an_operation_id_twice(self, made: Any) -> None:
        paths = {"/a": get(operationId="x"), "/b": get(operationId="x")}
        said = "The operationId 'x' is also used by GET /a."
        assert told(made(paths)) == [(said, "/paths/~1b/get/operationId")]

    def test_a_path_parameter_that_is_not_declared(self, made: Any) -> None:
        said = "GET /a/{id} does not declare the parameter 'id' of its path."
        assert told(made({"/a/{id}": get()})) == [(said, "/paths/~1a~1{id}/get")]

    def test_a_path_parameter_that_is_not_in_the_path(self, made: Any) -> None:
        said = "GET /a declares a path parameter 'id' that is not in its path."
        assert told(made({"/a": get(ID)})) == [(said, "/paths/~1a/get/parameters")]

    def test_paths_that_are_equal(self, made: Any) -> None:
        paths = {"/a/{id}": get(ID), "/a/{no}": get({**ID, "name": "no"})}
        said = "The path '/a/{no}' is the same as '/a/{id}' but for its parameters' names."
        assert told(made(paths)) == [(said, "/paths/~1a~1{no}")]

    def test_a_parameter_twice(self, made: Any) -> None:
        query = {"name": "q", "in": "query"}
        said = "GET /a has the query parameter 'q' more than once."
        assert told(made({"/a": get(query, query)})) == [(said, "/paths/~1a/get/parameters")]


@pytest.mark.parametrize(
    "item",
    [
        get({"$ref": "#/components/parameters/Id"}),
        {**get(), "parameters": [{"$ref": "#/components/parameters/Id"}]},
        {**get(ID), "parameters": [ID]},
        get({"$ref": "lib.json#/Id"}),
        get({"$ref": "#/components/parameters/Alias"}),
        get({"$ref": "#/components/parameters/Gone"}),
        {"get": {"parameters": {"$ref": "lib.json#/all"}, "responses": OK}},
    ],
    ids=["ref", "path item", "overridden", "file", "alias", "gone", "list"],
)
def test_parameters_that_stand_elsewhere_are_declared(item: dict[str, Any]) -> None:
    parts = {"Id": ID, "Alias": {"$ref": "#/components/parameters/Id"}}
    value = api({"/a/{id}": item}, components={"parameters": parts})
    assert told(value, lib={"Id": ID, "all": [ID]}) == []


@pytest.mark.parametrize("path", ["/v1/{+id}", "/a/{id*}", "/a/{id}.json", "/a:{id}", "/a({id})"])
def test_other_ways_to_write_a_parameter(path: str) -> None:
    assert told(api({path: get(ID)})) == []


def test_a_path_item_by_reference_is_no_repetition() -> None:
    value = api({"/a": get(operationId="x"), "/b": {"$ref": "#/paths/~1a"}})
    assert told(value) == []


def test_many_are_counted() -> None:
    found = told(api({f"/a{i}/{{id}}": get() for i in range(60)}))
    assert (len(found), found[-1]) == (51, ("There are 10 more of these.", ""))


@pytest.mark.parametrize(
    ("paths", "webhooks", "pointers"),
    [
        ({"/a": {"description": "To do"}, "/b": get()}, {}, ["/paths/~1a"]),
        ({"/a": {"parameters": [ID]}}, {"w": {"summary": "To do"}}, ["/paths/~1a", "/webhooks/w"]),
        ({"/a": {"$ref": "#/paths/~1b"}, "/b": {"servers": []}}, {}, ["/paths/~1a", "/paths/~1b"]),
        ({"/a": {}, "x-a": {"b": 1}}, {"w": {"$ref": "#/paths/~1b"}}, ["/webhooks/w"]),
        ({"/a": {"$ref": "#/paths/~1b"}, "/b": get()}, {}, []),
    ],
    ids=["description", "parameters, webhook", "by reference", "nothing", "there are some"],
)
def test_a_path_without_operations_is_told(paths: Any, webhooks: Any, pointers: list[str]) -> None:
    (spec,) = chunked({"api.json": {**api(paths), "webhooks": webhooks}})
    found = [f for f in spec.report.findings if f.rule == "no-operation"]
    assert [f.pointer for f in found] == pointers
    assert all(
        f.message.endswith("has no operation, so the rest of it is never returned.") for f in found
    )
