"""What following gives where there are documents: history held back, both directions followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.index.graphs import Chunks
from core.model import Chunk, LeftOut
from core.reasons import CAUSES, Cut
from core.retrieve.follow.necessary import Use
from core.retrieve.follow.related_documents import related
from core.retrieve.follow.walk import Followed, Reference, Way
from core.retrieve.search.weigh_documents import held_back
from core.settings import Settings

_HOPS = 2  # along typed relations


def with_documents(
    references: Followed, primaries: Sequence[Chunk], reader: Chunks, settings: Settings
) -> Followed:
    """Without what is only found when it is asked for, and with what is related, by settings."""
    references = _kept(references, settings)
    if settings.direction == "both":
        references = _with_related(references, primaries, reader, settings)
    return references


def _kept(references: Followed, settings: Settings) -> Followed:
    """Without what is only found when it is asked for: superseded documents, code."""
    held = {
        r.chunk.id: s for r in references.references if (s := held_back(r.chunk, settings, None))
    }
    if not held:
        return references
    kept = tuple(each for each in references.references if each.chunk.id not in held)
    left_out = (
        LeftOut(
            each.chunk.id,
            Cut.FILTER,
            CAUSES[held[each.chunk.id]].said,
            depth=each.depth,
            via=each.via,
            setting=held[each.chunk.id],
        )
        for each in references.references
        if each.chunk.id in held
    )
    return replace(references, references=kept, left_out=(*references.left_out, *left_out))


def _with_related(
    references: Followed, primaries: Sequence[Chunk], reader: Chunks, settings: Settings
) -> Followed:
    """Also the documents that refer to the results, and what is related to both."""
    near = related(
        primaries,
        chunks=reader.chunks,
        settings=settings,
        max_distance=min(settings.max_depth, _HOPS),
        keep=lambda chunk: not held_back(chunk, settings, None),
    )
    known = {reference.chunk.id for reference in references.references}
    more = (
        Reference(
            each.chunk,
            each.distance,
            each.via,
            (each.relation,),
            (Way(each.distance, Use.NEEDED, 1 << each.start),),
            relevance=each.score,
        )
        for each in near
        if each.chunk.id not in known
    )
    return replace(references, references=(*references.references, *more))
