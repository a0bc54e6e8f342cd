"""The order of documents: each weight, and that a score stays what it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memory import Memory, Words, make_chunk

from core.model import Chunk, ChunkType, Hit
from core.reasons import Part
from core.retrieve.search.primaries import Pick
from core.retrieve.search.weigh_documents import factors, held_back, weighed
from core.settings import Rank
from core.where import parse

NEWEST = date(2026, 3, 31)


def document(
    name: str, kind: str = "document", status: str = "", updated: str = "", **more: object
) -> Chunk:
    return make_chunk(
        f"{name}.md:document",
        type=ChunkType.DOCUMENT,
        component_kind=kind,
        status=status,
        facts={"last_updated": updated} if updated else {},
        **more,
    )


def picks(*found: tuple[Chunk, float]) -> list[Pick]:
    return [
        Pick(Hit(chunk.id, rank, score, {}), chunk)
        for rank, (chunk, score) in enumerate(found, start=1)
    ]


def names(found: list[Pick]) -> list[str]:
    return [pick.chunk.id.partition(".")[0] for pick in found]


@pytest.mark.parametrize(
    ("chunk", "expected"),
    [
        (document("a", "architecture"), {"type": 2.0}),
        (document("a", "design"), {"type": 1.5}),
        (document("a", "code"), {}),
        (document("a", "requirement"), {}),
        (document("a", "decision", "approved"), {"authority": 1.5}),
        (document("a", "document", "draft"), {}),
        (document("a", updated="2026-03-31"), {"recency": 1.2}),
        (document("a", updated="2025-12-31"), {"recency": 1.2}),  # ninety days before
        (document("a", updated="2025-12-30"), {}),
        (document("a", updated="2026-03-01T10:00:00Z"), {"recency": 1.2}),
        (document("a", updated="some day"), {}),
        (
            document("a", "architecture", "approved", "2026-03-01"),
            {"type": 2.0, "authority": 1.5, "recency": 1.2},
        ),
    ],
)
def test_the_weights_of_the_contract(chunk: Chunk, expected: dict[str, float]) -> None:
    assert factors(chunk, Rank(), NEWEST) == expected


@pytest.mark.parametrize(
    ("setting", "chunk", "part"),
    [
        ("doc_architecture_weight", document("a", "architecture"), Part.TYPE),
        ("doc_design_weight", document("a", "design"), Part.TYPE),
        ("doc_code_weight", document("a", "code"), Part.TYPE),
        ("doc_approved_boost", document("a", status="approved"), Part.AUTHORITY),
        ("doc_recent_boost", document("a", updated="2026-03-31"), Part.RECENCY),
    ],
)
def test_each_weight_is_a_setting(setting: str, chunk: Chunk, part: Part) -> None:
    assert factors(chunk, Rank(**{setting: 3.0}), NEWEST) == {part.value: 3.0}
    assert factors(chunk, Rank(**{setting: 1.0}), NEWEST) == {}


def test_the_days_that_are_recent_are_a_setting() -> None:
    old = document("a", updated="2026-01-01")
    assert factors(old, Rank(doc_recent_days=10), NEWEST) == {}


def test_weights_multiply_the_odds_and_never_the_score() -> None:
    plain, approved = document("a"), document("b", "architecture", "approved")
    found = weighed(picks((plain, 0.6), (approved, 0.4)), Memory([], tokens=Words()), Rank())
    assert names(found) == ["b", "a"]  # odds .67 * 3 before 1.5
    assert [pick.hit.score for pick in found] == [0.4, 0.6]
    assert [pick.hit.rank for pick in found] == [1, 2]
    assert found[0].hit.parts == {"type": 2.0, "authority": 1.5}
    assert names(
        weighed(picks((plain, 0.9), (approved, 0.4)), Memory([], tokens=Words()), Rank())
    ) == ["a", "b"]


def test_an_operation_keeps_its_place() -> None:
    call = make_chunk("shop.json:paths/users/get")
    found = weighed(
        picks((document("a"), 0.5), (call, 0.4), (document("b", "architecture"), 0.45)),
        Memory([], tokens=Words()),
        Rank(),
    )
    assert names(found) == ["b", "shop", "a"]
    assert found[1].hit.parts == {}


def test_what_the_question_names_stays_first() -> None:
    named, better = picks((document("a"), 0.5), (document("b", "architecture"), 0.9))
    named = replace(named, hit=replace(named.hit, parts={Part.EXACT.value: 1.0}))
    assert names(weighed([named, better], Memory([], tokens=Words()), Rank())) == ["a", "b"]


def test_without_documents_nothing_changes() -> None:
    calls = picks((make_chunk("shop.json:paths/users/get"), 0.5))
    assert weighed(calls, Memory([], tokens=Words()), Rank()) == calls


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 1)), max_size=8))
def test_no_pick_is_lost_and_each_keeps_its_score(made: list[tuple[str, float]]) -> None:
    kinds = {"a": "architecture", "b": "design", "c": "document", "d": "code"}
    before = picks(*((document(f"{at}{k}", kinds[k]), s) for at, (k, s) in enumerate(made)))
    after = weighed(before, Memory([], tokens=Words()), Rank())
    assert {p.chunk.id: p.hit.score for p in after} == {p.chunk.id: p.hit.score for p in before}
    assert [p.hit.rank for p in after] == [*range(1, len(before) + 1)]


def test_superseded_documents_are_history() -> None:
    old = document("a", status="superseded")
    assert held_back(old, Rank(), None) == "include_history"
    assert held_back(old, Rank(include_history=True), None) == ""
    assert held_back(old, Rank(), parse({"status": "superseded"})) == ""
    assert held_back(document("a", status="deprecated"), Rank(), None) == ""


def test_code_is_held_back_when_it_is_not_wanted() -> None:
    code = document("a", "code")
    source = make_chunk("a.py:function/f", type=ChunkType.CODE)
    assert held_back(code, Rank(), None) == ""
    for chunk in (code, source):
        assert held_back(chunk, Rank(include_code=False), None) == "include_code"
    assert held_back(code, Rank(include_code=False), parse({"kind": "code"})) == ""
