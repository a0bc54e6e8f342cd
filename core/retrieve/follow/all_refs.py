"""Everything that a chunk refers to, directly and through others, whether needed or not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping

from core.model import Chunk

_LOG = logging.getLogger("specloupe.retrieve")

Chunks = Callable[[Collection[str]], Mapping[str, Chunk]]


def all_refs(start: Chunk, chunks: Chunks, *, max_depth: int) -> tuple[Chunk, ...]:
    """The start, then breadth first what it refers to within so many steps, each once.

    One that is not there is left out, and a warning says so.
    """
    found, level = {start.id: start}, [start]
    for _ in range(max_depth):
        wanted = [id for chunk in level for id in chunk.ref_ids if id not in found]
        there = chunks(list(dict.fromkeys(wanted)))
        for id in dict.fromkeys(wanted):
            if id not in there:
                _LOG.warning("A reference points to %s, which is not in the store.", id)
        level = [there[id] for id in dict.fromkeys(wanted) if id in there]
        if not level:
            break
        found |= {chunk.id: chunk for chunk in level}
    return tuple(found.values())
