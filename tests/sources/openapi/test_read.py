from __future__ import annotations

import json
from typing import Any

import pytest

from core.read.document import Document
from core.sources.openapi.read import parse

YAML = """\
openapi: 3.1.0
info: {title: 1_0, version: 1.10}
tags: [{name: 007, description: 0x1F}, {name: 1e3}]
paths:
  /a:
    summary: true
    get:
      operationId: 12.0
      tags: [2.50, plain, false]
      parameters: [{name: 1.0, in: query, example: 1.0, schema: {default: 2.0}}]
      responses: {200: {description: 5.00}}
      security: [{key: [6.10, read]}]
components:
  schemas: {Pet: {title: 3.0, properties: {1: {description: 4.0, default: 6.0}}, required: [1]}}
"""
SAID = {
    ("info", "version"): "1.10",
    ("tags", 0, "description"): "0x1F",
    ("tags", 1, "name"): "1e3",
    ("paths", "/a", "summary"): "true",
    ("paths", "/a", "get", "operationId"): "12.0",
    ("paths", "/a", "get", "tags"): ["2.50", "plain", "false"],
    ("paths", "/a", "get", "parameters", 0, "name"): "1.0",
    ("paths", "/a", "get", "parameters", 0, "example"): 1.0,
    ("paths", "/a", "get", "parameters", 0, "schema", "default"): 2.0,
    ("paths", "/a", "get", "responses", "200", "description"): "5.00",
    ("paths", "/a", "get", "security", 0, "key"): ["6.10", "read"],
    ("components", "schemas", "Pet", "title"): "3.0",
    ("components", "schemas", "Pet", "properties", "1", "description"): "4.0",
    ("components", "schemas", "Pet", "properties", "1", "default"): 6.0,
    ("components", "schemas", "Pet", "required"): ["1"],
}


def at(document: Document, keys: tuple[Any, ...]) -> Any:
    value = document.value
    for key in keys:
        value = value[key]
    return value


@pytest.mark.parametrize(("keys", "expected"), SAID.items(), ids=map(str, SAID))
def test_a_number_in_place_of_a_text_is_the_text_as_written(
    keys: tuple[Any, ...], expected: Any
) -> None:
    assert at(parse(YAML.encode(), "a.yaml"), keys) == expected


def test_each_is_a_finding_at_its_line() -> None:
    told = {f.pointer: f for f in parse(YAML.encode(), "a.yaml").findings}
    assert len(told) == 13
    assert told["/info/version"].line == 2
    assert (
        told["/info/version"].message
        == "1.10 is not a string; it was read as one. Put quotes around it."
    )
    assert told["/paths/~1a/get/tags/0"].line == 9


def test_json_too() -> None:
    text = '{"swagger": "2.0", "info": {"title": 2024, "version": 1.10}, "definitions": {"A": {}}}'
    document = parse(text.encode(), "a.json")
    assert document.value["info"] == {"title": "2024", "version": "1.10"}
    assert [f.rule for f in document.findings] == ["text-expected"] * 2


def test_the_version_of_openapi_itself_may_be_a_number() -> None:
    assert parse(b"swagger: 2.0\ninfo: {title: A, version: '1'}\npaths: {}\n", "a").is_api


def test_a_part_of_an_api_in_a_file_of_its_own() -> None:
    document = parse(b"operationId: 1.0\ntags: [2]\nexample: {name: 3}\n", "get.yaml")
    assert document.value == {"operationId": "1.0", "tags": ["2"], "example": {"name": 3}}


def test_what_a_merge_key_brings_in() -> None:
    text = b"x: &x {name: 1.10, in: query}\na: {<<: *x}\n"
    assert parse(text, "a.yaml").value["a"]["name"] in ("1.10", "1.1")


def test_texts_stay_as_they_are() -> None:
    value = {"openapi": "3.0.3", "info": {"title": "1", "version": "1.10"}, "paths": {}}
    document = parse(json.dumps(value).encode(), "a.json")
    assert (document.value, document.findings) == (value, ())
