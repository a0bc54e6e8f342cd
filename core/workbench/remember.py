"""Embedding a text that was embedded before: from the cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.workbench.cache import Cache

Vectors: TypeAlias = NDArray[np.float32]
Embed: TypeAlias = Callable[[Sequence[str]], Vectors]


def remembering(embed: Embed, cache: Cache[Vectors], *, ttl_s: float, size: int) -> Embed:
    """The same embedding, which asks only for texts that the cache does not know.

    A cache serves one embedder.
    """

    def embedded(texts: Sequence[str]) -> Vectors:
        vectors = {text: cache.get(text, ttl_s=ttl_s) for text in dict.fromkeys(texts)}
        new = [text for text, vector in vectors.items() if vector is None]
        for text, vector in zip(new, embed(new) if new else (), strict=True):
            vectors[text] = vector
            cache.put(text, vector, size=size)
        return np.array([vectors[text] for text in texts], np.float32)

    return embedded
