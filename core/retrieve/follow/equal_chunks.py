"""What several APIs say in the same words is sent once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from core.ids import Id, file_of
from core.model import Chunk, LeftOut, Level
from core.reasons import Cut
from core.retrieve.follow.necessary import references
from core.retrieve.follow.walk import Followed, Reference, Way
from core.retrieve.reader import Reader

_LEVELS = tuple(Level)  # to walk through an enumeration takes longer


def merged(followed: Followed, primaries: Sequence[Chunk], reader: Reader) -> Followed:
    """One reference for all that are equal; it stands for the others and for what needs them.

    Chunks are equal when their kind, name, token counts and compact text are, and when what they
    refer to is equal. The one that is kept is a primary, or else the nearest.
    """
    found = {reference.chunk.id: reference for reference in followed.references}
    same = _same([*primaries, *(r.chunk for r in followed.references)], reader)
    if not same:
        return followed
    doubles = {id: kept for id, kept in same.items() if id in found}
    kept: dict[str, Reference] = {}
    for id, reference in found.items():
        if id not in doubles:
            equal = [found[other] for other, one in doubles.items() if one == id]
            kept[id] = _standing_for(reference, equal)
    needed: dict[str, int] = {}
    for id, who in followed.needed.items():
        id = doubles.get(id, id)
        needed[id] = needed.get(id, 0) | who
    return replace(
        followed,
        references=tuple(kept.values()),
        left_out=(*followed.left_out, *(_double(found[i], k) for i, k in doubles.items())),
        needed=needed,
    )


def _standing_for(reference: Reference, equal: Sequence[Reference]) -> Reference:
    """Reached and needed by all that reach or need one of them."""
    if not equal:
        return reference
    ways: list[Way] = []
    reached = 0
    for way in sorted((w for r in (reference, *equal) for w in r.ways), key=lambda w: w.steps):
        if new := way.primaries & ~reached:
            ways.append(way._replace(primaries=new))
            reached |= new
    needed_by, sent_by = reference.needed_by, reference.sent_by
    for other in equal:
        needed_by |= other.needed_by
        sent_by |= other.sent_by
    ids = tuple(sorted(other.chunk.id for other in equal))
    return reference._replace(ways=tuple(ways), needed_by=needed_by, sent_by=sent_by, equals=ids)


def _double(reference: Reference, kept: str) -> LeftOut:
    return LeftOut(
        reference.chunk.id,
        Cut.DUPLICATE,
        f"identical to {kept}",
        depth=reference.depth,
        via=reference.via,
        setting="equal",
    )


def _same(chunks: Sequence[Chunk], reader: Reader) -> dict[str, str]:
    """For each chunk that equals an earlier one of another file: that one."""
    if len({chunk.source_file for chunk in chunks}) < 2:
        return {}
    by_id = {chunk.id: chunk for chunk in chunks}
    classes = _classes({chunk.id: _looks(chunk) for chunk in chunks if chunk.component_kind})
    texts = {id: reader.rendering(by_id[id], Level.COMPACT) for id in classes}
    classes = _classes({id: (at, texts[id]) for id, at in classes.items()})
    classes = _until_stable(classes, by_id)
    first: dict[int, str] = {}
    return {id: first[at] for id, at in classes.items() if first.setdefault(at, id) != id}


def _until_stable(classes: dict[str, int], by_id: Mapping[str, Chunk]) -> dict[str, int]:
    """Divided by what their members refer to, until that divides none any more."""
    while True:
        named = {id: classes.get(id, id) for id in by_id}
        refs = {id: _refers(by_id[id], named) for id in classes}
        divided = _classes({id: (at, refs[id]) for id, at in classes.items()})
        if _sizes(divided) == _sizes(classes):
            return divided
        classes = divided


def _sizes(classes: Mapping[str, int]) -> tuple[int, int]:
    return len(classes), len({*classes.values()})


def _looks(chunk: Chunk) -> Hashable:
    counts = tuple(chunk.token_count.get(level, -1) for level in _LEVELS)
    return (chunk.component_kind, chunk.name, chunk.part, counts)


def _classes(keys: Mapping[str, Hashable]) -> dict[str, int]:
    """A number for each key that ids of several files have, in the order of the ids."""
    by_key: dict[Hashable, list[str]] = {}
    for id, key in keys.items():
        by_key.setdefault(key, []).append(id)
    shared = [ids for ids in by_key.values() if len(set(map(file_of, ids))) > 1]
    numbers = {id: number for number, ids in enumerate(shared) for id in ids}
    return {id: numbers[id] for id in keys if id in numbers}


def _refers(chunk: Chunk, named: Mapping[str, int | str]) -> Hashable:
    """What it refers to: by class, by id where there is none, by name where it was not met."""
    found = ((named.get(t, Id.parse(t).local), labels) for t, labels in references(chunk))
    return tuple(sorted(map(repr, found)))
