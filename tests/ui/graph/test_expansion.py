from core.model import Chunk, ChunkType
from ui.graph.expansion import MOST, USERS, USES, expanded
from ui.graph.picture import Picture, Role, node, placed

FILE = "a.json:components/schemas/"


def drawn(*names: str) -> Picture:
    nodes, columns = placed([node(FILE + name, Role.PRIMARY, 0, "") for name in names], [])
    return Picture(nodes, (), columns, 0)


def chunk(name: str, *, uses: tuple[str, ...] = (), users: tuple[str, ...] = ()) -> Chunk:
    return Chunk(
        FILE + name,
        FILE + name,
        ChunkType.COMPONENT,
        "a",
        ref_ids={FILE + other: ("items",) for other in uses},
        referenced_by=tuple(FILE + other for other in users),
    )


def ids(picture: Picture) -> set[str]:
    return {each.id.removeprefix(FILE) for each in picture.nodes}


def test_a_chunk_grows_in_the_chosen_direction() -> None:
    read = {FILE + "A": chunk("A", uses=("B",), users=("C",))}.get
    assert ids(expanded(drawn("A"), [FILE + "A"], read, [USES])) == {"A", "B"}
    assert ids(expanded(drawn("A"), [FILE + "A"], read, [USERS])) == {"A", "C"}
    both = expanded(drawn("A"), [FILE + "A"], read, [USES, USERS])
    assert {each.id: each.depth for each in both.nodes} == {
        FILE + "A": 0,
        FILE + "B": 1,
        FILE + "C": -1,
    }
    assert {(e.source, e.target, e.used) for e in both.edges} == {
        (FILE + "A", FILE + "B", "items"),
        (FILE + "C", FILE + "A", ""),
    }


def test_what_was_added_can_be_opened_next() -> None:
    read = {FILE + "A": chunk("A", uses=("B",)), FILE + "B": chunk("B", uses=("A", "C"))}.get
    grown = expanded(drawn("A"), [FILE + "A", FILE + "B"], read, [USES])
    assert ids(grown) == {"A", "B", "C"}
    assert next(each for each in grown.nodes if each.id == FILE + "A").role is Role.PRIMARY


def test_a_step_adds_so_many_and_counts_the_rest() -> None:
    many = tuple(f"N{number}" for number in range(MOST + 3))
    grown = expanded(drawn("A"), [FILE + "A"], {FILE + "A": chunk("A", uses=many)}.get, [USES])
    assert len(grown.nodes) == 1 + MOST
    assert grown.not_drawn == 3


def test_what_is_not_drawn_or_not_there_opens_nothing() -> None:
    before = drawn("A")
    assert expanded(before, [FILE + "X", FILE + "A"], {}.get, [USES, USERS]) is before
