"""What turns text into vectors: the protocol, and how one is opened by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


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


@runtime_checkable
class Paid(Protocol):
    """An embedder that somebody is paid for."""

    def cost(self, texts: int, tokens: int, /) -> str:
        """Who is asked for so much, and what it costs, in a sentence."""


def open_embedder(name: str, environment: Mapping[str, str]) -> Embedder:
    """The embedder of this name; nothing is loaded before the first `embed`."""
    if name == "static":
        from core.index.embed.static import shipped

        return shipped()
    if name == "minilm":
        from core.index.embed.minilm import MiniLmEmbedder

        return MiniLmEmbedder()
    if name == "openai":
        from core.index.embed.openai import OpenAIEmbedder

        return OpenAIEmbedder(environment)
    if name == "hash":
        from core.index.embed.hashed import HashEmbedder

        return HashEmbedder()
    raise ValueError(f"{name!r} is not an embedder")
