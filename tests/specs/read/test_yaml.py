import math

import pytest
import ryaml
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from support.json_values import OBJECTS

from core.specs.read.compose import scalar
from core.specs.read.load import parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NO", "NO"), ("yes", "yes"), ("on", "on"), ("y", "y"),
        ("true", True), ("FALSE", False), ("tRUE", "tRUE"),
        ("null", None), ("~", None), ("", None), ("nULL", "nULL"),
        ("0", 0), ("-12", -12), ("+12", 12), ("017", "017"), ("00", "00"), ("1_000", "1_000"),
        ("0o17", 15), ("0x1F", 31), ("-0x1F", -31), ("0b11", 3), ("0o8", "0o8"), ("0XFF", "0XFF"),
        ("1.", 1.0), (".5", 0.5), ("-.5e-3", -0.0005), ("1e3", 1000.0), ("00.5", 0.5),
        (".", "."), ("1e", "1e"), (".e5", ".e5"), ("1.5.2", "1.5.2"),
        ("2020-01-01", "2020-01-01"), ("1:30", "1:30"), ("=", "="),
        (".inf", ".inf"), (".NaN", ".NaN"), ("1e999", "1e999"), ("Infinity", "Infinity"),
        ("٣", "٣"), ("9" * 5000, "9" * 5000), ("0x" + "f" * 5000, "0x" + "f" * 5000),
    ],
)  # fmt: skip
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


@given(OBJECTS, st.sampled_from([True, False]))
def test_what_was_written_as_yaml_is_read(value: object, flow: bool) -> None:
    text = yaml.safe_dump(value, default_style='"', default_flow_style=flow, sort_keys=False)
    assert parse(text.encode(), "api").value == value


@given(OBJECTS)
def test_an_anchor_and_its_aliases_have_one_value(value: object) -> None:
    text = yaml.safe_dump(
        {"a": value, "b": value, "c": [value]}, default_style='"', sort_keys=False
    )  # quotes: to PyYAML, which reads YAML 1.1, `0E0` is a text
    assert parse(text.encode(), "api").value == {"a": value, "b": value, "c": [value]}
