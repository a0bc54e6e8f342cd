"""The second model with what it was asked lately, shared by all questions of a process."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from core.index.embed.embedder import Embedder

_KEPT = 8192  # texts: 12 MB
_SAMPLE, _RUNS = 16, 3  # texts that the pace is measured with, and how often
_TEXT = (
    "GET /users/{{userId}}/orders/{0} List the orders of a user. Returns the orders that a user "
    "has placed, newest first. userId status limit cursor Order id total currency createdAt"
)


class SecondModel:
    """An embedder that remembers; safe to share between threads."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @cached_property
    def pace(self) -> int:
        """Texts a second on this machine, measured once; raises EmbeddingError."""
        return measured(self._embedder)

    @property
    def embedder(self) -> Embedder:
        """The model itself, which remembers nothing: for whoever embeds a whole store."""
        return self._embedder

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """(texts, dimensions), each of unit length; raises EmbeddingError."""
        found = self._remembered(texts)
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found |= self._remember(new, self._embedder.embed(new))
        return np.array([found[text] for text in texts], np.float32).reshape(-1, self.dimensions)

    def _remembered(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        with self._lock:
            found = {text: self._vectors[text] for text in texts if text in self._vectors}
            for text in found:
                self._vectors.move_to_end(text)
            return found

    def _remember(
        self, texts: Sequence[str], vectors: NDArray[np.float32]
    ) -> dict[str, NDArray[np.float32]]:
        made = dict(zip(texts, vectors, strict=True))
        with self._lock:
            self._vectors |= made
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)
        return made


@cache
def shared() -> SecondModel:
    """The one of this process: the model takes 60 MB, and what it remembers is of use to all."""
    from core.index.embed.minilm import MiniLmEmbedder

    return SecondModel(MiniLmEmbedder())


def measured(embedder: Embedder, *, clock: Callable[[], float] = time.perf_counter) -> int:
    """How many texts of the usual length the model embeds in a second, at its best of a few runs.

    Raises EmbeddingError.
    """
    embedder.embed(["open the model, which is not to be measured"])
    best = float("inf")
    for run in range(_RUNS):
        texts = [_TEXT.format(run * _SAMPLE + at) for at in range(_SAMPLE)]
        began = clock()
        embedder.embed(texts)
        best = min(best, clock() - began)
    return max(1, round(_SAMPLE / max(best, 1e-6)))
