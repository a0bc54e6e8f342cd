"""What a caller may ask for, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real

MOST = 1_000


def checked_query(query: object) -> str:
    """The question without blanks around it; raises ValueError for none."""
    if not isinstance(query, str) or not query.strip():
        raise ValueError("Query cannot be empty")
    return query.strip()


def checked_queries(queries: object) -> list[str]:
    """Each question as `checked_query` gives it; raises ValueError for one text, which is many
    questions of a letter."""
    if isinstance(queries, str | bytes) or not isinstance(queries, Iterable):
        raise ValueError(f"queries must be a list of texts, not {queries!r}")
    return [checked_query(query) for query in queries]


def checked_language(language: object) -> str:
    """As filters have it, in small letters."""
    return _named(language, "language must be the name of one").lower()


def checked_path(file_path: object) -> str:
    return _named(file_path, "file_path must be a path")


def _named(value: object, must: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{must}, not {value!r}")
    return value.strip()


def checked_filter(filter_metadata: object) -> None:
    if filter_metadata is not None and not isinstance(filter_metadata, Mapping):
        raise ValueError(f"filter_metadata must be a mapping, not {filter_metadata!r}")


def checked_top_k(top_k: object) -> int:
    is_flag = isinstance(top_k, bool)
    number = int(top_k) if isinstance(top_k, Integral) and not is_flag else 0  # numpy's as well
    if not 1 <= number <= MOST:
        raise ValueError(f"top_k must be a whole number from 1 to {MOST:,}, not {top_k!r}")
    return number


def checked_min_score(min_score: object) -> float:
    is_flag = isinstance(min_score, bool)
    number = float(min_score) if isinstance(min_score, Real) and not is_flag else math.nan
    if not 0 <= number <= 1:  # NaN as well
        raise ValueError(f"min_score must be a number from 0 to 1, not {min_score!r}")
    return number


def checked_vector(vector: Sequence[float], dimensions: int) -> None:
    """Raises ValueError for a vector that is of another store, or of none."""
    if isinstance(vector, str | bytes) or not hasattr(vector, "__len__"):
        kind = type(vector).__name__
        raise ValueError(f"Invalid embedding: a sequence of numbers is needed, not {kind}")
    if len(vector) != dimensions:
        raise ValueError(f"Invalid dimension: {len(vector)}, expected {dimensions}")
    if not all(map(_is_finite, vector)):
        raise ValueError("Invalid embedding: not every number is finite")


def _is_finite(number: object) -> bool:
    try:
        return math.isfinite(number)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):  # no number, or one that no float can hold
        return False
