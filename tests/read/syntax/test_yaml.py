import math

import pytest
import ryaml
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.json_values import OBJECTS

from core.deadline import Deadline
from core.errors import SpecError, UnsafeSpec
from core.read.limits import Limits
from core.read.load import parse
from core.read.syntax.compose import Composer, scalar
from core.read.syntax.parsed import Bounds
from core.read.syntax.yaml import read

BOUNDS = Bounds("api.yaml", Limits(), Deadline.after(3600))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NO", "NO"),
        ("yes", "yes"),
        ("on", "on"),
        ("y", "y"),
        ("true", True),
        ("FALSE", False),
        ("tRUE", "tRUE"),
        ("null", None),
        ("~", None),
        ("", None),
        ("nULL", "nULL"),
        ("0", 0),
        ("-12", -12),
        ("+12", 12),
        ("017", "017"),
        ("00", "00"),
        ("1_000", "1_000"),
        ("0o17", 15),
        ("0x1F", 31),
        ("-0x1F", -31),
        ("0b11", 3),
        ("0o8", "0o8"),
        ("0XFF", "0XFF"),
        ("1.", 1.0),
        (".5", 0.5),
        ("-.5e-3", -0.0005),
        ("1e3", 1000.0),
        ("00.5", 0.5),
        (".", "."),
        ("1e", "1e"),
        (".e5", ".e5"),
        ("1.5.2", "1.5.2"),
        ("2020-01-01", "2020-01-01"),
        ("1:30", "1:30"),
        ("=", "="),
        (".inf", ".inf"),
        (".NaN", ".NaN"),
        ("1e999", "1e999"),
        ("Infinity", "Infinity"),
        ("٣", "٣"),
        ("9" * 5000, "9" * 5000),
        ("0x" + "f" * 5000, "0x" + "f" * 5000),
    ],
)
def test_scalars_of_yaml_1_2(text: str, value: object) -> None:
    assert scalar(text) == value
    assert type(scalar(text)) is type(value)


@given(st.text(alphabet="0123456789+-.eExXoObB_~aflnrstuINF", min_size=1, max_size=8))
@example("0x")
@example("-0")
def test_both_loaders_read_a_plain_scalar_alike(text: str) -> None:
    try:
        value = ryaml.loads(f"a: {text}\n")["a"]
    except ValueError:
        return
    if isinstance(value, float) and not math.isfinite(value):
        value = text
    assert scalar(text) == value
    assert type(scalar(text)) is type(value)


@pytest.mark.thorough
@given(OBJECTS, st.sampled_from([True, False]))
def test_what_was_written_as_yaml_is_read(value: object, flow: bool) -> None:
    text = yaml.safe_dump(value, default_style='"', default_flow_style=flow, sort_keys=False)
    assert parse(text.encode(), "api").value == value


@pytest.mark.thorough
@given(OBJECTS)
def test_an_anchor_and_its_aliases_have_one_value(value: object) -> None:
    text = yaml.safe_dump(
        {"a": value, "b": value, "c": [value]}, default_style='"', sort_keys=False
    )  # quotes: to PyYAML, which reads YAML 1.1, `0E0` is a text
    assert parse(text.encode(), "api").value == {"a": value, "b": value, "c": [value]}


@pytest.mark.parametrize(
    "text",
    [
        "a: {!!merge <<: *x, c: 2}",
        "a:\n  !!merge <<: *x\n  c: 2",
        "a:\n  ? !!merge <<\n  : *x\n  c: 2",
        "a: {!<tag:yaml.org,2002:merge> <<: [*x, {b: 9}], c: 2}",
        'a: {!!merge "<<": *x, c: 2}',
        "a: {<<: *x, c: 2}",
    ],
    ids=["flow", "block", "complex", "verbatim, list", "quoted", "plain"],
)
def test_a_merge_key_with_its_tag_merges(text: str) -> None:
    assert parse(f"x: &x {{b: 1}}\n{text}\n".encode(), "a").value["a"] == {"b": 1, "c": 2}


def test_a_text_that_only_looks_like_a_merge_key_does_not() -> None:
    text = b"x: &x {b: 1}\na: {'<<': *x}\nb: {!!str <<: *x}\n"
    assert parse(text, "a").value["a"] == parse(text, "a").value["b"] == {"<<": {"b": 1}}


def test_a_key_in_a_key_in_a_key_is_named_by_its_text() -> None:
    assert parse(b"? ? ? a\n", "a").value == {'{"{\\"a\\":null}":null}': None}


def test_keys_within_keys_are_refused_before_their_text_doubles_without_end() -> None:
    with pytest.raises(UnsafeSpec, match=r"than 10,000 characters is a key \(line 1\)"):
        parse(b"? " * 45, "a")


DOCUMENTS = st.text(alphabet="ab:-[]{},#&*!|>'\"\n 01.?%~", max_size=40)


@settings(max_examples=500)
@given(DOCUMENTS)
@example("a: 1\n--- b\n")
@example("? a\n: b\n")
def test_our_composer_and_ryaml_agree_or_one_refuses(text: str) -> None:
    """Equal values or a refusal: what ryaml alone would read otherwise, we never let it read."""
    try:
        ours = Composer(text, BOUNDS, places=False)
    except (yaml.YAMLError, SpecError):
        with pytest.raises(SpecError):
            read(text.encode(), BOUNDS)
        return
    assert read(text.encode(), BOUNDS).value == ours.value


@pytest.mark.thorough
@settings(max_examples=300)
@given(OBJECTS, st.booleans(), st.sampled_from([None, '"', "'", "|", ">"]))
def test_both_loaders_read_whole_documents_alike(value: object, flow: bool, style: str) -> None:
    text = yaml.safe_dump(value, default_style=style, default_flow_style=flow)
    assert read(text.encode(), BOUNDS).value == Composer(text, BOUNDS, places=False).value
