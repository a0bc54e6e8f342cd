"""Vectors of unit length: a byte a number to search all rows, two bytes to be exact about a few."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.index.snapshot.arrays import Arrays, ArrayWriter
from core.index.snapshot.products import Quantised, cosines, quantise

Vectors = NDArray[np.float32]
Rows = int | slice | NDArray[np.intp]

NAME, BYTES, SCALES = "vectors", "vectors.bytes", "vectors.scales"
_ONE = 1 << 15  # steps from 0 to 1; a power of two keeps halves and quarters exact
_BLOCK = 8192  # rows converted at a time


class RowVectors:
    """The vectors of a read index by row, left on the disk until they are asked for."""

    def __init__(self, arrays: Arrays) -> None:
        self._packed: NDArray[np.int16] = arrays[NAME]
        self._arrays = arrays

    def __len__(self) -> int:
        """Rows."""
        return len(self._packed)

    def __getitem__(self, rows: Rows) -> Vectors:
        """Those of a row, of some, or of all with `[:]`, as exact as they are kept."""
        return unpack(self._packed[rows])

    def near(self, vectors: Vectors, *, threads: int = 1) -> Vectors:
        """(vectors, rows): cosines that are off by 0.0005 on average, and hardly ever by 0.005."""
        return cosines(self._bytes, vectors, threads=threads)

    def exact(self, rows: NDArray[np.intp], vectors: Vectors) -> Vectors:
        """(vectors, rows): cosines of some rows."""
        return dots(unpack(self._arrays.rows(NAME, rows)), vectors)

    @cached_property
    def _bytes(self) -> Quantised:
        """Made here where an older version wrote the read index."""
        if BYTES in self._arrays:
            return Quantised(self._arrays[BYTES], self._arrays[SCALES])
        made = [
            quantise(unpack(self._packed[start : start + _BLOCK]))
            for start in range(0, max(1, len(self)), _BLOCK)
        ]
        rows, scales = [each.rows for each in made], [each.scales for each in made]
        return Quantised(np.concatenate(rows), np.concatenate(scales))


def append(writer: ArrayWriter, vectors: Vectors) -> None:
    """Write more rows."""
    packed = pack(vectors)
    made = quantise(unpack(packed))
    writer.append(NAME, packed)
    writer.append(BYTES, made.rows)
    writer.append(SCALES, made.scales)


def pack(vectors: Vectors) -> NDArray[np.int16]:
    """Numbers from -1 to 1 in steps of 1/32768: cosines keep four to five decimals.

    What `unpack` gives is packed to the same again.
    """
    if np.abs(vectors).max(initial=0) > 1 + 1e-3:
        raise ValueError("a vector is longer than 1")
    return np.clip(np.rint(vectors * _ONE), -_ONE, _ONE - 1).astype(np.int16)


def unpack(packed: NDArray[np.int16]) -> Vectors:
    return np.multiply(packed, np.float32(1 / _ONE), dtype=np.float32)


def dots(rows: Vectors, vectors: Vectors) -> Vectors:
    """(vectors, rows): products row by row, so that equal rows score equal wherever they stand,
    unlike in a matrix product.

    It is no slower, and many threads do not wait for each other inside BLAS.
    """
    products: Vectors = np.vecdot(rows, vectors[:, None])
    return products
