"""What turns text into vectors: the protocol, the normaliser, and how one is opened by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

NORMALISER = "n1"  # raise it when `normalise` changes: vectors made before no longer compare

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PUNCTUATION = re.compile(r"[\W_]+")


class Embedder(Protocol):
    """Four implementations: static and minilm (embedded), openai, and hash (for tests)."""

    @property
    def fingerprint(self) -> str:
        """Name, model content, normaliser and dimensions: equal ones make comparable vectors."""

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """One row a text, of unit length; all zeros for a text without a word.

        A row depends on its text alone. Raises EmbeddingError.
        """


def normalise(text: str) -> str:
    """Split camelCase, drop punctuation and underscores, collapse blanks.

    >>> normalise("POST /v1/userGroups/{group_id}")
    'POST v1 user Groups group id'
    """
    return _PUNCTUATION.sub(" ", _CAMEL.sub(" ", text)).strip()


def open_embedder(name: str, environment: Mapping[str, str]) -> Embedder:
    """The embedder of this name; nothing is loaded before the first `embed`."""
    if name == "static":
        from core.index.embed.static import StaticEmbedder

        return StaticEmbedder()
    if name == "minilm":
        from core.index.embed.minilm import MiniLmEmbedder

        return MiniLmEmbedder()
    if name == "openai":
        from core.index.embed.openai import OpenAIEmbedder

        return OpenAIEmbedder(environment)
    if name == "hash":
        return HashEmbedder()
    raise ValueError(f"{name!r} is no embedder")


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


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows at length one; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.divide(vectors, np.maximum(lengths, 1e-30), dtype=np.float32)
    return scaled


@lru_cache(maxsize=65_536)
def _direction(word: str, dimensions: int) -> tuple[int, float]:
    number = int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
    return number // 2 % dimensions, 1.0 if number % 2 else -1.0
