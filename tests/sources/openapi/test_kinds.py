"""What stands in a file of its own is the kind of component that it has the keys of."""

from __future__ import annotations

from typing import Any

import pytest
from support.specs import api, chunked, document

from core.model import Level
from core.sources.openapi.chunk import body
from core.sources.openapi.render.around import Around
from core.sources.openapi.render.levels import render

DONE = {"200": {"description": "Done with it"}}
SAILS = {"schema": {"type": "object", "properties": {"sails": {"type": "integer"}}}}

KINDS: list[tuple[dict[str, Any], str, str]] = [
    ({"name": "page", "in": "query", "schema": {"type": "string"}}, "parameters", "page: string"),
    ({"content": {"application/json": SAILS}, "required": True}, "requestBodies", "sails: integer"),
    ({"description": "r", "content": {"application/json": SAILS}}, "responses", "sails: integer"),
    ({"description": "r", "headers": {"X-Left": {}}}, "responses", "X-Left"),
    ({"schema": {"type": "integer"}}, "headers", "integer"),
    ({"get": {"operationId": "told", "responses": DONE}}, "pathItems", "told"),
    ({"operationId": "own", "responses": DONE}, "pathItems", "Done with it"),
    ({"{$url}": {"post": {"operationId": "back", "responses": DONE}}}, "callbacks", "back"),
    ({"operationId": "next"}, "links", "next"),
    ({"type": "http", "scheme": "bearer"}, "securitySchemes", "bearer"),
    ({"type": "object", "properties": {"in": {}, "content": {}}}, "schemas", "content"),
    ({"description": "anything"}, "schemas", "any"),
]


@pytest.mark.parametrize(("value", "kind", "said"), KINDS, ids=[said for *_, said in KINDS])
def test_a_value_in_a_file_of_its_own_is_of_its_kind(
    value: dict[str, Any], kind: str, said: str
) -> None:
    paths = {"/a": {"get": {"responses": {"200": {"$ref": "own.json#/it"}}}}}
    files = {"api.json": api(paths), "own.json": {"it": value}}
    (chunk,) = (c for spec in chunked(files) for c in spec.chunks if c.id == "own.json:it")
    own = document(files["own.json"], "own.json")
    text = render(chunk, body(chunk, {"own.json": own}.get), Level.COMPACT, Around.of(own))
    assert chunk.component_kind == kind
    assert said in text
