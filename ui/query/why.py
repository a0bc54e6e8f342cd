"""Why a chunk is included in a context or left out: the core's reason, in the pages' words."""

from __future__ import annotations

from core import Workbench
from core.model import KnowledgeContext
from core.reasons import cause
from core.retrieve.explain.why import Why
from core.retrieve.explain.why import why as explained
from ui.locale.locale import retold
from ui.shared import services
from ui.shared.words import STAGES


def why(context: KnowledgeContext, chunk_id: str, workbench: Workbench) -> str:
    """One or two sentences: which stage included this chunk or left it out, and how to change that.

    Raises UnknownId when neither the context nor the store has such a chunk.
    """
    found = explained(context, chunk_id)
    if found.is_in:
        return f"Included: {retold(found.reason)}"
    if any(chunk_id in item.equals for item in context.chunks):
        return found.reason
    return _lost(found, context) or _never(found, workbench)


def _lost(found: Why, context: KnowledgeContext) -> str:
    """Put a reason in the pages' words, where the core uses the key of the cut."""
    for left in context.trace.left_out:
        if left.chunk_id == found.chunk_id:
            detail = found.reason.removeprefix(f"{left.cut}: ").removesuffix(".").strip("; ")
            because = f" ({retold(detail)})" if detail else ""
            why = cause(left.cut, left.setting)
            return f"Left out while {STAGES[found.stage]}: {why.said}{because}. {why.remedy}"
    return ""


def _never(found: Why, workbench: Workbench) -> str:
    services.shown(workbench, found.chunk_id)
    return f"{found.reason} Name it in the question, remove filters, or increase the depth."
