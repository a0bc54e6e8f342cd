"""Who depends on a document, and how a change of a requirement reaches the API."""

from __future__ import annotations

from support.documents import by_id, chunked
from support.memory import Memory, Words

from core.retrieve.follow.dependents import RELATIONS, dependents
from core.retrieve.follow.impact import impact

API = (
    '{"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "paths": {"/pay": {"post": '
    '{"responses": {"200": {"description": "", "content": {"application/json": {"schema": '
    '{"$ref": "#/components/schemas/Money"}}}}}}}}, '
    '"components": {"schemas": {"Money": {"type": "object"}}}}'
)
TEXTS = {
    "req.md": "---\nid: R\n---\n# Rule\nx\n\n## Detail\ny\n",
    "design.md": "---\ntype: design\nimplements: R\n---\n# D\n"
    "See [pay](shop.json#/paths/~1pay/post).",
    "arch.md": "---\ntype: architecture\nsatisfies: R\n---\n# A\n"
    "[money](shop.json#/components/schemas/Money)",
    "note.md": "# Note\n[rule](req.md#detail) and [pay](shop.json#/paths/~1pay/post)\n",
    "far.md": "# Far\n\n## Here\n[design](design.md)\n",
    "farther.md": "# Farther\n[far](far.md)\n",
    "old.md": "---\nid: O\n---\n# Old\n",
    "new.md": "---\nsupersedes: O\n---\n# New\n",
}
PAY, MONEY = "shop.json:paths/pay/post", "shop.json:components/schemas/Money"


def memory() -> Memory:
    return Memory(by_id(chunked(TEXTS, {"shop.json": API})).values(), tokens=Words())


def found(start: str, **options: object) -> dict[str, tuple[str, ...]]:
    store = memory()
    chunk = store.chunks([start])[start]
    each = dependents(chunk, chunks=store.chunks, **options)  # type: ignore[arg-type]
    return {one.chunk.id: one.path for one in each}


def doc(name: str) -> str:
    return f"{name}.md:document"


def test_direct_and_indirect_with_their_paths() -> None:
    assert found(doc("req")) == {
        doc("arch"): (doc("req"), doc("arch")),
        doc("design"): (doc("req"), doc("design")),
        doc("note"): (doc("req"), doc("note")),  # refers to a section of it
        "far.md:section/here": (doc("req"), doc("design"), "far.md:section/here"),
        doc("farther"): (doc("req"), doc("design"), "far.md:section/here", doc("farther")),
    }


def test_no_farther_than_asked_and_by_no_other_relation() -> None:
    assert found(doc("req"), max_distance=1).keys() == {doc(n) for n in ("arch", "design", "note")}
    assert found(doc("req"), max_distance=0) == {}
    assert found(doc("req"), relations=("IMPLEMENTS",)).keys() == {doc("design")}
    assert found(doc("old"), relations=RELATIONS) == {}  # what supersedes it does not depend on it


def test_a_section_changes_its_document_and_no_other_section() -> None:
    assert found("req.md:section/detail").keys() == found(doc("req")).keys()
    assert found("far.md:section/here").keys() == {doc("farther")}


def test_a_circle_ends() -> None:
    texts = {"a.md": "---\nreferences: b.md\n---\n# A", "b.md": "---\nreferences: a.md\n---\n# B"}
    store = Memory(by_id(chunked(texts)).values(), tokens=Words())
    start = store.chunks([doc("a")])[doc("a")]
    assert [e.chunk.id for e in dependents(start, chunks=store.chunks, max_distance=9)] == [
        doc("b")
    ]


def test_a_requirement_reaches_the_api_through_what_realises_it() -> None:
    changed = impact(doc("req"), chunks=memory().chunks)
    assert {each.id: each.via for each in changed.operations} == {
        PAY: (doc("req"), doc("design")),
    }
    assert {each.id for each in changed.documents} == {*found(doc("req"))}


def test_what_only_refers_to_a_document_takes_no_operation_with_it() -> None:
    """A note that links to a design says nothing of the operations beside that link."""
    texts = {**TEXTS, "design.md": "---\ntype: design\n---\n# D\n"}
    store = Memory(by_id(chunked(texts, {"shop.json": API})).values(), tokens=Words())
    changed = impact(doc("design"), chunks=store.chunks)
    assert changed.operations == ()
    assert "far.md:section/here" in {each.id for each in changed.documents}


def test_an_architecture_takes_the_operations_of_the_schema_it_mentions() -> None:
    changed = impact(doc("arch"), chunks=memory().chunks)
    assert {each.id: each.via for each in changed.operations} == {PAY: (doc("arch"), MONEY)}


def test_an_operation_and_a_schema_reach_the_documents_that_mention_them() -> None:
    assert {e.id for e in impact(PAY, chunks=memory().chunks).documents} == {
        doc("design"),
        doc("note"),
    }
    reached = {e.id: e.via for e in impact(MONEY, chunks=memory().chunks).documents}
    assert reached == {
        doc("arch"): (MONEY,),
        doc("design"): (MONEY, PAY),
        doc("note"): (MONEY, PAY),
    }
