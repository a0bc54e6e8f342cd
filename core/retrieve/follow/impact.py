"""Who is affected when an element changes: the references to it, walked backwards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.ids import is_part_of
from core.index.graphs import Lookup
from core.model import OPERATIONS, Chunk, ChunkType
from core.retrieve.follow.dependents import (
    REALISING,
    RELATIONS,
    Dependent,
    dependents,
    family,
)

LIMIT = 1000  # operations listed
_FAR = 10  # edges between documents
_AFTER_OPERATIONS = (ChunkType.CODE, ChunkType.DOCUMENT)  # what is affected by one that is


@dataclass(frozen=True, slots=True)
class Affected:
    """An element that a change reaches, and the shortest chain that leads there."""

    id: str  # of the element
    type: ChunkType
    via: tuple[str, ...]  # element ids, from the changed one to the one before this
    used: tuple[str, ...]  # where this one uses the last of them

    @property
    def is_direct(self) -> bool:
        return len(self.via) == 1


@dataclass(frozen=True, slots=True)
class Impact:
    """What a change of one element reaches; the nearest first, then by id."""

    element: str  # the one that changes
    operations: tuple[Affected, ...]  # webhooks and functions of source code too; at most `limit`
    through: tuple[Affected, ...]  # the elements on their chains
    not_listed: int = 0  # operations beyond the limit
    documents: tuple[Affected, ...] = ()  # that say something of what a change reaches
    flags: tuple[str, ...] = ()  # what was out of the ordinary: values of `core.reasons.Flag`

    @property
    def direct(self) -> tuple[Affected, ...]:
        """The operations that refer to the element themselves."""
        return tuple(each for each in self.operations if each.is_direct)

    @property
    def indirect(self) -> tuple[Affected, ...]:
        """Those that it reaches through other elements."""
        return tuple(each for each in self.operations if not each.is_direct)

    @property
    def affected(self) -> tuple[Affected, ...]:
        """Operations, functions and documents together, the nearest first, then by id."""
        return tuple(sorted((*self.operations, *self.documents), key=_nearest))

    @property
    def noun(self) -> str:
        """What those that a change reaches are called together."""
        return noun_of(self.operations)


def _nearest(each: Affected) -> tuple[int, str]:
    return len(each.via), each.id


def noun_of(affected: Iterable[Affected]) -> str:
    """operation, function or document where all are that, else element."""
    nouns = {_NOUNS.get(each.type, "element") for each in affected} or {"operation"}
    return nouns.pop() if len(nouns) == 1 else "element"


_NOUNS = {
    **dict.fromkeys(OPERATIONS, "operation"),
    ChunkType.CODE: "function",
    ChunkType.DOCUMENT: "document",
}


def impact(element: str, *, chunks: Lookup, limit: int = LIMIT) -> Impact:
    """Follow the references to an element backwards; each element is visited once.

    Of several shortest chains the one with the smallest ids is told. A chain ends at an operation:
    what only links to an affected operation is not affected itself; the code that serves it or
    sends a request to it is, and so is whoever calls that, and the documents that mention it. Of a
    document the chains go on from the designs that do what it says to the operations that these
    mention.
    """
    start = chunks([element]).get(element)
    if start is not None and start.type is ChunkType.DOCUMENT:
        return _of_document(start, chunks, limit)
    return _of_element(element, chunks, limit)


def _of_element(element: str, chunks: Lookup, limit: int) -> Impact:
    reached: dict[str, Affected] = {}
    front: dict[str, tuple[str, ...]] = {element: (element,)}  # with the chain that ends there
    ended: dict[str, tuple[str, ...]] = {}  # the same of operations
    while front or ended:
        after = (each for each in _users(ended, chunks) if each.type in _AFTER_OPERATIONS)
        users = sorted((*_users(front, chunks), *after), key=lambda each: each.id)
        fresh = {e.id: e for e in users if e.id != element and e.id not in reached}
        reached |= fresh
        chains = {id: (*each.via, id) for id, each in fresh.items()}
        ends = {id for id, each in fresh.items() if each.type.is_operation}
        front = {id: chains[id] for id in fresh if id not in ends and not _is_document(fresh[id])}
        ended = {id: chain for id, chain in chains.items() if id in ends}
    return _told(element, reached.values(), limit)


def _told(element: str, reached: Collection[Affected], limit: int) -> Impact:
    operations = [e for e in reached if e.type.is_operation or e.type is ChunkType.CODE]
    documents = tuple(each for each in reached if _is_document(each))[:limit]
    passed = {id for each in (*operations[:limit], *documents) for id in each.via}
    through = (each for each in reached if each.id in passed and not _is_document(each))
    more = max(0, len(operations) - limit)
    return Impact(element, tuple(operations[:limit]), tuple(through), more, documents)


def _is_document(each: Affected) -> bool:
    return each.type is ChunkType.DOCUMENT


def _of_document(start: Chunk, chunks: Lookup, limit: int) -> Impact:
    """What depends on it, and what is mentioned by it and by whoever does what it says."""
    found = dependents(start, chunks=chunks, max_distance=_FAR)
    reached = {
        each.chunk.id: Affected(each.chunk.id, each.chunk.type, each.path[:-1], each.relations[-1:])
        for each in found
    }
    own = Dependent(start, (start.id,), ())
    for each in (own, *(one for one in found if {*one.relations} <= {*REALISING})):
        for mentioned in _mentioned(each, chunks):
            known = reached.setdefault(mentioned.id, mentioned)
            if len(mentioned.via) < len(known.via):
                reached[mentioned.id] = mentioned
    order = sorted(reached.values(), key=lambda each: (len(each.via), each.id))
    return _told(start.id, order, limit)


def _mentioned(by: Dependent, chunks: Lookup) -> Iterator[Affected]:
    """The operations, schemas and code that a document refers to, and the operations that use such
    a schema themselves: beyond them nearly everything would be affected by a requirement."""
    if by.chunk.type is not ChunkType.DOCUMENT:
        return
    for each in family(by.chunk, chunks):
        for target, labels in each.ref_ids.items():
            used = tuple(label for label in labels if label in RELATIONS)
            known = chunks([target]).get(target) if used else None
            if known is None or known.type is ChunkType.DOCUMENT:
                continue
            yield Affected(known.element, known.type, by.path, used)
            if known.type is ChunkType.COMPONENT:
                for more in _of_element(known.element, chunks, LIMIT).direct:
                    yield Affected(more.id, more.type, (*by.path, *more.via), more.used)


def _users(front: Mapping[str, tuple[str, ...]], chunks: Lookup) -> Iterator[Affected]:
    """The elements that refer to those of the front."""
    family = {chunk.id: chunk for chunk in _whole(front, chunks)}
    sources = {id for chunk in family.values() for id in chunk.referenced_by}
    by_element: dict[str, list[Chunk]] = {}
    for chunk in chunks(sorted(sources)).values():
        by_element.setdefault(chunk.element, []).append(chunk)
    for element, own in by_element.items():
        used = _used(own, family)
        if nearest := min(used.keys() - {element}, default=""):
            yield Affected(element, own[0].type, front[nearest], used[nearest])


def _whole(elements: Collection[str], chunks: Lookup) -> Iterator[Chunk]:
    """All chunks of these elements: an element's own refers to its parts."""
    own = chunks(elements)
    yield from own.values()
    parts = [i for chunk in own.values() for i in chunk.ref_ids if is_part_of(i, chunk.id)]
    yield from chunks(parts).values()


def _used(own: Sequence[Chunk], family: Mapping[str, Chunk]) -> dict[str, tuple[str, ...]]:
    """Which elements of the family these chunks of one element refer to, and where."""
    used: dict[str, dict[str, None]] = {}
    for chunk in own:
        for target, places in chunk.ref_ids.items():
            if target in family:
                used.setdefault(family[target].element, {}).update(dict.fromkeys(places))
    return {target: tuple(places) for target, places in used.items()}
