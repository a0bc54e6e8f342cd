from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.memory import Memory, Words, make_chunk

from core.deadline import Deadline
from core.model import Chunk, ContextChunk, Hit, Level
from core.present import entry, markdown, section
from core.reasons import Cut
from core.retrieve.assemble.assemble import Assembled, assemble
from core.retrieve.follow.walk import Followed, follow
from core.retrieve.search.primaries import Pick
from core.settings import Settings
from core.tokens import TokenCounter, counter

NEVER = Deadline(lambda: 0.0, 1.0)
WORDS = Words()
POST = "a.json:paths/users/post"
KEY = "a.json:components/securitySchemes/key"


def schema(name: str) -> str:
    return f"a.json:components/schemas/{name}"


def put_together(
    chunks: Sequence[Chunk],
    *starts: str,
    tokens: TokenCounter = WORDS,
    renderings: Any = None,
    **changes: Any,
) -> tuple[Assembled, Followed]:
    reader = Memory(chunks, tokens=tokens, renderings=renderings)
    stored = reader.chunks(list(starts))
    picks = [
        Pick(Hit(id, rank, 1 - rank / 100, {}), stored[id]) for rank, id in enumerate(starts, 1)
    ]
    followed = follow([p.chunk for p in picks], reader=reader, max_depth=3, deadline=NEVER)
    settings = Settings(**changes)
    together = assemble(picks, followed.references, reader=reader, tokens=tokens, settings=settings)
    return together, followed


def ids(items: Sequence[ContextChunk]) -> list[str]:
    return [item.chunk.id for item in items]


def users() -> list[Chunk]:
    """An operation with its errors, a security scheme, two schemas and one behind them."""
    return [
        make_chunk(
            POST,
            "create a user",
            refs={
                f"{POST}:errors": ["part"],
                f"{POST}:examples": ["part"],
                KEY: ["security"],
                schema("NewUser"): ["requestBody"],
                schema("User"): ["responses.201"],
            },
        ),
        make_chunk(f"{POST}:errors", refs={schema("Error"): ["responses.400"]}),
        make_chunk(f"{POST}:examples"),
        make_chunk(KEY),
        make_chunk(schema("NewUser"), refs={schema("Address"): ["properties.address"]}),
        make_chunk(schema("User")),
        make_chunk(schema("Address")),
        make_chunk(schema("Error")),
    ]


def test_order_and_reasons() -> None:
    together, _ = put_together(users(), POST)
    (primary,) = together.primaries
    assert (primary.chunk.id, primary.rank, primary.score, primary.depth) == (POST, 1, 0.99, 0)
    assert ids(together.references) == [
        schema("NewUser"),
        schema("User"),
        schema("Error"),
        schema("Address"),
        KEY,
    ]
    address = together.references[3]
    assert address.via == (POST, schema("NewUser"))
    assert address.used == ("properties.address",)


def test_an_element_is_one_chunk_with_its_parts_inside() -> None:
    together, _ = put_together(users(), POST)
    (primary,) = together.primaries
    assert primary.included == (f"{POST}:errors", f"{POST}:examples")
    assert primary.ids == (POST, *primary.included)
    assert primary.included_refs == {schema("Error"): ("responses.400",)}
    assert primary.refers_to[schema("NewUser")] == ("requestBody",)
    assert f"{POST}:errors" not in primary.refers_to
    assert section(primary).startswith(f"## {POST}\n")
    assert section(primary).count("## ") == 1
    assert "with errors, examples\n" in section(primary)
    assert "POST /users (errors)" in primary.text
    assert all(not item.chunk.part for item in together.chunks)


def test_a_part_is_written_no_fuller_than_its_element() -> None:
    chunks = [
        make_chunk(schema("A"), "word " * 60, refs={f"{schema('A')}:part-2": []}),
        make_chunk(f"{schema('A')}:part-2", "more"),
    ]
    together, _ = put_together(chunks, schema("A"), token_limit=100, rendering="json")
    (only,) = together.primaries
    assert (only.level, only.text) == (Level.ID, f"{schema('A')}\n")
    assert only.included == (f"{schema('A')}:part-2",)
    full, _ = put_together(chunks, schema("A"), rendering="json")
    assert full.primaries[0].level is Level.JSON
    assert full.primaries[0].text.count("more") == 6  # the part in full, too


def test_what_was_found_in_an_example_brings_the_example_along() -> None:
    stored = {chunk.id: chunk for chunk in users()}
    reader = Memory(stored.values(), tokens=WORDS)
    hit = Hit(POST, 1, 0.9, {}, found_in=f"{POST}:examples")
    pick = Pick(hit, reader.chunks([POST])[POST])
    followed = follow([pick.chunk], reader=reader, max_depth=3, deadline=NEVER)
    narrow = Settings(max_total_chunks=1, max_primary_results=1)
    for found, inside in ((pick, 2), (replace(pick, hit=replace(hit, found_in="")), 1)):
        together = assemble(
            [found], followed.references, reader=reader, tokens=WORDS, settings=narrow
        )
        assert len(together.primaries[0].included) == inside


def test_a_security_scheme_counts_and_waits_for_body_and_parameters() -> None:
    together, _ = put_together(users(), POST, max_total_chunks=5, max_primary_results=1)
    assert KEY not in together.ids
    assert schema("Address") in together.ids  # the body's, two steps away
    wider, _ = put_together(users(), POST, max_total_chunks=6, max_primary_results=1)
    assert KEY in together.ids | wider.ids
    assert len(wider.chunks) == 6


@pytest.mark.parametrize("selection", ["eager", "scored", "mmr"])
def test_where_nothing_is_sent_a_security_scheme_comes_before_what_is_answered(
    selection: str,
) -> None:
    refs = {KEY: ["security"], schema("User"): ["responses.200"]}
    chunks = [
        make_chunk(POST, refs=refs),
        make_chunk(KEY),
        make_chunk(schema("User"), refs={schema("Address"): ["properties.a"]}),
        make_chunk(schema("Address")),
    ]
    together, _ = put_together(chunks, POST, selection=selection)
    assert ids(together.references) == [schema("User"), KEY, schema("Address")]


def test_no_slot_is_left_behind_and_the_first_says_where_it_fits() -> None:
    together, _ = put_together(users(), POST, max_total_chunks=2, max_primary_results=1)
    assert len(together.chunks) == 2
    assert ids(together.references) == [schema("NewUser")]
    assert together.primaries[0].included == (f"{POST}:errors",)
    first, *rest = together.left_out
    assert first.chunk_id == schema("User")
    assert {item.cut for item in together.left_out} == {Cut.CHUNK_LIMIT}
    assert "2 slots" in first.detail
    assert first.fits_at == 3
    assert all(schema("User") in item.detail for item in rest)


def test_more_results_than_slots_leave_none_for_references() -> None:
    """As a question of several parts may have them."""
    starts = ["shop.json:components/schemas/A", "shop.json:components/schemas/B"]
    slots = {"max_total_chunks": 1, "max_primary_results": 1}
    alone, _ = put_together([make_chunk(id) for id in starts], *starts, **slots)
    assert (ids(alone.primaries), alone.references) == (starts, ())
    together, _ = put_together([*users(), *map(make_chunk, starts)], POST, *starts, **slots)
    assert together.references == ()
    assert {item.cut for item in together.left_out} == {Cut.CHUNK_LIMIT}


def test_what_neither_limit_has_room_for_says_so() -> None:
    """One more slot alone would not bring it in, so its figures name the tokens, too."""
    few, _ = put_together(users(), POST, max_total_chunks=1, max_primary_results=1)
    assert few.left_out[0].detail == "the only slot is taken"
    starts = [schema("Long" * 8 + "_" * i) for i in range(1, 21)]
    chunks = [*(make_chunk(id, refs={POST: []}) for id in starts), make_chunk(POST)]
    full, _ = put_together(
        chunks, *starts, token_limit=100, max_primary_results=20, max_total_chunks=20
    )
    (left,) = full.left_out
    assert left.cut is Cut.CHUNK_LIMIT
    assert left.detail == (
        f"all 20 slots are taken, and its id needs {left.tokens} tokens where 0 are left"
    )


def test_a_part_comes_right_behind_its_element() -> None:
    chunks = [
        make_chunk(schema("A"), refs={schema("B"): [], schema("C"): []}),
        make_chunk(schema("B"), refs={f"{schema('B')}:part-2": []}),
        make_chunk(f"{schema('B')}:part-2"),
        make_chunk(schema("C")),
    ]
    together, _ = put_together(chunks, schema("A"), max_total_chunks=2, max_primary_results=1)
    assert ids(together.references) == [schema("B")]
    assert together.references[0].included == (f"{schema('B')}:part-2",)


@pytest.mark.parametrize(
    ("limit", "level"),
    [(4000, Level.COMPACT), (260, Level.SIGNATURE), (120, Level.ID), (100, Level.ID)],
    ids=str,
)
def test_primaries_fall_until_they_fit(limit: int, level: Level) -> None:
    chunks = [make_chunk(schema(name), "word " * 80) for name in "ABC"]
    together, _ = put_together(chunks, *map(schema, "ABC"), token_limit=limit)
    assert together.tokens <= limit
    assert {item.level for item in together.primaries[1:]} <= {level, Level.ID, Level.SIGNATURE}
    assert together.primaries[-1].level is (Level.COMPACT if limit == 4000 else Level.ID)
    assert len(together.primaries) == 3
    assert not together.over_budget


def test_primaries_beyond_the_limit_stay_and_are_flagged() -> None:
    chunks = [make_chunk(schema("Long" * 8 + "_" * i)) for i in range(1, 21)]
    together, _ = put_together(
        chunks,
        *(c.id for c in chunks),
        token_limit=100,
        max_primary_results=20,
        max_total_chunks=20,
    )
    assert len(together.primaries) == 20
    assert {item.level for item in together.primaries} == {Level.ID}
    assert together.tokens > 100
    assert together.over_budget


def test_the_rendering_setting_is_the_fullest_form() -> None:
    for rendering in (Level.SIGNATURE, Level.COMPACT, Level.JSON):
        together, _ = put_together(users(), POST, rendering=rendering.value)
        assert {i.level for i in (*together.primaries, *together.references)} == {rendering}


def test_the_share_keeps_tokens_for_primaries() -> None:
    """References may not take what primaries can use of their share."""
    chunks = [
        make_chunk(schema("A"), "word " * 30, refs={schema(f"R{i}"): [] for i in range(14)}),
        *(make_chunk(schema(f"R{i}")) for i in range(14)),
    ]
    changes = {"token_limit": 200, "max_primary_results": 1}
    few, _ = put_together(chunks, schema("A"), primary_share=0.6, **changes)
    many, _ = put_together(chunks, schema("A"), primary_share=0.0, **changes)
    equal, _ = put_together(chunks, schema("A"), prioritize_primary=False, **changes)
    assert few.primaries[0].level is Level.COMPACT
    assert len(few.references) < len(many.references) == len(equal.references)


def test_without_priority_references_of_the_best_rise_before_the_next_primary() -> None:
    chunks = [
        make_chunk(schema("A"), "a", refs={schema("B"): []}),
        make_chunk(schema("B"), "word " * 30),
        make_chunk(schema("C"), "word " * 30),
    ]
    starts = (schema("A"), schema("C"))
    changes = {"token_limit": 165, "rendering": "signature"}
    first, _ = put_together(chunks, *starts, **changes)
    mixed, _ = put_together(chunks, *starts, prioritize_primary=False, **changes)
    assert (first.primaries[1].level, first.references[0].level) == (Level.SIGNATURE, Level.ID)
    assert (mixed.primaries[1].level, mixed.references[0].level) == (Level.ID, Level.SIGNATURE)


def test_the_first_that_does_not_fit_says_what_it_needs() -> None:
    chunks = [
        make_chunk(schema("A"), refs={schema(f"R{i}"): [] for i in range(9)}),
        *(make_chunk(schema(f"R{i}")) for i in range(9)),
    ]
    together, _ = put_together(chunks, schema("A"), token_limit=100, max_primary_results=1)
    first = together.left_out[0]
    assert first.cut is Cut.TOKEN_LIMIT
    assert f"needs {first.tokens} tokens" in first.detail
    assert "of 100" in first.detail


def test_nothing() -> None:
    together, _ = put_together([])
    assert together == Assembled((), (), (), 0, False)


def test_levels_that_were_not_counted_are_not_used() -> None:
    chunk = make_chunk(schema("A"), token_count={Level.JSON: 3})
    together, _ = put_together([chunk], schema("A"))
    assert together.primaries[0].level is Level.ID


NAMES = [*"ABCDEFGH"]


@st.composite
def stores(draw: st.DrawFn) -> list[Chunk]:
    """Chunks that refer to each other anyhow, some with parts, some of them security schemes."""
    chunks = []
    for name in NAMES:
        kind = draw(st.sampled_from(["schemas", "schemas", "schemas", "securitySchemes"]))
        used = draw(st.sampled_from(["requestBody", "responses.200", "responses.404", "security"]))
        words = draw(st.integers(0, 40))
        parts = draw(st.sets(st.sampled_from(["errors", "examples", "part-2"]), max_size=2))
        refs: dict[str, Sequence[str]] = {
            f"a.json:components/{kinds[to]}/{to}": [used]
            for kinds in [dict.fromkeys(NAMES, "schemas") | {"H": "securitySchemes"}]
            for to in draw(st.sets(st.sampled_from(NAMES), max_size=4))
        }
        kind = "securitySchemes" if name == "H" else "schemas" if kind != "schemas" else kind
        own = f"a.json:components/{kind}/{name}"
        refs |= {f"{own}:{part}": [] for part in parts}
        chunks.append(make_chunk(own, f"{name} " * words, refs))
        chunks += (make_chunk(f"{own}:{part}", "part " * words) for part in sorted(parts))
    return chunks


few = settings(max_examples=40)
budgets = st.fixed_dictionaries(
    {
        "token_limit": st.integers(100, 1200),
        "max_total_chunks": st.integers(4, 20),
        "primary_share": st.sampled_from([0.0, 0.35, 0.6, 1.0]),
        "prioritize_primary": st.booleans(),
        "rendering": st.sampled_from(["json", "compact", "signature"]),
        "selection": st.sampled_from(["eager", "scored", "mmr"]),
    }
)
starts = st.lists(st.sampled_from(NAMES[:-1]), min_size=1, max_size=4, unique=True)


def elements(together: Assembled) -> set[str]:
    return set(together.ids)


@pytest.mark.thorough
@few
@given(stores(), starts, budgets, st.integers(0, 600), st.integers(0, 8))
def test_a_larger_budget_keeps_what_a_smaller_kept(
    chunks: list[Chunk], names: list[str], budget: dict[str, Any], tokens: int, slots: int
) -> None:
    larger = budget | {
        "token_limit": budget["token_limit"] + tokens,
        "max_total_chunks": budget["max_total_chunks"] + slots,
    }
    ids = [*map(schema, names)]
    few, _ = put_together(chunks, *ids, max_primary_results=4, **budget)
    many, _ = put_together(chunks, *ids, max_primary_results=4, **larger)
    assert elements(few) <= elements(many)


@pytest.mark.thorough
@few
@given(stores(), starts, budgets)
def test_limits_hold_and_every_chunk_is_accounted_for(
    chunks: list[Chunk], names: list[str], budget: dict[str, Any]
) -> None:
    ids = [*map(schema, names)]
    together, followed = put_together(chunks, *ids, max_primary_results=4, **budget)
    taken = together.chunks
    assert len(taken) <= budget["max_total_chunks"]
    assert (together.tokens > budget["token_limit"]) == together.over_budget
    if together.over_budget:
        assert not together.references
        assert {item.level for item in together.primaries} == {Level.ID}
    assert len({item.chunk.element for item in taken}) == len(taken)
    assert not [item for item in taken if item.chunk.part]
    reached = {reference.chunk.id for reference in followed.references}
    left = {item.chunk_id for item in together.left_out}
    assert elements(together) - set(ids) | left == reached
    assert not elements(together) & left
    for first in together.left_out[:1]:
        name = "token_limit" if first.cut is Cut.TOKEN_LIMIT else "max_total_chunks"
        for value, is_in in ((first.fits_at - 1, False), (first.fits_at, True)):
            if first.fits_at and value >= 100 * (name == "token_limit"):
                at, _ = put_together(chunks, *ids, max_primary_results=4, **budget | {name: value})
                assert (first.chunk_id in at.ids) is is_in


@pytest.mark.thorough
@few
@given(stores(), starts, budgets)
def test_tokens_are_those_of_the_sections(
    chunks: list[Chunk], names: list[str], budget: dict[str, Any]
) -> None:
    tokens = counter("cl100k_base")
    ids = [*map(schema, names)]
    together, _ = put_together(chunks, *ids, tokens=tokens, max_primary_results=4, **budget)
    text = markdown((*together.primaries, *together.references))
    assert together.tokens == tokens.count(text)
    assert all(i.tokens == tokens.count(entry(i) + section(i)) for i in together.chunks)


@pytest.mark.thorough
@few
@given(stores(), starts, budgets)
def test_equal_calls_give_equal_contexts(
    chunks: list[Chunk], names: list[str], budget: dict[str, Any]
) -> None:
    ids = [*map(schema, names)]
    once, _ = put_together(chunks, *ids, max_primary_results=4, **budget)
    again, _ = put_together(list(reversed(chunks)), *ids, max_primary_results=4, **budget)
    assert once == again
