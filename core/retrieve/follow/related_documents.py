"""Documents that the graph leads to from the results, along typed relations in both directions.

A requirement is as near to the design that implements it as the design is to the requirement. A
section leads to its document; a document does not lead to its own sections, which would take the
place of everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.index.graphs import Lookup
from core.model import Chunk, ChunkType
from core.settings import Follow

BELONGS_TO = "BELONGS_TO"
INVERSE = "← "  # before the label of an edge that is followed against its direction
KINDS = ("architecture", "design", "requirement", "decision", "code")  # what is worth reaching
_DOCUMENT, _SECTION = ":document", ":section/"  # how the ids of what has typed relations look

_Front = Sequence[tuple[Chunk, tuple[str, ...], int]]  # with the way there and its start


@dataclass(frozen=True, slots=True)
class Related:
    """A document, or a section of one, that was reached."""

    chunk: Chunk
    distance: int  # edges from the nearest result
    relation: str  # label of the last edge, with INVERSE where it points the other way
    via: tuple[str, ...]  # chunk ids from that result to the one before this
    start: int  # place of that result
    score: float  # 1 / (1 + distance), times the relation's weight


class _Edge(NamedTuple):
    target: str
    label: str  # the heaviest of the edge's labels
    weight: float
    is_inverse: bool


def weights_of(settings: Follow) -> Mapping[str, float]:
    """By the label of the edge."""
    return {
        "IMPLEMENTS": settings.graph_weight_implements,
        "SATISFIES": settings.graph_weight_satisfies,
        "REFERENCES": settings.graph_weight_references,
        "SUPERSEDES": settings.graph_weight_supersedes,
        BELONGS_TO: settings.graph_weight_belongs_to,
    }


def related(
    starts: Sequence[Chunk],
    *,
    chunks: Lookup,
    settings: Follow,
    max_distance: int,
    keep: Callable[[Chunk], bool] = lambda chunk: True,
) -> list[Related]:
    """What is within `max_distance` edges: the nearest first, then by weight, score and id.

    At most `graph_max_expanded` of those that `keep` lets pass; ways may lead through what is not
    kept, and through operations that two documents mention.
    """
    weights = weights_of(settings)
    seen = {chunk.id for chunk in starts}
    front: _Front = [(chunk, (), at) for at, chunk in enumerate(starts)]
    found: list[Related] = []
    for distance in range(1, max_distance + 1):
        reached = _step(front, seen, chunks, weights, distance)
        seen.update(each.chunk.id for each in reached)
        found += reached
        front = [(each.chunk, each.via, each.start) for each in reached]
    wanted = [each for each in found if _is_wanted(each.chunk) and keep(each.chunk)]
    wanted.sort(key=lambda each: (each.distance, -each.score, each.start, each.chunk.id))
    return wanted[: settings.graph_max_expanded]


def _is_wanted(chunk: Chunk) -> bool:
    return chunk.type in (ChunkType.DOCUMENT, ChunkType.CODE) and (
        chunk.kind in KINDS or chunk.type is ChunkType.CODE
    )


def _step(
    front: _Front,
    seen: Collection[str],
    chunks: Lookup,
    weights: Mapping[str, float],
    distance: int,
) -> list[Related]:
    """What is one edge further, each once, by its heaviest edge."""
    best: dict[str, Related] = {}
    out = [_outgoing(chunk, weights) for chunk, _, _ in front]
    users = [[id for id in _users(chunk) if id not in seen] for chunk, _, _ in front]
    wanted = {edge.target for edges in out for edge in edges if edge.target not in seen}
    ends = chunks(list(wanted.union(*users)))
    for (chunk, via, start), edges, used_by in zip(front, out, users, strict=True):
        for edge in (*edges, *_incoming(chunk, used_by, ends, weights)):
            target = ends.get(edge.target)
            if target is None or edge.weight <= 0:
                continue
            label = INVERSE * edge.is_inverse + edge.label
            score = edge.weight / (1 + distance)
            way = Related(target, distance, label, (*via, chunk.id), start, score)
            if target.id not in best or score > best[target.id].score:
                best[target.id] = way
    return sorted(best.values(), key=lambda each: (-each.score, each.start, each.chunk.id))


def _outgoing(chunk: Chunk, weights: Mapping[str, float]) -> list[_Edge]:
    edges = (_edge(target, labels, weights) for target, labels in chunk.ref_ids.items())
    return [edge for edge in edges if edge]


def _users(chunk: Chunk) -> Iterator[str]:
    """Who may refer to a chunk by a typed edge; a document's own sections belong to it."""
    own = f"{chunk.id.removesuffix(_DOCUMENT)}{_SECTION}" if chunk.id.endswith(_DOCUMENT) else None
    for id in chunk.referenced_by:
        is_typed = _SECTION in id or _DOCUMENT in id
        if is_typed and not (own and id.startswith(own)):
            yield id


def _incoming(
    chunk: Chunk, users: Iterable[str], ends: Mapping[str, Chunk], weights: Mapping[str, float]
) -> Iterator[_Edge]:
    for id in users:
        if user := ends.get(id):
            labels = [each for each in user.ref_ids.get(chunk.id, ()) if each != BELONGS_TO]
            if edge := _edge(id, labels, weights, is_inverse=True):
                yield edge


def _edge(
    target: str, labels: Collection[str], weights: Mapping[str, float], *, is_inverse: bool = False
) -> _Edge | None:
    known = [label for label in labels if label in weights]
    if not known:
        return None
    label = known[0] if len(known) == 1 else max(known, key=weights.__getitem__)
    return _Edge(target, label, weights[label], is_inverse)
