"""What following gives where there are documents."""

from __future__ import annotations

from support.memory import Memory, Words, make_chunk

from core.model import Chunk, ChunkType
from core.reasons import Cut
from core.retrieve.follow.walk import Followed
from core.retrieve.follow.with_documents import with_documents
from core.settings import Settings

NOTHING = Followed((), (), 0, 0)


def document(name: str, refs: dict[str, tuple[str, ...]], *users: str, status: str = "") -> Chunk:
    return make_chunk(
        f"{name}.md:document",
        refs=refs,
        referenced_by=users,
        type=ChunkType.DOCUMENT,
        component_kind="design",
        status=status,
    )


def test_both_directions_are_a_setting() -> None:
    first = document("a", {}, "b.md:document")
    second = document("b", {"a.md:document": ("IMPLEMENTS",)})
    memory = Memory([first, second], tokens=Words())
    assert with_documents(NOTHING, [first], memory, Settings()) == NOTHING
    (found,) = with_documents(NOTHING, [first], memory, Settings(direction="both")).references
    assert (found.chunk.id, found.depth, found.via) == (second.id, 1, ("a.md:document",))
    assert found.used == ("← IMPLEMENTS",)
    assert found.relevance == 0.5


def test_never_further_than_the_depth() -> None:
    chunks = [
        document("a", {"b.md:document": ("REFERENCES",)}),
        document("b", {"c.md:document": ("REFERENCES",)}),
        document("c", {}),
    ]
    memory = Memory(chunks, tokens=Words())
    for depth, expected in ((0, 0), (1, 1), (2, 2), (3, 2)):
        settings = Settings(direction="both", max_depth=depth)
        assert len(with_documents(NOTHING, chunks[:1], memory, settings).references) == expected


def test_history_is_left_out_unless_it_is_wanted() -> None:
    new = document("new", {"old.md:document": ("SUPERSEDES",)})
    old = document("old", {}, "new.md:document", status="superseded")
    memory = Memory([new, old], tokens=Words())
    for wanted in (False, True):
        settings = Settings(direction="both", include_history=wanted)
        reached = with_documents(NOTHING, [new], memory, settings)
        found = with_documents(reached, [new], memory, Settings(direction="both"))
        assert [each.chunk.id for each in reached.references] == [old.id] * wanted
        assert found.references == ()
        assert [(x.chunk_id, x.cut, x.setting) for x in found.left_out] == (
            [(old.id, Cut.FILTER, "include_history")] * wanted
        )
