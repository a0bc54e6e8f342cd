"""What depends on a document: who implements, satisfies or refers to it, and who to those.

A section and its document count as one: who implements a requirement is affected by each of its
sections, and what a section refers to, its document refers to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from core.ids import Id
from core.index.graphs import Lookup
from core.model import Chunk, ChunkType

RELATIONS = ("IMPLEMENTS", "SATISFIES", "REFERENCES")
REALISING = ("IMPLEMENTS", "SATISFIES")  # whoever has one of these does what the other says
_BELONGS_TO = "BELONGS_TO"


@dataclass(frozen=True, slots=True)
class Dependent:
    """An element that depends on a document, with the shortest way there."""

    chunk: Chunk
    path: tuple[str, ...]  # chunk ids from the document that changes to this one
    relations: tuple[str, ...]  # the label of each edge of the path

    @property
    def is_direct(self) -> bool:
        return len(self.path) == 2


def dependents(
    start: Chunk,
    *,
    chunks: Lookup,
    relations: Collection[str] = RELATIONS,
    max_distance: int = 3,
) -> list[Dependent]:
    """What refers to a document by these relations, at most so many edges away.

    The nearest first, then by id; each element once, by the way with the smallest ids.
    """
    seen = {each.id for each in family(start, chunks)}
    front = [Dependent(start, (start.id,), ())]
    found: list[Dependent] = []
    for _ in range(max_distance):
        step = {each.chunk.id: each for each in _users(front, chunks, relations, seen)}
        front = [step[id] for id in sorted(step)]
        seen.update(id for each in front for id in _ids(each.chunk, chunks))
        found += front
    return found


def _users(
    front: Sequence[Dependent], chunks: Lookup, relations: Collection[str], seen: Collection[str]
) -> Iterator[Dependent]:
    """One edge against its direction; of several ways to one the first comes last."""
    for before in reversed(front):
        own = {each.id: each for each in family(before.chunk, chunks)}
        ids = {id for each in own.values() for id in each.referenced_by} - own.keys() - {*seen}
        for user in chunks(sorted(ids)).values():
            labels = (label for id in own for label in user.ref_ids.get(id, ()))
            label = next((label for label in labels if label in relations), "")
            whole = _element(user, chunks)
            if label and whole.id not in seen:
                yield Dependent(whole, (*before.path, whole.id), (*before.relations, label))


def family(chunk: Chunk, chunks: Lookup) -> list[Chunk]:
    """The chunks that change together with this one: of a document all, of a section those and the
    document's own; of anything else its parts."""
    own = _element(chunk, chunks)
    if chunk.type is not ChunkType.DOCUMENT:
        return [own, *_parts(own, chunks)]
    whole = chunks([id for id, labels in own.ref_ids.items() if _BELONGS_TO in labels])
    if whole:
        return [own, *_parts(own, chunks), *whole.values()]
    file = Id.parse(own.id).file
    below = chunks([id for id in own.referenced_by if Id.parse(id).file == file])
    sections = [each for each in below.values() if own.id in each.ref_ids]
    return [own, *sections, *(part for each in (own, *sections) for part in _parts(each, chunks))]


def _element(chunk: Chunk, chunks: Lookup) -> Chunk:
    return chunks([chunk.element]).get(chunk.element, chunk) if chunk.part else chunk


def _parts(chunk: Chunk, chunks: Lookup) -> list[Chunk]:
    ids = [id for id in chunk.ref_ids if id.startswith(f"{chunk.id}:")]
    return list(chunks(ids).values()) if ids else []


def _ids(chunk: Chunk, chunks: Lookup) -> Iterator[str]:
    """A document that was reached through one of its sections is reached once."""
    yield chunk.id
    if chunk.type is ChunkType.DOCUMENT:
        yield from (each.id for each in family(chunk, chunks))
