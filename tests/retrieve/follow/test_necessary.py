from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memory import make_chunk

from core.model import OPTIONAL, Chunk
from core.retrieve.follow.necessary import (
    Completeness,
    completeness,
    is_necessary,
    necessary,
)
from core.retrieve.follow.necessary import needs as of_all

NAMES = "ABCDEFG"


def schema(name: str) -> str:
    return f"a.json:components/schemas/{name}"


def needs(edges: Mapping[str, Any], primaries: str = "A") -> dict[str, int]:
    chunks = {
        schema(name): make_chunk(schema(name), refs={schema(to): used for to, used in refs.items()})
        for name, refs in edges.items()
    }

    def fetch(ids: Collection[str]) -> Mapping[str, Chunk]:
        return {id: chunks[id] for id in ids if id in chunks}

    found = necessary([chunks[schema(name)] for name in primaries], fetch)
    return {id[-1]: who for id, who in found.items()}


@pytest.mark.parametrize(
    ("target", "labels", "expected"),
    [
        ("x", ("parameters",), True),
        ("x", ("parameters", OPTIONAL), False),
        ("x", ("requestBody",), True),
        ("x", ("responses.200",), True),
        ("x", ("responses.500",), True),
        ("x", ("security",), True),
        ("x", ("properties.a",), True),
        ("x", ("properties.a", OPTIONAL), False),
        ("x", ("properties.optional",), True),
        ("x", ("callbacks.done",), False),
        ("a.json:components/headers/X", ("responses.200",), False),
        ("a.json:paths/users/get", ("responses.200",), False),
        ("f:x:errors", ("part",), True),
        ("x:part-2", ("part",), True),
        ("f:x:examples", ("part",), False),
    ],
)
def test_what_is_necessary(target: str, labels: tuple[str, ...], expected: bool) -> None:
    assert is_necessary(target, labels) is expected


def test_required_chains_are_followed_to_their_end_and_optional_ones_not() -> None:
    yes, no = ["properties.x"], ["properties.x", OPTIONAL]
    edges = {
        "A": {"B": yes, "G": no},
        "B": {"C": yes},
        "C": {"D": yes},
        "D": {"E": yes},
        "E": {"F": yes, "A": yes},
        "F": {},
        "G": {},
    }
    assert needs(edges) == dict.fromkeys("BCDEF", 1)


def test_each_primary_is_told_apart() -> None:
    yes = ["properties.x"]
    edges = {"A": {"B": yes, "C": yes}, "B": {"C": yes, "D": yes}, "C": {}, "D": {}}
    assert needs(edges, "AB") == {"B": 0b01, "C": 0b11, "D": 0b11}


@given(
    st.dictionaries(
        st.sampled_from(NAMES),
        st.dictionaries(
            st.sampled_from(NAMES), st.sampled_from(["parameters", "responses.200", "security"])
        ),
    ),
    st.permutations(NAMES),
    st.integers(1, 3),
)
def test_what_is_sent_is_what_parameters_and_bodies_lead_to(
    edges: dict[str, dict[str, str]], order: list[str], count: int
) -> None:
    chunks = {
        schema(name): make_chunk(
            schema(name), refs={schema(to): [used] for to, used in edges.get(name, {}).items()}
        )
        for name in NAMES
    }
    primaries = order[:count]
    found = of_all([chunks[schema(name)] for name in primaries], lambda ids: chunks).sent
    for number, primary in enumerate(primaries):
        reached = {to for to, used in edges.get(primary, {}).items() if used == "parameters"}
        waiting = [*reached]
        while waiting:
            new = edges.get(waiting.pop(), {}).keys() - reached
            reached |= new
            waiting += new
        assert {id[-1] for id, who in found.items() if who >> number & 1} == reached - {primary}


def test_completeness() -> None:
    needed = {"x": 0b01, "y": 0b11, "z": 0b10}
    assert completeness(needed, {"x", "y", "z"}, primaries=2) == Completeness(3, 0, True, 1.0)
    assert completeness(needed, {"x", "y"}, primaries=2) == Completeness(3, 1, True, 0.5)
    assert completeness(needed, {"x", "z"}, primaries=2) == Completeness(3, 1, False, 0.0)
    assert completeness({}, (), primaries=1) == Completeness(0, 0, True, 1.0)
    assert completeness({}, (), primaries=0) == Completeness()


@given(
    st.dictionaries(st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES)), min_size=2),
    st.sampled_from(NAMES),
)
def test_more_primaries_need_no_less(edges: dict[str, set[str]], other: str) -> None:
    every = {name: dict.fromkeys(edges.get(name, ()), ("properties.x",)) for name in NAMES}
    one, two = needs(every, "A"), needs(every, "A" + (other if other != "A" else "B"))
    assert {name for name, who in two.items() if who & 1} == set(one)
