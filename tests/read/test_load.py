"""Small nasty documents, each with what comes of it; and laws for those nobody thought of."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.json_values import OBJECTS

from core.errors import SpecError, UnreadableSpec, UnsafeSpec
from core.read.document import Document
from core.read.limits import Limits
from core.read.load import looks_like, parse


def read(text: str | bytes) -> Document:
    return parse(text.encode() if isinstance(text, str) else text, "api", limits=Limits())


def found(document: Document) -> list[tuple[str, str, int]]:
    return [(f.rule, f.pointer, f.line) for f in document.findings]


@pytest.mark.parametrize(
    ("text", "value", "loader"),
    [
        ('{"a": [1, true, null, "x"]}', {"a": [1, True, None, "x"]}, "orjson"),
        ("a: [1, true, null, x]", {"a": [1, True, None, "x"]}, "ryaml"),
        ("{a: 1, b: [2]}", {"a": 1, "b": [2]}, "ryaml"),
        ("\ufeff{}", {}, "orjson"),
        ("\ufeffa: 1", {"a": 1}, "ryaml"),
        ("200: ok\n404: no", {"200": "ok", "404": "no"}, "ryaml"),
        (
            "on: NO\nwhen: 2020-01-01\nat: 12:30",
            {"on": "NO", "when": "2020-01-01", "at": "12:30"},
            "ryaml",
        ),
        (
            "true: a\nnull: b\n~: c\n1.50: d\n0x10: e",
            {"true": "a", "null": "b", "~": "c", "1.50": "d", "0x10": "e"},
            "libyaml",
        ),
        ("? [a, b]\n: 1", {'["a","b"]': 1}, "libyaml"),
        (
            "a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3",
            {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}},
            "libyaml",
        ),
        (
            "a: &a {x: 1}\nb: &b {x: 2, z: 3}\nc:\n  <<: [*a, *b]",
            {"a": {"x": 1}, "b": {"x": 2, "z": 3}, "c": {"x": 1, "z": 3}},
            "libyaml",
        ),
        ('"<<": {a: 1}', {"<<": {"a": 1}}, "libyaml"),
        ("<<: 1", {"<<": 1}, "libyaml"),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}, "libyaml"),
        (
            "a: 123456789012345678901234567890123456789012345678",
            {"a": 123456789012345678901234567890123456789012345678},
            "libyaml",
        ),
        ('{"a": 123456789012345678901}', {"a": 123456789012345678901}, "json"),
        ('{"a": "123456789012345678901"}', {"a": "123456789012345678901"}, "orjson"),
        ("a: .inf\nb: -.INF\nc: .nan", {"a": ".inf", "b": "-.INF", "c": ".nan"}, "libyaml"),
        ("a: 1e999\nb: 017\nc: 0o17", {"a": "1e999", "b": "017", "c": 15}, "ryaml"),
        (
            "a: !foo bar\nb: !!str 12\nc: !!binary aGk=",
            {"a": "bar", "b": "12", "c": "aGk="},
            "libyaml",
        ),
        ("%YAML 1.1\n---\na: NO\n...\n", {"a": "NO"}, "ryaml"),
        ("---\n---\na: 1\n---\n", {"a": 1}, "libyaml"),
        ("# nothing\n", None, "libyaml"),
        ("just words", "just words", "ryaml"),
    ],
)
def test_what_a_text_means(text: str, value: object, loader: str) -> None:
    document = read(text)
    assert document.value == value
    assert document.loader == loader
    assert document.findings == ()


@pytest.mark.parametrize(
    ("text", "value", "findings"),
    [
        ('{"a": 1,\n "a": 2}', {"a": 2}, [("duplicate-key", "/a", 2)]),
        (
            '{"b": [{"c": 1},\n {"c": 1,\n "c": 2}]}',
            {"b": [{"c": 1}, {"c": 2}]},
            [("duplicate-key", "/b/1/c", 3)],
        ),
        ('{"a" : 1, "\\u0061" : 2}', {"a": 2}, [("duplicate-key", "/a", 1)]),
        ('{"a": {"x\\":": 1}}', {"a": {'x":': 1}}, []),
        (
            "a: 1\nb:\n  - c: 1\n    c: 2",
            {"a": 1, "b": [{"c": 2}]},
            [("duplicate-key", "/b/0/c", 4)],
        ),
        ('200: a\n"200": b', {"200": "b"}, [("duplicate-key", "/200", 2)]),
        ("a: 1\n---\nb: 2", {"a": 1}, [("several-documents", "", 3)]),
        ('{"a": NaN, "b": -Infinity}', {"a": "NaN", "b": "-Infinity"}, [("json-syntax", "", 1)]),
        ('{\n"a": 1e999}', {"a": "1e999"}, [("json-syntax", "", 2)]),
        ('{"a": "\ttab"}', {"a": "\ttab"}, [("json-syntax", "", 1)]),
        (
            '{"a": "\\ud800 \\ud83d\\ude00 \\\\ud800"}',
            {"a": "\ufffd 😀 \\ud800"},
            [("json-syntax", "", 1)],
        ),
        ('{"a": 1,}', {"a": 1}, [("json-syntax", "", 0)]),
        ('a: "\\ud83d\\ude00"', {"a": "😀"}, [("yaml-characters", "", 1)]),
        ("a: 1\nb: x\x07y", {"a": 1, "b": "x\ufffdy"}, [("yaml-characters", "", 2)]),
        (b'{"a": 1,\n"b": "\xff"}', {"a": 1, "b": "\ufffd"}, [("encoding", "", 2)]),
        (b"a: \xe9t\xe9", {"a": "\ufffdt\ufffd"}, [("encoding", "", 1)]),
    ],
)
def test_what_is_odd_is_read_and_reported(
    text: str | bytes, value: object, findings: list[tuple[str, str, int]]
) -> None:
    document = read(text)
    assert document.value == value
    assert found(document) == findings


@pytest.mark.parametrize("text", ['{"ä": [1]}', "ä: [1]"], ids=["json", "yaml"])
@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
def test_every_unicode_encoding_is_read(text: str, encoding: str) -> None:
    if text[0] == "ä" and encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        text = "# ASCII first, for there is no byte order mark\n" + text
    assert read(text.encode(encoding)).value == {"ä": [1]}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty."),
        (" \n\t", "the file is empty."),
        (
            '{"a": [1, 2',
            "the JSON ends too early, at line 1, column 12; the file seems to be cut off.",
        ),
        ('{"a": "b', "the JSON ends too early, at line 1, column 9; the file seems to be cut off."),
        (
            "a: [1, 2\nb: 3",
            "it is not valid YAML: did not find expected ',' or ']' (line 2, column 2).",
        ),
        (
            "a: b: c",
            "it is not valid YAML: mapping values are not allowed in this context "
            "(line 1, column 5).",
        ),
        ("a: *nobody", "it is not valid YAML: the alias *nobody has no anchor (line 1)."),
        ("<!DOCTYPE html><p>Sign in", "it looks like an HTML page, not like an API description."),
        ("<?xml version='1.0'?>", "it looks like an XML document, not like an API description."),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "it looks like a PNG image, not like an API description."),
        (b"a: \x00", "it looks like a binary file, not like an API description."),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(text: str | bytes, reason: str) -> None:
    with pytest.raises(UnreadableSpec) as refused:
        read(text)
    assert str(refused.value) == f"api: {reason}"


def test_json_that_is_not_valid_is_refused_with_its_place() -> None:
    """In the parser's own words, which differ between its versions."""
    with pytest.raises(UnreadableSpec) as refused:
        read('{\n"a": 1\n"b": 2}')
    said = str(refused.value)
    assert said.startswith("api: it is not valid JSON: unexpected character")
    assert said.endswith("(line 3, column 1).")


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(9)
)
BOMB_OF_MAPPINGS = "m0: &m0 {k: v}\n" + "".join(
    f"m{i}: &m{i}\n" + "".join(f"  k{j}: *m{i - 1}\n" for j in range(9)) for i in range(1, 10)
)

BOMB_OF_TEXT = "a: &a " + "x" * 10_000 + "\nb: [" + "*a, " * 1_000 + "]\n"
BOMB_OF_KEYS = "k0: &k0 [x, x]\n" + "".join(
    f"k{i}: &k{i} {{? *k{i - 1} : 1, ? [*k{i - 1}, *k{i - 1}] : 2}}\n" for i in range(1, 25)
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" * 10_000 + "]" * 10_000, "nested"),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, "nested"),
        ("[" * 300 + "]" * 300, "nested"),
        ("[" * 90_000, "nested"),
        ('{"a": NaN, "b": ' + "[" * 90_000, "nested"),
        ("a: " + "[" * 10_000 + "]" * 10_000, "nested"),
        ("a: " + "[" * 900_000, "nested"),
        ("- " * 10_000 + "a", "nested"),
        ("".join(" " * i + "a:\n" for i in range(1300)), "nested"),
        ("a: &a [[]]\n" + "b: &b " + "[" * 253 + "*a" + "]" * 253, "nested"),
        ("a: &a [*a]", "the value of &a contains itself (line 1)."),
        (BOMB, "holds more than"),
        (BOMB_OF_MAPPINGS, "holds more than"),
        (BOMB_OF_TEXT, "holds more than 1 MB of text, aliases expanded"),
        (BOMB_OF_KEYS, "an object or list of more than 10,000 characters is a key (line 6)"),
        ("[" + ",".join(["[]"] * 200_000) + "]", "holds more than"),
        ("- []\n" * 200_000, "holds more than"),
        ("x" * 1_000_001, "larger than 1 MB"),
    ],
    ids=[
        "lists",
        "objects",
        "shallower lists",
        "lists not closed",
        "after NaN",
        "YAML flow",
        "YAML flow not closed",
        "YAML block",
        "YAML indented",
        "alias at the bottom",
        "alias to itself",
        "alias bomb",
        "bomb of mappings",
        "bomb of text",
        "bomb of keys",
        "many values",
        "many YAML values",
        "large file",
    ],
)
def test_what_is_unsafe_is_refused_at_once(text: str, reason: str) -> None:
    begin = time.process_time()
    with pytest.raises(UnsafeSpec) as refused:
        parse(text.encode(), "api", limits=Limits(max_file_mb=1, max_nodes=100_000))
    assert reason in refused.value.reason
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "text",
    [
        '["' + "," * 200_000,
        '["' + '\\"' * 200_000 + "," * 200_000,
        "a: " + "0b" * 200_000 + "\n- b",
    ],
    ids=["a string", "quotes in a string", "digits"],
)
def test_text_without_end_takes_no_time_without_end(text: str) -> None:
    with pytest.raises(UnreadableSpec):
        parse(text.encode(), "api", limits=Limits(max_nodes=100_000))


def test_the_deepest_nesting_that_is_allowed_is_read() -> None:
    for text in ("[" * 254 + "]" * 254, "a: " + "[" * 253 + "]" * 253, "- " * 253 + "[]"):
        read(text)
    with pytest.raises(UnsafeSpec, match="more than 10 levels"):
        parse(b"[" * 11 + b"]" * 11, "api", limits=Limits(max_nesting=10))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"name": "x", "dependencies": {}}', "a package.json"),
        ('{"$schema": "https://json-schema.org/draft/2020-12/schema"}', "a JSON Schema"),
        ('{"type": "object", "properties": {}}', "a JSON Schema"),
        ('{"info": {"_postman_id": "1"}, "item": []}', "a Postman collection"),
        ("asyncapi: 2.6.0", "an AsyncAPI document"),
        ('{"data": {"__schema": {}}}', "the result of a GraphQL introspection"),
        ("apiVersion: v1\nkind: Pod", "a Kubernetes manifest"),
        ("swaggerVersion: '1.2'", "a Swagger 1.2 document"),
        ('{"paths": {}}', "an OpenAPI document without its version"),
        ("[1, 2, 3]", "a list of 3 values"),
        ("[1]", "a list of 1 value"),
        ("[]", "an empty list"),
        ("hello there", "plain text"),
        ("# only a comment", "an empty document"),
        ("12", "a single value"),
        ("{}", "an empty object"),
        ("{a: 1, b: 2, c: 3, d: 4}", "an object with 'a', 'b', 'c', …"),
    ],
)
def test_what_is_no_api_is_called_by_its_name(text: str, words: str) -> None:
    document = read(text)
    assert not document.is_api
    assert looks_like(document) == words


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("openapi: 3.1.0", "3.1.0"),
        ("openapi: 3.0", "3.0"),
        ('{"swagger": "2.0"}', "2.0"),
        ("swagger: 2.0", "2.0"),
        ("openapi: {a: 1}", ""),
        ("openapi: yes", ""),
        ("- openapi", ""),
    ],
)
def test_the_version_makes_an_api(text: str, version: str) -> None:
    assert read(text).version == version


@pytest.mark.thorough
@given(OBJECTS, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_what_was_written_as_json_is_read(
    value: object, indent: int | str | None, ascii: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    assert read(text).value == value


def check_outcome(data: bytes) -> None:
    refusal = None
    try:
        document = parse(data, "api")
        json.dumps(document.value, allow_nan=False, ensure_ascii=False).encode()
        assert document.line_of("/a/0") >= 1
    except SpecError as error:
        refusal = str(error)
    assert refusal is None or (refusal.startswith("api: ") and refusal.endswith("."))


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_give_a_document_or_a_sentence(data: bytes) -> None:
    check_outcome(data)


@given(st.text(alphabet="a:-[]{},&*!|>'\"#?% \n\t0~<", max_size=40))
def test_any_yaml_gives_a_document_or_a_sentence(text: str) -> None:
    check_outcome(text.encode())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1 /* one */}', {"a": 1}),
        ('{/* one */ "a": 1}', {"a": 1}),
        ('/* head */\n{"a": 1}', {"a": 1}),
        ('// head\n{"a": [1, 2]} // tail', {"a": [1, 2]}),
        ('{"a": 1, // one\n "b": 2,}', {"a": 1, "b": 2}),
        ('{"a": "/* text */ // too", /* b */ "b": [1, ],}', {"a": "/* text */ // too", "b": [1]}),
        ('{"/* a */": "\\"/*", "b": 1} /* ends never', {"/* a */": '"/*', "b": 1}),
    ],
    ids=["after", "before a key", "before all", "lines", "comma", "in texts", "open"],
)
def test_json_with_comments(text: str, value: object) -> None:
    document = parse(text.encode(), "a.json")
    assert document.value == value
    assert "comments" in document.findings[0].message


def test_places_in_json_with_comments_are_those_of_the_file() -> None:
    text = '{\n/* two\n lines */\n"a": {\n// more\n"b": 1}}'
    document = parse(text.encode(), "a.json")
    assert (document.line_of("/a"), document.line_of("/a/b")) == (4, 6)
    assert document.findings[0].line == 2


def test_broken_json_with_comments_is_refused_with_the_word() -> None:
    with pytest.raises(UnreadableSpec, match="without its comments"):
        parse(b'{"a": /* nothing */ , "b": 1}', "a.json")


def test_yaml_may_hold_what_looks_like_a_comment() -> None:
    assert parse(b"{/*: a, b/*/c: d}", "a").value == {"/*": "a", "b/*/c": "d"}
    assert parse(b'{"a": http://b.c}', "a").value == {"a": "http://b.c"}
