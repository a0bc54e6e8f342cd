"""Why one chunk is, or is not, in a context, read from its trace."""

from __future__ import annotations

from core import Workbench
from core.errors import UnknownId
from core.model import KnowledgeContext, LeftOut
from ui import services
from ui.words import CUTS, REMEDIES, steps


def why(context: KnowledgeContext, chunk_id: str, workbench: Workbench) -> str:
    """One or two sentences: the stage that kept or lost this chunk, and what would change it.

    Raises UnknownId when the store has no such chunk.
    """
    for item in context.chunks:
        if chunk_id == item.chunk.id:
            return (
                f"It is in: result {item.rank} with a score of {item.score:.2f}."
                if item.is_primary
                else f"It is in: {item.via[-1]} refers to it, {steps(item.depth)} from a result."
            )
    lost = [_lost(left) for left in context.trace.left_out if chunk_id == left.chunk_id]
    if lost:
        return " ".join(dict.fromkeys(lost))
    try:
        services.shown(workbench, chunk_id)
    except UnknownId:
        if any(hit.chunk_id == chunk_id for hit in context.trace.hits):
            return "It was a candidate of the search, and has left the store since."
        raise
    return _never(context, chunk_id)


def _lost(left: LeftOut) -> str:
    stage = f"following references, {steps(left.depth)} deep" if left.via else "the search"
    detail = f" ({left.detail})" if left.detail else ""
    return f"Lost in {stage}: {CUTS[left.cut]}{detail}. {REMEDIES[left.cut]}"


def _never(context: KnowledgeContext, chunk_id: str) -> str:
    if any(hit.chunk_id == chunk_id for hit in context.trace.hits):
        return "It was a candidate of the search, below the number of results. Ask for more."
    return (
        "It was never considered: the search did not find it among its candidates, and no result "
        "leads to it within the depth. Name it in the question, drop the filters, or follow deeper."
    )
