"""What would take missed labels in, in words: in the terminal, in reports and on the pages."""

from __future__ import annotations

from collections.abc import Mapping

from core.evaluate.results import CauseRemedy, Miss, Remedy
from core.model import JSON
from core.settings import KNOB

SAID = {  # of settings whose names say less than these words
    "max_primary_results": "{:,} results",
    "max_total_chunks": "{:,} chunks",
    "token_limit": "a limit of {:,} tokens",
    "max_depth": "depth {}",
    "min_score": "minimum score {:g}",
    "per_resource": "{} results per resource",
}


def settings_said(changes: Mapping[str, JSON]) -> str:
    """`45 results and minimum score 0.2`."""
    *head, last = [_said(name, value) for name, value in changes.items()] or [""]
    return f"{', '.join(head)} and {last}" if head else last


def remedy_said(remedy: Remedy) -> str:
    """`45 results, +3,100 tokens`."""
    return f"{settings_said(remedy.changes)}, {tokens_said(remedy.tokens)}"


def miss_said(miss: Miss) -> str:
    """Its numbers, and what would take it in: `rank 41: 45 results, +3,100 tokens`."""
    remedy = remedy_said(miss.remedy) if miss.remedy else ""
    return ": ".join(filter(None, (miss.detail, remedy)))


def cause_said(found: CauseRemedy) -> str:
    """`9 of 22 with 12 results, +640 tokens a question`."""
    taken = f"{found.taken:,} of {found.of:,}"
    return f"{taken} with {settings_said(found.changes)}, {tokens_said(found.tokens)} a question"


def tokens_said(tokens: float) -> str:
    """`+3,100 tokens`, `−200 tokens`, `no more tokens`."""
    more = round(tokens)
    if not more:
        return "no more tokens"
    return f"{'+' if more > 0 else '−'}{abs(more):,} {'token' if abs(more) == 1 else 'tokens'}"


def _said(name: str, value: JSON) -> str:
    if name in SAID:
        return SAID[name].format(value)
    word = {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value
    label = KNOB[name].label if name in KNOB else name
    return f"{label[:1].lower()}{label[1:]} {word}"
