"""Every reference is followed, breadth first, each chunk once."""

from __future__ import annotations

import logging

import pytest
from support.context_example import CREATE, ERRORS, NEW_USER, REFS, USER, chunk

from core.model import Chunk
from core.retrieve.follow.all_refs import all_refs

GHOST = "shop.json:components/schemas/Ghost"
KNOWN = {id: chunk(id) for id in {*REFS, *(target for refs in REFS.values() for target in refs)}}


def chunks(ids: object) -> dict[str, Chunk]:
    return {id: KNOWN[id] for id in ids if id in KNOWN}  # type: ignore[attr-defined]


def ids(start: str, depth: int) -> list[str]:
    return [each.id for each in all_refs(KNOWN[start], chunks, max_depth=depth)]


def test_the_start_comes_first_and_alone_at_depth_0() -> None:
    assert ids(CREATE, 0) == [CREATE]


def test_nearer_ones_come_before_farther_ones_and_each_once() -> None:
    one, all_of_it = ids(CREATE, 1), ids(CREATE, 9)
    assert one == [CREATE, *REFS[CREATE]]
    assert all_of_it[: len(one)] == one
    assert len(all_of_it) == len(set(all_of_it))
    assert {ERRORS, NEW_USER, USER} <= set(one)


def test_a_circle_ends() -> None:
    assert USER in ids(USER, 50)


def test_what_is_missing_is_left_out_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    start = Chunk("a", "a", KNOWN[USER].type, "shop", ref_ids={GHOST: ("x",), USER: ("y",)})
    caplog.set_level(logging.WARNING)
    assert [each.id for each in all_refs(start, chunks, max_depth=1)] == ["a", USER]
    assert GHOST in caplog.text
