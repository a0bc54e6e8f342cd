"""Tell files that hold components from all the others in a folder."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.model import JSON
from core.sources.openapi.library import findings, is_library
from core.sources.openapi.read import parse

PARAMETER = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
RESPONSE = {"description": "Gone", "content": {"application/json": {"schema": {}}}}
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}}


def document(value: JSON) -> Any:
    return parse(json.dumps(value).encode(), "file.json")


@pytest.mark.parametrize(
    "value",
    [
        {"components": {"schemas": {"A": {}}}},
        {"components": {"parameters": {"limit": PARAMETER}}, "info": {"title": "Common"}},
        {"components": {"securitySchemes": {"key": {"type": "apiKey"}}}},
        {"definitions": {"A": SCHEMA, "odd": None}},
        {"parameters": {"limit": PARAMETER}},
        {"responses": {"Gone": RESPONSE}},
        {"requestBodies": {"New": {"content": {"text/plain": {}}}}},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"A": SCHEMA}},
        {"limit": PARAMETER, "x-owner": "billing"},
        {"Gone": RESPONSE},
        {"A": SCHEMA, "B": {"allOf": [{"$ref": "#/A"}]}, "C": {"type": ["string", "null"]}},
        SCHEMA,
        {"$id": "https://h.example/a", "properties": {"id": {"$ref": "b.json"}}},
        PARAMETER,
        RESPONSE,
    ],
    ids=lambda value: ", ".join(value)[:40],
)
def test_a_library(value: JSON) -> None:
    assert is_library(document(value))


@pytest.mark.parametrize(
    "value",
    [
        {"openapi": "3.1.0", "components": {"schemas": {"A": SCHEMA}}},
        {"paths": {}, "components": {"schemas": {"A": SCHEMA}}},
        {"get": {"responses": {"200": RESPONSE}}},
        {"name": "x", "version": "1", "main": "a.js", "definitions": {"A": SCHEMA}},
        {"info": {"_postman_id": "1"}, "item": [], "components": {"schemas": {"A": SCHEMA}}},
        {"asyncapi": "2.6.0", "components": {"schemas": {"A": SCHEMA}}},
        {"arazzo": "1.0.0", "components": {"parameters": {"limit": PARAMETER}}},
        {"apiVersion": "v1", "kind": "CustomResourceDefinition", "schemas": {"A": SCHEMA}},
        {
            "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json",
            "parameters": {"adminName": {"type": "string"}},
            "resources": [],
        },
        {"type": "Microsoft.Web/sites", "properties": {"state": {"type": "string"}}},
        {"type": "module", "exports": {}},
        {"definitions": {"services": {"docker": {"memory": 2048}}}, "pipelines": {}},
        {"components": [{"type": "library", "name": "left-pad"}], "bomFormat": "CycloneDX"},
        {"components": {"header": {"type": "string"}}},
        {"inputs": {"who": {"type": "string"}}, "runs": {"using": "node20"}},
        {"Money": {}},
        {"user": {"name": "Ada", "in": "Paris"}},
        {"en": {"title": "Shop", "description": "All you need"}},
        {"columns": [{"type": "string"}]},
        {},
        [SCHEMA],
        "type: object",
    ],
    ids=lambda value: ", ".join(value)[:40] if isinstance(value, dict) else str(value)[:40],
)
def test_no_library(value: JSON) -> None:
    assert not is_library(document(value))


def test_what_is_told_of_one() -> None:
    (told,) = findings(document(SCHEMA), is_mentioned=False)
    assert told.rule == "unused-library"
    assert not [*findings(document(SCHEMA), is_mentioned=True)]
    assert not [*findings(document({"Money": {}}), is_mentioned=False)]
