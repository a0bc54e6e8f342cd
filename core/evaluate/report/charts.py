"""Charts as inline SVG: no scripts, nothing loaded, all text escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.evaluate.results import SampleResult
from core.text.markup import Markup, join, tag
from core.text.safe import one_line

LONGEST = 2_000  # characters of one text in a report
WIDTH = 640
LABEL = 210  # of WIDTH, for the names at the left
ROW = 26
BUCKETS = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 20), (21, 10**9))


@dataclass(frozen=True, slots=True)
class Bar:
    """One named length; `low` and `high` draw an interval around its end."""

    name: str
    value: float
    text: str  # after the bar
    low: float | None = None
    high: float | None = None


def bars(title: str, rows: Sequence[Bar], *, top: float | None = None) -> Markup:
    """Horizontal bars from 0 to `top`, or to the largest value."""
    ends = [row.high if row.high is not None else row.value for row in rows]
    scale = (WIDTH - LABEL - 90) / (top or max(ends, default=0) or 1)
    drawn = (_bar(row, place, scale) for place, row in enumerate(rows))
    height = f"{ROW * len(rows) + 8}"
    size = {"viewBox": f"0 0 {WIDTH} {height}", "width": f"{WIDTH}", "height": height}
    name = one_line(title, LONGEST)
    return tag("svg", tag("title", name), *drawn, role="img", aria_label=name, **size)


def _bar(row: Bar, place: int, scale: float) -> Markup:
    y = place * ROW + 4
    width = max(0.0, row.value * scale)
    end = LABEL + max(width, (row.high or 0) * scale) + 8
    line, size = f"{y + 15}", {"width": f"{width:.1f}", "height": f"{ROW - 10}"}
    name, text = one_line(row.name, 36), one_line(row.text, 40)
    return join(
        (
            tag("text", name, class_="name", x=f"{LABEL - 8}", y=line, text_anchor="end"),
            tag("rect", class_="bar", x=f"{LABEL}", y=f"{y + 2}", **size),
            _whisker(row, y + ROW / 2 - 3, scale),
            tag("text", text, class_="value", x=f"{end:.1f}", y=line),
        )
    )


def _whisker(row: Bar, y: float, scale: float) -> Markup:
    if row.low is None or row.high is None:
        return Markup()
    left, right = LABEL + row.low * scale, LABEL + row.high * scale
    ends = "".join(f"M{x:.1f} {y - 4}v8" for x in (left, right))
    return tag("path", class_="whisker", d=f"M{left:.1f} {y}H{right:.1f}{ends}")


def rank_counts(samples: Sequence[SampleResult]) -> Mapping[str, int]:
    """How many labels have each rank; the last entry counts those that are not ranked.

    Beyond the candidates, the ranks are those of the deeper search that misses were looked up in.
    """
    ranks = [sample.known_rank(group) for sample in samples for group in sample.gold]
    counts = {_bucket(a, b): sum(a <= rank <= b for rank in ranks) for a, b in BUCKETS}
    return {**counts, "not found": ranks.count(0)}


def _bucket(first: int, last: int) -> str:
    if first == last:
        return f"rank {first}"
    return f"rank {first} – {last}" if last < 10**9 else f"rank {first} or more"
