"""The tokens used as one stacked bar, a segment per chunk, with what did not fit past the limit."""

from __future__ import annotations

from core.model import ContextChunk, KnowledgeContext, LeftOut
from core.reasons import Cut
from core.text.markup import Markup, join, tag
from ui.locale.locale import amount
from ui.shared.kinds import kind_of_id, short_name

NAMED = 0.045  # share from which a segment has room for a name
BEYOND = 0.18  # share of the bar's width, past the budget, that shows what did not fit


def token_bar(context: KnowledgeContext, *, budget: int) -> Markup:
    """Each chunk's share of `budget` tokens, primaries first, then what the limit left out."""
    scale = max(budget, context.total_tokens) * (1 + BEYOND)
    cut = [left for left in context.trace.left_out if left.cut is Cut.TOKEN_LIMIT and left.tokens]
    edge, limit = 100 * budget / scale, f"limit {amount(budget)}"
    taken = join(_segment(item, scale) for item in context.chunks)
    bar = tag(
        "div",
        tag("div", taken, class_="sl-taken"),
        tag("div", _overflow(cut, scale), class_="sl-cut", style=f"left:{edge:.2f}%"),
        tag("div", class_="sl-edge", style=f"left:{edge:.2f}%", title=limit),
        class_="sl-tokenbar",
        role="img",
        aria_label=_sentence(context, budget, len(cut)),
    )
    mark = tag("div", limit, class_="sl-limit", style=f"margin-right:{100 - edge:.2f}%")
    return tag("figure", mark, bar, tag("figcaption", _sentence(context, budget, len(cut))))


def _segment(item: ContextChunk, scale: float) -> Markup:
    place = "primary" if item.is_primary else "reference"
    share = item.tokens / scale
    return tag(
        "span",
        short_name(item.chunk.id) if share > NAMED else "",
        class_=f"sl-segment sl-{place} kind-{kind_of_id(item.chunk.id).key}",
        style=f"width:{100 * share:.2f}%",
        title=f"{item.chunk.id}\n{amount(item.tokens)} tokens, {item.level}",
    )


def _overflow(cut: list[LeftOut], scale: float) -> Markup:
    return join(
        tag(
            "span",
            class_=f"sl-segment kind-{kind_of_id(left.chunk_id).key}",
            style=f"width:{100 * left.tokens / scale:.2f}cqw",
            title=f"{left.chunk_id}\nwould have cost {amount(left.tokens)} tokens",
        )
        for left in cut
    )


def _sentence(context: KnowledgeContext, budget: int, cut: int) -> str:
    used = f"{amount(context.total_tokens)} of {amount(budget)} tokens"
    spent = sum(item.tokens for item in context.primary_chunks)
    rest = amount(context.total_tokens - spent)
    split = f"{amount(spent)} for results, {rest} for what they refer to"
    lost = f"; {cut} more did not fit" if cut else ""
    return f"{used}: {split}{lost}." if context.chunks else f"{used}."
