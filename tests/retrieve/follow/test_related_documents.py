"""Expansion by typed relations: both directions, distance, weights, limits."""

from __future__ import annotations

import pytest
from support.memory import Memory, Words, make_chunk

from core.model import Chunk, ChunkType
from core.retrieve.follow.related_documents import Related, related, weights_of
from core.settings import Follow

LABELS = ("IMPLEMENTS", "SATISFIES", "REFERENCES", "SUPERSEDES", "BELONGS_TO")


def graph(edges: dict[str, dict[str, str]], kinds: dict[str, str] | None = None) -> Memory:
    """Documents `x.md:document` with edges to others, by label."""
    users: dict[str, list[str]] = {}
    for source, targets in edges.items():
        for target in targets:
            users.setdefault(target, []).append(source)
    ids = {*edges, *(target for targets in edges.values() for target in targets)}
    made = [_chunk(id, edges.get(id, {}), users.get(id, ()), kinds or {}) for id in sorted(ids)]
    return Memory(made, tokens=Words())


def _chunk(
    id: str, targets: dict[str, str], users: list[str] | tuple[str, ...], kinds: dict[str, str]
) -> Chunk:
    is_call = "paths/" in id
    more = (
        {} if is_call else {"type": ChunkType.DOCUMENT, "component_kind": kinds.get(id, "design")}
    )
    refs = {target: (label,) for target, label in targets.items()}
    return make_chunk(id, refs=refs, referenced_by=tuple(sorted(users)), **more)


def doc(name: str) -> str:
    return f"{name}.md:document"


def reach(memory: Memory, *starts: str, hops: int = 2, **settings: float) -> list[Related]:
    chunks = memory.chunks(starts)
    return related(
        [chunks[id] for id in starts],
        chunks=memory.chunks,
        settings=Follow(**settings),  # type: ignore[arg-type]
        max_distance=hops,
    )


@pytest.mark.parametrize(
    ("label", "weight"), [*zip(LABELS, (1.0, 0.9, 0.7, 0.5, 1.0), strict=True)], ids=LABELS
)
def test_the_weights_of_the_contract(label: str, weight: float) -> None:
    assert weights_of(Follow())[label] == weight
    (one,) = reach(graph({doc("a"): {doc("b"): label}}), doc("a"))
    assert one.score == pytest.approx(weight / 2)
    assert (one.distance, one.relation, one.via) == (1, label, (doc("a"),))


@pytest.mark.parametrize("label", LABELS)
def test_each_weight_is_a_setting(label: str) -> None:
    memory, name = graph({doc("a"): {doc("b"): label}}), f"graph_weight_{label.lower()}"
    assert reach(memory, doc("a"), **{name: 0.2})[0].score == pytest.approx(0.1)
    assert reach(memory, doc("a"), **{name: 0.0}) == []


def test_both_directions_and_two_hops() -> None:
    memory = graph(
        {doc("design"): {doc("req"): "IMPLEMENTS"}, doc("code"): {doc("design"): "REFERENCES"}}
    )
    near = reach(memory, doc("req"))
    assert [(r.chunk.id, r.distance, r.relation) for r in near] == [
        (doc("design"), 1, "← IMPLEMENTS"),
        (doc("code"), 2, "← REFERENCES"),
    ]
    assert near[1].via == (doc("req"), doc("design"))
    assert near[1].score == pytest.approx(0.7 / 3)
    assert len(reach(memory, doc("req"), hops=1)) == 1


def test_a_document_does_not_lead_to_its_own_sections() -> None:
    memory = graph({"a.md:section/x": {doc("a"): "BELONGS_TO"}})
    assert [r.chunk.id for r in reach(memory, "a.md:section/x")] == [doc("a")]
    assert reach(memory, doc("a")) == []


def test_two_documents_that_mention_one_operation_are_near_each_other() -> None:
    call = "shop.json:paths/users/post"
    memory = graph({doc("a"): {call: "REFERENCES"}, doc("b"): {call: "REFERENCES"}})
    assert [(r.chunk.id, r.distance) for r in reach(memory, doc("a"))] == [(doc("b"), 2)]


def test_only_what_is_worth_reaching() -> None:
    kinds = {doc(k): k for k in ("architecture", "design", "requirement", "decision", "code")}
    kinds[doc("prose")] = "document"
    memory = graph({doc("start"): dict.fromkeys(kinds, "REFERENCES")}, kinds)
    found = {r.chunk.kind for r in reach(memory, doc("start"))}
    assert found == {"architecture", "design", "requirement", "decision", "code"}


def test_the_nearest_then_the_heaviest_then_by_id_and_never_more_than_the_limit() -> None:
    edges = {
        doc("a"): {doc("d"): "REFERENCES", doc("c"): "IMPLEMENTS", doc("b"): "REFERENCES"},
        doc("c"): {doc("e"): "IMPLEMENTS"},
    }
    memory = graph(edges)
    order = [r.chunk.id for r in reach(memory, doc("a"))]
    assert order == [doc("c"), doc("b"), doc("d"), doc("e")]
    limited = reach(memory, doc("a"), graph_max_expanded=2)
    assert [r.chunk.id for r in limited] == order[:2]


def test_twenty_at_most() -> None:
    memory = graph({doc("a"): {doc(f"b{n}"): "REFERENCES" for n in range(30)}})
    assert len(reach(memory, doc("a"))) == 20


def test_a_circle_ends() -> None:
    memory = graph({doc("a"): {doc("b"): "REFERENCES"}, doc("b"): {doc("a"): "REFERENCES"}})
    assert [r.chunk.id for r in reach(memory, doc("a"), hops=9)] == [doc("b")]
