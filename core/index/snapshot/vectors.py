"""Vectors of unit length: two bytes a number on disk, and their products."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

_ONE = 1 << 15  # steps from 0 to 1; a power of two keeps halves and quarters exact
_BLOCK = 8192  # rows converted at a time


def pack(vectors: Vectors) -> NDArray[np.int16]:
    """Numbers from -1 to 1 in steps of 1/32768: cosines keep four to five decimals.

    What `unpack` gives is packed to the same again.
    """
    if np.abs(vectors).max(initial=0) > 1 + 1e-3:
        raise ValueError("a vector is longer than 1")
    return np.clip(np.rint(vectors * _ONE), -_ONE, _ONE - 1).astype(np.int16)


def unpack(packed: NDArray[np.int16]) -> Vectors:
    vectors = np.empty(packed.shape, np.float32)
    for start in range(0, len(packed), _BLOCK):
        part = slice(start, start + _BLOCK)
        np.multiply(packed[part], np.float32(1 / _ONE), out=vectors[part], dtype=np.float32)
    vectors.flags.writeable = False
    return vectors


def dot(rows: Vectors, vector: Vectors) -> Vectors:
    """Products row by row: equal rows score equal wherever they stand, unlike in a matrix product.

    It is no slower, and many threads do not wait for each other inside BLAS.
    """
    products: Vectors = np.vecdot(rows, vector)
    return products
