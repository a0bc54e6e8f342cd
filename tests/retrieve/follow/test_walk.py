from __future__ import annotations

import itertools
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memory import Memory, Words, make_chunk

from core.deadline import Deadline
from core.model import Chunk
from core.reasons import Cut
from core.retrieve.follow.necessary import Use, use_of
from core.retrieve.follow.walk import Followed, Known, Ways, count_cycles, follow

NEVER = Deadline(lambda: 0.0, 1.0)


def schema(name: str) -> str:
    return f"a.json:components/schemas/{name}"


def graph(edges: Mapping[str, Any]) -> list[Chunk]:
    """Schemas by name; each refers to the names in its text, or to labelled names."""
    return [
        make_chunk(
            schema(name),
            refs={
                schema(to): used
                for to, used in (
                    refs.items()
                    if isinstance(refs, dict)
                    else ((to, ["properties"]) for to in refs)
                )
            },
        )
        for name, refs in edges.items()
    ]


def walk(edges: Mapping[str, Any], starts: str = "A", **changes: Any) -> Followed:
    chunks = graph(edges)
    reader = Memory(chunks, tokens=Words())
    primaries = [chunk for chunk in chunks if chunk.name in starts.split()]
    options = {"max_depth": 3, "deadline": NEVER, **changes}
    return follow(primaries, reader=reader, **options)


def names(followed: Followed) -> list[str]:
    return [reference.chunk.name for reference in followed.references]


def test_nearest_first() -> None:
    followed = walk({"A": "BC", "B": "D", "C": "", "D": "E", "E": "F", "F": ""})
    assert [(r.chunk.name, r.depth) for r in followed.references] == [
        ("B", 1),
        ("C", 1),
        ("D", 2),
        ("E", 3),
    ]
    (beyond,) = followed.left_out
    assert (beyond.chunk_id, beyond.cut, beyond.depth) == (schema("F"), Cut.DEPTH_LIMIT, 4)
    assert beyond.via == tuple(map(schema, "ABDE"))


def test_the_shortest_way_is_kept() -> None:
    followed = walk({"A": "BD", "B": "C", "C": "D", "D": ""})
    (d,) = [r for r in followed.references if r.chunk.name == "D"]
    assert (d.depth, d.via) == (1, (schema("A"),))


@pytest.mark.parametrize(
    ("edges", "cycles"),
    [
        ({"A": "A"}, 1),
        ({"A": "B", "B": "A"}, 1),
        ({"A": "B", "B": "C", "C": "A"}, 1),
        ({"A": "BC", "B": "C", "C": "B"}, 1),
        ({"A": "BC", "B": "D", "C": "D", "D": ""}, 0),
        ({"A": "AB", "B": "AB"}, 3),
    ],
    ids=["itself", "pair", "triangle", "below", "diamond", "all"],
)
def test_cycles_are_counted_and_no_chunk_comes_twice(edges: Mapping[str, str], cycles: int) -> None:
    followed = walk(edges)
    assert followed.cycles == cycles
    assert sorted(names(followed)) == sorted(set(edges) - {"A"})


def test_missing_targets_are_listed_with_the_way_to_them() -> None:
    followed = walk({"A": "B", "B": "X"})
    (missing,) = followed.left_out
    assert (missing.chunk_id, missing.cut, missing.depth) == (schema("X"), Cut.MISSING, 2)
    assert missing.via == (schema("A"), schema("B"))
    assert followed.missing == 1


def test_the_way_that_needs_it_most_is_told() -> None:
    edges = {"A": {"X": ["responses.400"]}, "B": {"X": ["requestBody"]}, "X": ""}
    (x,) = walk(edges, "A B").references
    assert (x.via, x.used, x.use) == ((schema("B"),), ("requestBody",), Use.NEEDED)
    assert x.shared == 2


def test_depth_0_follows_nothing() -> None:
    followed = walk({"A": "B", "B": ""}, max_depth=0)
    assert followed.references == ()
    assert [item.cut for item in followed.left_out] == [Cut.DEPTH_LIMIT]


@pytest.mark.parametrize("broken", [None, "text", 7, ["a"]], ids=str)
def test_malformed_ref_ids_are_no_references(broken: Any) -> None:
    chunk = make_chunk(schema("A"))
    object.__setattr__(chunk, "ref_ids", broken)
    reader = Memory([], tokens=Words())
    followed = follow([chunk], reader=reader, max_depth=3, deadline=NEVER)
    assert followed == Followed((), (), (chunk,), 0)


def test_malformed_labels_are_no_labels() -> None:
    chunk = make_chunk(schema("A"))
    object.__setattr__(chunk, "ref_ids", {schema("B"): None})
    reader = Memory(graph({"B": ""}), tokens=Words())
    (b,) = follow([chunk], reader=reader, max_depth=3, deadline=NEVER).references
    assert b.used == ()


@pytest.mark.parametrize(
    ("refs", "says"),
    [
        (None, "a NoneType, not a mapping"),
        (["a"], "a list, not a mapping"),
        ({schema("B"): None}, "components/schemas/B"),
        ({schema("B"): [1]}, "components/schemas/B"),
        ({7: ["x"]}, "[7]"),
    ],
    ids=str,
)
def test_malformed_references_are_told_to_who_debugs(
    refs: Any, says: str, caplog: pytest.LogCaptureFixture
) -> None:
    chunk = make_chunk(schema("A"))
    object.__setattr__(chunk, "ref_ids", refs)
    reader = Memory(graph({"B": ""}), tokens=Words())
    with caplog.at_level(logging.INFO, "specloupe.retrieve"):
        follow([chunk], reader=reader, max_depth=3, deadline=NEVER)
    assert not caplog.records
    with caplog.at_level(logging.DEBUG, "specloupe.retrieve"):
        follow([chunk], reader=reader, max_depth=3, deadline=NEVER)
    (line,) = caplog.messages
    assert line.startswith(f"Malformed references of {schema('A')} are not followed: ")
    assert says in line


def test_well_formed_references_are_no_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "specloupe.retrieve"):
        walk({"A": "B", "B": ""}, max_depth=3)
    assert not caplog.records


def test_one_lookup_a_level_or_one_a_chunk() -> None:
    chunks = graph({"A": "BC", "B": "D", "C": "", "D": ""})
    for batch, lookups in ((True, 2), (False, 3)):
        reader = Memory(chunks, tokens=Words())
        follow(chunks[:1], reader=reader, max_depth=3, deadline=NEVER, batch=batch)
        assert reader.lookups == lookups


def test_past_the_deadline_what_is_not_looked_up_is_left() -> None:
    ticks = itertools.count()
    deadline = Deadline(lambda: float(next(ticks)), 1.5)  # passes at the third look
    followed = walk(
        {"A": "BCDE", "B": "", "C": "", "D": "", "E": ""}, deadline=deadline, batch=False
    )
    assert names(followed) == ["B", "C"]
    assert [(item.chunk_id, item.cut) for item in followed.left_out] == [
        (schema("D"), Cut.TIMEOUT),
        (schema("E"), Cut.TIMEOUT),
    ]


@pytest.mark.parametrize(
    ("target", "labels", "use"),
    [
        ("x", ("requestBody",), Use.NEEDED),
        ("x", ("responses.200",), Use.NEEDED),
        ("x", ("responses.default",), Use.ERROR),
        ("x", ("responses.4XX",), Use.ERROR),
        ("x", ("responses.404", "parameters"), Use.NEEDED),
        ("x", ("security",), Use.SECURITY),
        ("x", ("callbacks.onDone",), Use.ASIDE),
        ("f:x:errors", (), Use.ERROR),
        ("f:x:examples", (), Use.ASIDE),
        ("x:part-2", (), Use.NEEDED),
        ("a.json:paths/users/get", ("responses.201",), Use.ASIDE),
        ("a.json:paths/users/post:errors", ("part",), Use.ERROR),
        ("a.json:components/headers/Next", ("responses.200",), Use.ASIDE),
        ("x", (), Use.NEEDED),
    ],
)
def test_use(target: str, labels: tuple[str, ...], use: Use) -> None:
    assert use_of(target, labels) is use


def test_a_farther_primary_is_met_too() -> None:
    followed = walk({"A": "B", "B": "X", "C": "X", "X": "Y", "Y": ""}, "A C")
    x = next(r for r in followed.references if r.chunk.name == "X")
    y = next(r for r in followed.references if r.chunk.name == "Y")
    assert [(way.steps, way.primaries) for way in x.ways] == [(1, 0b10), (2, 0b01)]
    assert [(way.steps, way.primaries) for way in y.ways] == [(2, 0b10), (3, 0b01)]
    assert (y.depth, y.shared, y.via) == (2, 2, (schema("C"), schema("X")))


OPTIONAL = ["properties.x", "optional"]


def test_what_is_necessary_may_be_followed_beyond_the_depth() -> None:
    edges = {"A": "B", "B": {"C": ["items"], "D": OPTIONAL}, "C": "E", "D": "", "E": "F", "F": ""}
    followed = walk(edges, max_depth=1, beyond_depth=True)
    assert [(r.chunk.name, r.depth) for r in followed.references] == [
        ("B", 1),
        ("C", 2),
        ("E", 3),
        ("F", 4),
    ]
    assert [item.chunk_id for item in followed.left_out] == [schema("D")]
    assert names(walk(edges, max_depth=1)) == ["B"]


def test_following_may_stop_once_nothing_necessary_is_left() -> None:
    edges = {"A": {"B": ["items"], "C": OPTIONAL}, "B": {"D": OPTIONAL}, "C": "E", "D": "", "E": ""}
    followed = walk(edges, stop_early=True)
    assert names(followed) == ["B", "C"]
    assert followed.stopped == 1
    assert [item.chunk_id for item in followed.left_out] == [schema("D"), schema("E")]
    assert {item.cut for item in followed.left_out} == {Cut.DEPTH_LIMIT}
    assert walk(edges).stopped is None


def test_what_is_needed_is_told_beyond_the_depth_too() -> None:
    followed = walk({"A": "B", "B": "C", "C": "X"}, max_depth=1)
    assert followed.needed == {schema("B"): 1, schema("C"): 1}


def test_an_own_part_is_no_step() -> None:
    own = schema("A")
    chunks = [
        make_chunk(own, refs={f"{own}:errors": ["part"]}),
        make_chunk(f"{own}:errors", refs={schema("B"): ["responses.400"]}),
        *graph({"B": "C", "C": ""}),
    ]
    reader = Memory(chunks, tokens=Words())
    followed = follow(chunks[:1], reader=reader, max_depth=1, deadline=NEVER)
    assert [(r.chunk.label, r.depth, len(r.via)) for r in followed.references] == [
        ("schemas/A (errors)", 1, 1),
        ("schemas/B", 1, 2),
    ]
    (beyond,) = followed.left_out
    assert (beyond.chunk_id, beyond.depth) == (schema("C"), 2)


LETTERS = "ABCDEFGHIJ"
graphs = st.dictionaries(
    st.sampled_from(LETTERS), st.text(st.sampled_from(LETTERS), max_size=4), min_size=1
)


@given(graphs, st.integers(0, 4))
def test_every_way_exists_and_no_chunk_comes_twice(edges: dict[str, str], depth: int) -> None:
    start = min(edges)
    followed = walk(edges, start, max_depth=depth)
    found = names(followed)
    assert len(found) == len(set(found))
    assert start not in found
    for reference in followed.references:
        way = [*reference.via, reference.chunk.id]
        assert way[0] == schema(start)
        assert len(reference.via) == reference.depth <= depth
        for here, there in itertools.pairwise(way):
            assert there[-1] in edges[here[-1]]


@given(graphs)
def test_a_graph_without_a_way_back_has_no_cycle(edges: dict[str, str]) -> None:
    forward = {name: [to for to in refs if to > name] for name, refs in edges.items()}
    assert count_cycles(graph(forward)) == 0
    back = graph({**forward, "A": [*forward.get("A", []), "A"]})
    assert count_cycles(back) == 1


@pytest.mark.thorough
@given(graphs, st.randoms(use_true_random=False))
def test_the_order_of_ref_ids_does_not_matter(edges: dict[str, str], random: Any) -> None:
    shuffled = {name: random.sample(sorted(set(to)), len(set(to))) for name, to in edges.items()}
    plain = {name: sorted(set(to)) for name, to in edges.items()}
    assert names(walk(plain, min(edges))) == names(walk(shuffled, min(edges)))


NAMES = "ABCDEFG"
EDGES = st.fixed_dictionaries({name: st.sets(st.sampled_from(NAMES + "X")) for name in NAMES})


@pytest.mark.thorough
@given(
    edges=EDGES,
    starts=st.sampled_from(["A", "A B", "C A D"]),
    depths=st.lists(st.integers(0, 6), min_size=1, max_size=5),
    stop_early=st.booleans(),
    beyond_depth=st.booleans(),
)
def test_one_walk_gives_every_depth_in_whatever_order(
    edges: Mapping[str, Any],
    starts: str,
    depths: list[int],
    stop_early: bool,
    beyond_depth: bool,
) -> None:
    sorted_edges = {name: "".join(sorted(to)) for name, to in edges.items()}
    chunks = graph(sorted_edges)
    primaries = [chunk for chunk in chunks if chunk.name in starts.split()]
    on = {"stop_early": stop_early, "beyond_depth": beyond_depth}
    known = Known(Memory(chunks, tokens=Words()), NEVER)
    ways = Ways(primaries, known, relevance={}, **on)
    for depth in depths:
        assert ways.within(depth) == walk(sorted_edges, starts, max_depth=depth, **on)
