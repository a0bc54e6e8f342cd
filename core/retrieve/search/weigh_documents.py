"""Documents among themselves: approved, recent and architectural ones come first.

What a document is multiplies the odds that it is ordered by, and never its score, which the minimum
score is compared with. Documents change places with each other alone, so that an operation in the
same store keeps its place; code does where its places are not told from theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from math import prod

from core.model import Chunk, ChunkType
from core.reasons import Part
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.newest_document import NewestDocument, updated
from core.retrieve.reader import Reader
from core.retrieve.search.primaries import Pick, renumbered
from core.settings import Rank
from core.where import Filter, asks_for

SUPERSEDED, CODE = "superseded", "code"
_WEIGHED = (ChunkType.DOCUMENT, ChunkType.CODE)
_SURE = 1 - 1e-6  # beyond it, odds say nothing


def weighed(picks: Sequence[Pick], reader: Reader, settings: Rank) -> list[Pick]:
    """The picks with the documents among them in the order of their weighed odds."""
    places = [at for at, pick in enumerate(picks) if pick.chunk.type in _WEIGHED]
    if not places:
        return list(picks)
    newest = _newest(reader, [picks[at].chunk for at in places])
    told = {at: _told(picks[at], factors(picks[at].chunk, settings, newest)) for at in places}
    moved: dict[int, Pick] = {}
    for kind in {_kind(pick) for pick in told.values()}:
        its = {at: pick for at, pick in told.items() if _kind(pick) == kind}
        order = sorted(
            its.values(), key=lambda pick: (not pick.is_named, -_odds(pick), pick.hit.rank)
        )
        moved |= zip(its, order, strict=True)
    return renumbered([moved.get(at, pick) for at, pick in enumerate(picks)])


def _kind(pick: Pick) -> float | None:
    """Where kinds of material share out the places, each keeps its own."""
    return pick.hit.parts.get(Part.KIND.value)


def factors(chunk: Chunk, settings: Rank, newest: date | None) -> Mapping[str, float]:
    """What multiplies a document's odds, by the part's name; what changes nothing is left out."""
    types = {
        "architecture": settings.doc_architecture_weight,
        "design": settings.doc_design_weight,
        CODE: settings.doc_code_weight,
    }
    kind = CODE if chunk.type is ChunkType.CODE else chunk.kind
    is_recent = _is_recent(chunk, settings.doc_recent_days, newest)
    found = {
        Part.TYPE.value: types.get(kind, 1.0),
        Part.AUTHORITY.value: settings.doc_approved_boost if chunk.status == "approved" else 1.0,
        Part.RECENCY.value: settings.doc_recent_boost if is_recent else 1.0,
    }
    return {name: factor for name, factor in found.items() if factor != 1.0}


def held_back(chunk: Chunk, settings: Rank, where: Filter | None) -> str:
    """The setting that keeps a chunk out, unless the filter asks for what it is; "" for none."""
    if chunk.status == SUPERSEDED and not settings.include_history:
        return "" if asks_for(where, "status") else "include_history"
    is_code = chunk.type is ChunkType.CODE or chunk.kind == CODE
    if chunk.type in _WEIGHED and is_code and not settings.include_code:
        return "" if asks_for(where, "component_kind") else "include_code"
    return ""


def _told(pick: Pick, found: Mapping[str, float]) -> Pick:
    if not found:
        return pick
    return replace(pick, hit=replace(pick.hit, parts={**pick.hit.parts, **found}))


def _odds(pick: Pick) -> float:
    score = min(pick.hit.score, _SURE)
    names = (Part.TYPE.value, Part.AUTHORITY.value, Part.RECENCY.value)
    return score / (1 - score) * prod(pick.hit.parts.get(name, 1.0) for name in names)


def _newest(reader: Reader, chunks: Sequence[Chunk]) -> date | None:
    """Of the store; where no index tells it, of what was found."""
    if reader.arrays is not None:
        return derived(NewestDocument, reader.arrays).day
    return max(filter(None, map(updated, chunks)), default=None)


def _is_recent(chunk: Chunk, days: int, newest: date | None) -> bool:
    day = updated(chunk)
    return bool(day and newest and newest - day <= timedelta(days))
