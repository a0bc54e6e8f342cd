from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from support.memory import Memory, Words, make_chunk

from core.deadline import Deadline
from core.model import Chunk
from core.retrieve.follow.order import in_order
from core.retrieve.follow.walk import follow

NEVER = Deadline(lambda: 0.0, 1.0)


def schema(name: str) -> str:
    return f"a.json:components/schemas/{name}"


def chunks_of(edges: Mapping[str, Any]) -> list[Chunk]:
    """Schemas by name; each refers to the names in a text, or to labelled names."""
    chunks = []
    for name, refs in edges.items():
        labelled = refs if isinstance(refs, dict) else dict.fromkeys(refs, "properties")
        refs = {schema(to): [u] if isinstance(u, str) else u for to, u in labelled.items()}
        chunks.append(make_chunk(schema(name), refs=refs))
    return chunks


def ordered(
    edges: Mapping[str, Any],
    scores: Mapping[str, float],
    selection: str = "eager",
    relevance: Mapping[str, float] | None = None,
) -> str:
    """The names of the references in their order, as one text."""
    chunks = chunks_of(edges)
    primaries = [chunk for chunk in chunks if chunk.name in scores]
    followed = follow(
        primaries,
        reader=Memory(chunks, tokens=Words()),
        max_depth=4,
        deadline=NEVER,
        relevance={schema(name): score for name, score in (relevance or {}).items()},
    )
    ranked = in_order(followed.references, list(scores.values()), selection)
    return "".join(reference.chunk.name for reference in ranked)


def test_nearest_first() -> None:
    assert ordered({"A": "CD", "D": "B", "B": "", "C": ""}, {"A": 1}) == "CDB"


def test_then_what_is_needed_more() -> None:
    edges: dict[str, Any] = dict.fromkeys("BCDEF", "")
    edges["A"] = {
        "B": "responses.500",
        "C": "callbacks.done",
        "D": "security",
        "E": "responses.200",
        "F": "requestBody",
    }
    assert ordered(edges, {"A": 1}) == "EFDBC"


def test_the_weakest_use_on_the_way_counts() -> None:
    edges = {"A": {"B": "responses.500", "C": "requestBody"}, "B": "D", "C": "E", "D": "", "E": ""}
    assert ordered(edges, {"A": 1}) == "CBED"


def test_then_what_the_better_primary_needs_and_of_that_what_others_share() -> None:
    edges = {"A": "XZ", "B": "YZ", "X": "", "Y": "", "Z": ""}
    assert ordered(edges, {"A": 0.9, "B": 0.8}) == "ZXY"


def test_then_what_the_search_liked() -> None:
    edges = {"A": "XY", "X": "", "Y": ""}
    assert ordered(edges, {"A": 1}, relevance={"Y": 0.5}) == "YX"


OPTIONAL = ["properties.x", "optional"]
TWO = {"A": {"B": OPTIONAL}, "B": "C", "C": "", "M": {"N": OPTIONAL}, "N": "O", "O": ""}
NEEDED = {"A": "B", "B": "C", "C": "", "M": "N", "N": "O", "O": ""}


def test_scored_takes_what_the_best_primary_needs_and_then_what_the_next_needs() -> None:
    assert ordered(NEEDED, {"A": 0.9, "M": 0.9}, "scored") == "BCNO"
    assert ordered(NEEDED, {"A": 0.9, "M": 0.8}, "scored") == "BCNO"
    assert ordered(NEEDED, {"A": 0.9, "M": 0.9}, "eager") == "BNCO"


@pytest.mark.parametrize("selection", ["scored", "mmr"])
def test_what_is_needed_comes_before_what_is_optional(selection: str) -> None:
    edges = {"A": {"B": OPTIONAL, "C": "responses.500"}, "B": "", "C": "D", "D": "E", "E": ""}
    assert ordered(edges, {"A": 1}, selection) == "CDEB"
    assert ordered(edges, {"A": 1}, "eager") == "CBDE"


def test_much_that_is_optional_waits_until_weaker_primaries_have_what_they_need() -> None:
    few = {"A": dict.fromkeys("BC", OPTIONAL), "M": "N", **dict.fromkeys("BCN", "")}
    many = {"A": dict.fromkeys("BCDEFGHIJKL", OPTIONAL), "M": "N"}
    many |= dict.fromkeys("BCDEFGHIJKLN", "")
    assert ordered(few, {"A": 0.9, "M": 0.5}, "scored") == "BCN"
    assert ordered(many, {"A": 0.9, "M": 0.5}, "scored") == "NBCDEFGHIJKL"
    assert ordered({"1": "", **few}, {"1": 0.9, "A": 0.8, "M": 0.8}, "scored") == "NBC"


def test_asides_wait_for_all_the_rest() -> None:
    edges: dict[str, Any] = {"A": dict.fromkeys("BCDEFGHIJKL", OPTIONAL) | {"Z": "links.next"}}
    edges |= dict.fromkeys("BCDEFGHIJKL", "") | {"Z": "N", "N": "", "M": {"N": OPTIONAL}}
    assert ordered(edges, {"A": 0.9, "M": 0.3}, "scored") == "NBCDEFGHIJKLZ"


def test_of_equally_near_ones_what_two_primaries_need_comes_first() -> None:
    edges = {"A": "XY", "M": "Y", "X": "", "Y": ""}
    assert ordered(edges, {"A": 1, "M": 0.5}, "scored") == "YX"


def test_a_chunk_is_needed_by_a_longer_way_than_its_nearest() -> None:
    """X is an optional step away, and needed two steps away."""
    edges = {"A": {"X": OPTIONAL, "B": "requestBody", "Y": OPTIONAL}, "B": "X", "X": "", "Y": ""}
    assert ordered(edges, {"A": 1}, "scored") == "BXY"


def test_mmr_prefers_what_says_something_new() -> None:
    texts = {"X": "user name", "Y": "user name", "Z": "invoice total"}
    chunks = [
        make_chunk(schema("A"), refs={schema(name): OPTIONAL for name in texts}),
        *(make_chunk(schema(name), text) for name, text in texts.items()),
    ]
    reader = Memory(chunks, tokens=Words())
    found = follow(chunks[:1], reader=reader, max_depth=3, deadline=NEVER).references
    for selection, names in (("scored", "XYZ"), ("mmr", "XZY")):
        assert "".join(r.chunk.name for r in in_order(found, [1.0], selection)) == names


def test_eager_takes_the_nearest_from_whichever_primary() -> None:
    assert ordered(TWO, {"A": 0.9, "M": 0.3}) == "BNCO"


def test_scored_counts_steps_from_a_weak_primary_as_farther() -> None:
    assert ordered(TWO, {"A": 0.9, "M": 0.3}, "scored") == "BCNO"
    assert ordered(TWO, {"A": 0.9, "M": 0.8}, "scored") == "BCNO"


def test_scored_takes_the_nearest_of_those_that_scored_alike_behind_the_first() -> None:
    edges = {"1": "", **TWO}
    assert ordered(edges, {"1": 0.9, "A": 0.8, "M": 0.75}, "scored") == "BNCO"
    assert ordered(edges, {"1": 0.9, "A": 0.8, "M": 0.3}, "scored") == "BCNO"


def test_scored_takes_the_best_of_several_ways() -> None:
    """X is one step from the weak primary and two from the strong one."""
    near = {"N": OPTIONAL, "X": OPTIONAL}
    edges = {"A": {"B": OPTIONAL}, "B": "X", "M": near, "N": "", "X": ""}
    assert ordered(edges, {"A": 0.9, "M": 0.3}, "scored") == "BXN"
    assert ordered({**edges, "B": ""}, {"A": 0.9, "M": 0.3}, "scored") == "BNX"


def test_scored_puts_asides_last_with_all_that_only_they_lead_to() -> None:
    edges = {"A": {"B": "links.next", "C": "responses.200"}, "B": "D", "C": "E", "D": "", "E": ""}
    assert ordered(edges, {"A": 1}, "scored") == "CEBD"
    assert ordered(edges, {"A": 1}, "eager") == "CBED"


def test_an_elements_own_part_is_as_near_as_the_element() -> None:
    own = schema("A")
    chunks = [
        make_chunk(own, refs={f"{own}:errors": [], schema("Z"): []}),
        make_chunk(f"{own}:errors", refs={schema("B"): []}),
        make_chunk(schema("B")),
        make_chunk(schema("Z"), refs={schema("C"): []}),
        make_chunk(schema("C")),
    ]
    reader = Memory(chunks, tokens=Words())
    followed = follow(chunks[:1], reader=reader, max_depth=3, deadline=NEVER)
    for selection in ("eager", "scored"):
        ranked = in_order(followed.references, [1.0], selection)
        assert [(r.chunk.label, r.depth) for r in ranked] == [
            ("schemas/Z", 1),
            ("schemas/A (errors)", 1),
            ("schemas/B", 1),
            ("schemas/C", 2),
        ]


def test_scores_of_0_are_equal() -> None:
    assert ordered({"1": "", **TWO}, {"1": 0.0, "A": 0.0, "M": 0.0}, "scored") == "BNCO"
