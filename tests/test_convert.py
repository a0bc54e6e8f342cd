from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.convert import structure


class Kind(StrEnum):
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    score: float
    kind: Kind = Kind.GOOD
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    parts: tuple[Part, ...]
    sizes: Mapping[str, int]
    pair: tuple[str, str]
    free: Mapping[str, Any] = field(default_factory=dict)
    weight: float | None = None


parts = st.builds(
    Part,
    st.text(max_size=5),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(Kind),
    st.lists(st.text(max_size=3), max_size=2).map(tuple),
)
wholes = st.builds(
    Whole,
    st.lists(parts, max_size=3).map(tuple),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.tuples(st.text(max_size=3), st.text(max_size=3)),
    st.dictionaries(st.text(max_size=3), st.none() | st.booleans() | st.integers(), max_size=2),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
)


@given(wholes)
def test_what_was_written_is_read_back(whole: Whole) -> None:
    assert structure(Whole, json.loads(json.dumps(asdict(whole)))) == whole


@given(wholes, st.text(min_size=1, max_size=8), st.integers())
def test_fields_of_a_newer_version_are_passed_over(whole: Whole, name: str, value: int) -> None:
    values = json.loads(json.dumps(asdict(whole)))
    newer = {f"newer {name}": value, **values}
    newer["parts"] = [{f"newer {name}": value, **part} for part in values["parts"]]
    assert structure(Whole, newer) == whole


def test_fields_of_a_newer_class_have_their_defaults() -> None:
    older = {"parts": [{"name": "a", "score": 1}], "sizes": {}, "pair": ["b", "c"]}
    assert structure(Whole, older) == Whole((Part("a", 1.0),), {}, ("b", "c"))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([], "expected an object, not list"),
        (None, "expected an object, not NoneType"),
        ({"sizes": {}, "pair": ["a", "b"]}, "parts is missing"),
        ({"parts": [{"name": "a"}], "sizes": {}, "pair": ["a", "b"]}, "$.parts[0].score"),
        ({"parts": [], "sizes": {"a": "x"}, "pair": ["a", "b"]}, "$.sizes"),
        ({"parts": [], "sizes": [1], "pair": ["a", "b"]}, "sizes"),
        ({"parts": 5, "sizes": {}, "pair": ["a", "b"]}, "parts"),
        ({"parts": [], "sizes": {}, "pair": ["a"]}, "pair"),
        ({"parts": [], "sizes": {}, "pair": [None, "b"]}, "expected text, not NoneType"),
        ({"parts": [], "sizes": {}, "pair": ["a", "b"], "weight": float("nan")}, "finite"),
        (
            {"parts": [{"name": "a", "score": 1, "kind": "odd"}], "sizes": {}, "pair": ["a", "b"]},
            "'odd'",
        ),
    ],
)
def test_what_is_wrong_is_named(values: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        structure(Whole, values)
