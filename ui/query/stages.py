"""Where the time went: one bar with a segment per stage."""

from __future__ import annotations

from collections.abc import Mapping

from core.counts import milliseconds
from core.text.markup import Markup, join, tag
from ui.locale.locale import amount

_COLOURS = 8  # in the style sheet: one for each stage of a retrieval


def stage_bar(milliseconds: Mapping[str, float]) -> Markup:
    """Each stage's share of the whole; `total` is the length of the bar and not a stage."""
    stages = [(name, ms) for name, ms in milliseconds.items() if name != "total"]
    total = max(milliseconds.get("total", 0.0), sum(ms for _, ms in stages))
    if not total:
        return Markup()
    bar = tag(
        "div",
        join(_segment(i, ms / total) for i, (_, ms) in enumerate(stages)),
        class_="sl-stagebar",
    )
    legend = tag(
        "dl", join(_entry(i, name, ms) for i, (name, ms) in enumerate(stages)), class_="sl-stages"
    )
    return tag("figure", bar, legend, class_="sl-figure")


def _segment(index: int, share: float) -> Markup:
    return tag("span", class_=f"sl-stage-{index % _COLOURS}", style=f"width:{100 * share:.2f}%")


def _entry(index: int, name: str, ms: float) -> Markup:
    swatch = tag("span", class_=f"sl-swatch sl-stage-{index % _COLOURS}")
    words = name.replace("_", " ").replace("apis", "APIs")
    return tag("div", tag("dt", swatch, words), tag("dd", milliseconds(ms, amount)))
