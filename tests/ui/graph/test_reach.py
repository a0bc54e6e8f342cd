from __future__ import annotations

from core.model import ChunkType
from core.retrieve.follow.impact import Affected, Impact
from ui.graph.picture import Line, Picture, Role, node, placed
from ui.graph.reach import AFFECTED, MOST, ON_THE_WAY, reached

CREATE = "a.json:paths/users/post"
LIST = "a.json:paths/users/get"
USER, ADDRESS, OTHER = (
    f"a.json:components/schemas/{name}" for name in ("User", "Address", "Other")
)


def drawn() -> Picture:
    nodes, columns = placed(
        [
            node(CREATE, Role.PRIMARY, 0, ""),
            node(LIST, Role.PRIMARY, 0, ""),
            node(ADDRESS, Role.REFERENCE, 1, ""),
            node(OTHER, Role.REFERENCE, 1, ""),
        ],
        [],
    )
    return Picture(nodes, (), columns, 3)


def call(id: str, *via: str) -> Affected:
    return Affected(id, ChunkType.OPERATION, via, ("responses.200",))


def test_what_is_affected_stands_out_and_what_is_not_stands_back() -> None:
    through = Affected(USER, ChunkType.COMPONENT, (ADDRESS,), ("properties.home",))
    other = call("a.json:paths/me/get", ADDRESS, USER)
    impact = Impact(ADDRESS, (call(CREATE, ADDRESS), other), (through,))
    picture = reached(drawn(), ADDRESS, impact)
    reach = {each.id: each.reach for each in picture.nodes}
    assert reach == {CREATE: True, LIST: False, ADDRESS: True, USER: True, other.id: True}
    depths = {each.id: each.depth for each in picture.nodes}
    assert (depths[USER], depths[other.id], depths[CREATE]) == (ON_THE_WAY, AFFECTED, 0)
    assert {(e.source, e.target) for e in picture.edges if e.line is Line.IMPACT} == {
        (CREATE, ADDRESS),
        (other.id, USER),
        (USER, ADDRESS),
    }
    assert [column.title for column in picture.columns] == [
        "Affected",
        "In between",
        "Results",
        "1 step",
    ]


def test_so_many_operations_are_added_and_the_rest_is_counted() -> None:
    many = tuple(call(f"a.json:paths/n{number:02}/get", ADDRESS) for number in range(MOST + 2))
    picture = reached(drawn(), ADDRESS, Impact(ADDRESS, many, (), not_listed=5))
    assert sum(each.role is Role.ADDED for each in picture.nodes) == MOST
    assert picture.not_drawn == 2 + 5


def test_a_part_of_the_picture_stands_for_its_element() -> None:
    part = f"{CREATE}:errors"
    nodes, columns = placed([node(part, Role.REFERENCE, 1, "")], [])
    user = call(LIST, CREATE)
    picture = reached(Picture(nodes, (), columns, 0), part, Impact(CREATE, (user,), ()))
    assert [(edge.source, edge.target) for edge in picture.edges] == [(LIST, part)]
