"""Words hashed to directions: an embedder for tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from core.index.embed.normal import NORMALISER, normalise, unit


class HashEmbedder:
    """Words hashed to signed directions: no model, equal on every machine. For tests."""

    dimensions = 256

    @property
    def fingerprint(self) -> str:
        return f"hash:{NORMALISER}:{self.dimensions}"

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in normalise(text).lower().split():
                index, sign = _direction(word, self.dimensions)
                row[index] += sign
        return unit(vectors)


@lru_cache(maxsize=65_536)
def _direction(word: str, dimensions: int) -> tuple[int, float]:
    number = int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
    return number // 2 % dimensions, 1.0 if number % 2 else -1.0
