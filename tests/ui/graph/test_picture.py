from dataclasses import replace

import pytest
from support import context_example as example

from core.model import LeftOut
from core.reasons import Cut
from ui.graph.picture import COLUMN, ROWS, Edge, Line, Node, Picture, Role, picture


@pytest.fixture(scope="module")
def drawn() -> Picture:
    return picture(example.example())


def node(picture: Picture, chunk_id: str) -> Node:
    return next(node for node in picture.nodes if node.id == chunk_id)


def line(picture: Picture, source: str, target: str) -> Edge:
    return next(e for e in picture.edges if (e.source, e.target) == (source, target))


def test_every_chunk_and_every_cut_reference_is_drawn_once(drawn: Picture) -> None:
    ids = [n.id for n in drawn.nodes]
    assert len(ids) == len(set(ids)) == 11 + 3
    assert "shop.json:paths/orders/get" not in ids  # a candidate of the search, not a reference


def test_depth_runs_from_left_to_right(drawn: Picture) -> None:
    by_depth = {n.depth: n.x for n in drawn.nodes}
    assert [by_depth[d] for d in range(4)] == sorted(by_depth.values())
    assert [c.title for c in drawn.columns] == ["Results", "1 step", "2 steps", "3 steps"]


def test_no_two_nodes_stand_in_one_place(drawn: Picture) -> None:
    assert len({(n.x, n.y) for n in drawn.nodes}) == len(drawn.nodes)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (example.CREATE, example.NEW_USER, Line.FOLLOWED),
        (example.LIST, example.USER, Line.ALSO),
        (example.ORDER, example.USER, Line.CYCLE),
        (example.ADDRESS, example.COUNTRY, Line.CUT),
        (example.USER, example.GHOST, Line.CUT),
    ],
)
def test_lines_say_what_a_reference_did(
    drawn: Picture, source: str, target: str, expected: Line
) -> None:
    assert line(drawn, source, target).line is expected


def test_lines_say_where_the_target_is_used(drawn: Picture) -> None:
    assert line(drawn, example.CREATE, example.NEW_USER).used == "requestBody"


def test_what_was_cut_names_the_limit(drawn: Picture) -> None:
    assert node(drawn, example.COUNTRY).role is Role.CUT
    assert node(drawn, example.COUNTRY).mark == "chunk limit"
    assert node(drawn, example.GHOST).role is Role.MISSING


def test_a_picture_is_the_same_each_time(drawn: Picture) -> None:
    assert picture(example.example()) == drawn


def test_hundreds_of_cut_references_are_counted_and_not_drawn() -> None:
    context = example.example()
    many = tuple(
        LeftOut(
            f"shop.json:components/schemas/S{i:03}", Cut.DEPTH_LIMIT, depth=1, via=(example.CREATE,)
        )
        for i in range(65)
    )
    drawn = picture(replace(context, trace=replace(context.trace, left_out=many)), cuts=40)
    assert drawn.not_drawn == 25
    first = [n for n in drawn.nodes if n.depth == 1]
    assert max(n.y for n in first) - min(n.y for n in first) <= ROWS * 120
    assert drawn.columns[1].right - drawn.columns[1].left > COLUMN


def test_an_empty_context_is_an_empty_picture() -> None:
    context = example.example()
    empty = replace(
        context, primary_chunks=(), referenced_chunks=(), trace=replace(context.trace, left_out=())
    )
    assert picture(empty) == Picture((), (), (), 0)
