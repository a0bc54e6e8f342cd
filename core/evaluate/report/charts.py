"""Charts as inline SVG: no scripts, nothing loaded, all text escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.evaluate.results import SampleResult
from core.text.escape import html_text

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


def bars(title: str, rows: Sequence[Bar], *, top: float | None = None) -> str:
    """Horizontal bars from 0 to `top`, or to the largest value."""
    ends = [row.high if row.high is not None else row.value for row in rows]
    scale = (WIDTH - LABEL - 90) / (top or max(ends, default=0) or 1)
    drawn = "".join(_bar(row, place, scale) for place, row in enumerate(rows))
    height = ROW * len(rows) + 8
    name = html_text(title)
    return (
        f'<svg role="img" aria-label="{name}" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}"><title>{name}</title>{drawn}</svg>'
    )


def _bar(row: Bar, place: int, scale: float) -> str:
    y = place * ROW + 4
    width = max(0.0, row.value * scale)
    end = LABEL + max(width, (row.high or 0) * scale) + 8
    return (
        f'<text class="name" x="{LABEL - 8}" y="{y + 15}" text-anchor="end">'
        f"{html_text(row.name, 36)}</text>"
        f'<rect class="bar" x="{LABEL}" y="{y + 2}" width="{width:.1f}" height="{ROW - 10}"/>'
        f"{_whisker(row, y + ROW / 2 - 3, scale)}"
        f'<text class="value" x="{end:.1f}" y="{y + 15}">{html_text(row.text, 40)}</text>'
    )


def _whisker(row: Bar, y: float, scale: float) -> str:
    if row.low is None or row.high is None:
        return ""
    left, right = LABEL + row.low * scale, LABEL + row.high * scale
    ends = "".join(f"M{x:.1f} {y - 4}v8" for x in (left, right))
    return f'<path class="whisker" d="M{left:.1f} {y}H{right:.1f}{ends}"/>'


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
