"""Which files a document refers to, found without parsing those that refer to none."""

from __future__ import annotations

import json

import pytest

from core.errors import UnreadableSpec
from core.read.document import Document
from core.sources.files import DECLARED, SELF_NAMED
from core.sources.openapi.read import parse
from core.sources.openapi.refs.links import links


def found(text: str | bytes, file: str = "apis/main.yaml") -> tuple[str, ...]:
    data = text if isinstance(text, bytes) else text.encode()
    return links(data, lambda: parse(data, file))


def never() -> Document:
    raise AssertionError("it was parsed")


LINKS = [
    ('{"a": {"$ref": "common.json#/x"}}', ["apis/common.json"]),
    ('{"a": {"$ref" :\n "../common.json"}}', ["common.json"]),
    ("a: {$ref: './models/User.yaml'}", ["apis/models/User.yaml"]),
    ("a:\n  $ref: models/User.yaml#/a", ["apis/models/User.yaml"]),
    ("a:\n  $ref: >-\n    models/User.yaml", ["apis/models/User.yaml"]),
    ("a:\n  '$ref': models/User.yaml", ["apis/models/User.yaml"]),
    ('{"a": {"operationRef": "other.json#/paths/~1a/get"}}', ["apis/other.json"]),
    ('{"discriminator": {"mapping": {"a": "#/x", "b": "b.json"}}}', ["apis/b.json"]),
    ("discriminator:\n  mapping:\n    a: Dog\n    b: b.yaml#/x", ["apis/Dog", "apis/b.yaml"]),
    ('{"discriminator": {"mapping": {"{a}": "#/x", "b}": "b.json"}}}', ["apis/b.json"]),
    ("discriminator:\n  mapping: {'{a}': '#/x', b: b.yaml}", ["apis/b.yaml"]),
    ('{"discriminator": {"defaultMapping": "b.json#/x"}}', ["apis/b.json"]),
    ("discriminator:\n  defaultMapping: ./b.yaml", ["apis/b.yaml"]),
    ('{"a": {"$ref" /* why */ : "common.json"}}', ["apis/common.json"]),
    ('{"a": {"\\u0024ref": "common.json"}}', ["apis/common.json"]),
    ('{"a": {"$ref": "a%20b.json"}}', ["apis/a b.json"]),
    ('{"a": {"$ref": "a\\"b.json#/a"}}', ['apis/a"b.json']),
    ("a:\n  $ref: # where it is\n    b.json", ["apis/b.json"]),
    ('{"a": {"$ref":' + " " * 200_000 + '"#/a"}}', []),
    ('{"a": {"$ref": "https://example.com/x.json#/a"}}', ["example.com/x.json"]),
    ('{"$id": "https://example.com/me", "a": {}}', [SELF_NAMED, DECLARED + "example.com/me"]),
    ('{"a": {"$ref": "main.yaml#/a"}}', []),
    ('{"a": {"$ref": "../../../etc/passwd"}}', ["../../etc/passwd"]),
    ('{"a": {"$ref": "file:///etc/passwd"}}', []),
    ('{"a": {"$ref": "#/a"}}', []),
]


@pytest.mark.parametrize(("text", "expected"), LINKS, ids=[text[:40] for text, _ in LINKS])
def test_links(text: str, expected: list[str]) -> None:
    assert found(text) == tuple(expected)


def test_links_in_another_encoding() -> None:
    assert found('{"a": {"$ref": "b.json"}}'.encode("utf-16")) == ("apis/b.json",)


def test_what_refers_to_itself_only_is_not_parsed() -> None:
    text = {"a": {"$ref": "#/b"}, "mapping": {"x": "#/y"}, "b": "a $ref, in prose"}
    assert links(json.dumps(text, indent=2).encode(), never) == ()


def test_what_cannot_be_parsed_refers_to_nothing() -> None:
    def broken() -> Document:
        raise UnreadableSpec("a.json", "broken")

    assert links(b'{"$ref": "b.json"', broken) == ()
