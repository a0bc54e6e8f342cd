"""What every embedder does: texts in plain words, vectors of unit length."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

NORMALISER = "n1"  # raise it when `normalise` changes: vectors made before no longer compare

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PUNCTUATION = re.compile(r"[\W_]+")


def normalise(text: str) -> str:
    """Split camelCase, drop punctuation and underscores, collapse blanks.

    >>> normalise("POST /v1/userGroups/{group_id}")
    'POST v1 user Groups group id'
    """
    return _PUNCTUATION.sub(" ", _CAMEL.sub(" ", text)).strip()


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows at length one; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.divide(vectors, np.maximum(lengths, 1e-30), dtype=np.float32)
    return scaled
