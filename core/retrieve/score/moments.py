"""The mean of the scores of many rows, and how far they spread."""

from __future__ import annotations

from core.blocks import blocks
from core.retrieve.reader import Mask, RowScores


def moments(scores: RowScores, allowed: Mask | None) -> tuple[float, float]:
    """Mean and standard deviation over the rows that may be found; (0, 0) of none."""
    seen = scores if allowed is None else scores[allowed]
    if not len(seen):
        return 0.0, 0.0
    mean = seen.mean()
    away = (seen[rows] - mean for rows in blocks(len(seen)))
    squares = sum(float(part @ part) for part in away)
    return float(mean), float((squares / len(seen)) ** 0.5)
