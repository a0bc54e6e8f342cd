"""What a caller may ask for, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST = 1_000


def checked_query(query: object) -> str:
    """The question without blanks around it; raises ValueError for none."""
    if not isinstance(query, str) or not query.strip():
        raise ValueError("Query cannot be empty")
    return query.strip()


def checked_top_k(top_k: int) -> int:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or not 1 <= top_k <= MOST:
        raise ValueError(f"top_k must be a whole number from 1 to {MOST:,}, not {top_k!r}")
    return top_k


def checked_min_score(min_score: float) -> float:
    is_number = isinstance(min_score, int | float) and not isinstance(min_score, bool)
    if not is_number or not 0 <= min_score <= 1:  # NaN as well
        raise ValueError(f"min_score must be a number from 0 to 1, not {min_score!r}")
    return min_score


def checked_vector(vector: Sequence[float], dimensions: int) -> None:
    """Raises ValueError for a vector that is of another store, or of none."""
    if len(vector) != dimensions:
        raise ValueError(f"Invalid dimension: {len(vector)}, expected {dimensions}")
    if not all(math.isfinite(number) for number in vector):
        raise ValueError("Invalid embedding: not every number is finite")
