from __future__ import annotations

from dataclasses import replace

import pytest
from support import context_example as example

from core.model import KnowledgeContext, LeftOut
from core.reasons import Cut
from core.retrieve.explain.why import next_in_line, why


@pytest.fixture
def context() -> KnowledgeContext:
    return example.example()


def test_a_result(context: KnowledgeContext) -> None:
    found = why(context, example.CREATE)
    assert (found.is_in, found.stage) == (True, "search")
    assert "Result 1, score 0.86" in found.reason
    assert found.numbers["score"] == 0.86
    assert found.numbers["tokens"] == 412


def test_a_reference(context: KnowledgeContext) -> None:
    found = why(context, example.ADDRESS)
    assert (found.is_in, found.stage) == (True, "assemble")
    assert found.via == (example.CREATE, example.NEW_USER)
    assert found.numbers == {"depth": 2, "tokens": 170}
    assert "it is optional" in found.reason


def test_what_a_result_needs_says_so(context: KnowledgeContext) -> None:
    items = tuple(replace(item, needed_by=(1, 2)) for item in context.referenced_chunks)
    found = why(replace(context, referenced_chunks=items), example.ADDRESS)
    assert "results 1, 2 require it" in found.reason


@pytest.mark.parametrize(
    ("chunk_id", "stage", "numbers"),
    [
        (example.ITEM, "assemble", {"depth": 3, "tokens": 310}),
        (example.COUNTRY, "assemble", {"depth": 3, "tokens": 90}),
        (example.GHOST, "follow", {"depth": 2}),
        ("shop.json:paths/orders/get", "search", {"rank": 3, "score": 0.21}),
    ],
    ids=["tokens", "slots", "missing", "score"],
)
def test_what_was_left_out(
    context: KnowledgeContext, chunk_id: str, stage: str, numbers: dict[str, float]
) -> None:
    found = why(context, chunk_id)
    assert (found.is_in, found.stage, dict(found.numbers)) == (False, stage, numbers)


def test_what_another_chunk_stands_for(context: KnowledgeContext) -> None:
    first, *rest = context.referenced_chunks
    same = replace(first, equals=("other.json:components/schemas/X",))
    found = why(replace(context, referenced_chunks=(same, *rest)), same.equals[0])
    assert not found.is_in
    assert first.chunk.id in found.reason


def test_what_nobody_considered(context: KnowledgeContext) -> None:
    found = why(context, "other.json:info")
    assert (found.is_in, found.stage) == (False, "search")
    assert found.numbers == {"candidates": 10}


@pytest.mark.parametrize("cut", Cut, ids=str)
@pytest.mark.parametrize("depth", [0, 2])
def test_every_cut_has_a_stage(context: KnowledgeContext, cut: Cut, depth: int) -> None:
    trace = replace(context.trace, left_out=(LeftOut("x", cut, "so", depth=depth),))
    found = why(replace(context, trace=trace), "x")
    assert found.stage in ("search", "choose_apis", "follow", "assemble")
    assert found.reason.startswith(f"{cut}: so")


def test_one_more_unit_of_each_budget(context: KnowledgeContext) -> None:
    assert [(n.setting, n.chunk_id, n.tokens) for n in next_in_line(context)] == [
        ("min_score", "shop.json:paths/orders/get", 0),
        ("max_total_chunks", example.COUNTRY, 90),
        ("token_limit", example.ITEM, 310),
    ]


def test_nothing_is_next_when_nothing_was_left_out(context: KnowledgeContext) -> None:
    assert next_in_line(replace(context, trace=replace(context.trace, left_out=()))) == ()


def test_every_chunk_of_a_context_has_a_reason(context: KnowledgeContext) -> None:
    assert all(why(context, item.chunk.id).is_in for item in context.chunks)
