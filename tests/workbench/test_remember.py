from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.errors import EmbeddingError
from core.workbench.cache import Cache
from core.workbench.remember import Vectors, remembering


class Lengths:
    """Embeds a text as its length, and notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text)] for text in texts], np.float32)


def test_a_text_is_embedded_once() -> None:
    embed, cache = Lengths(), Cache[Vectors]()
    remembered = remembering(embed, cache, ttl_s=60, size=10)
    assert remembered(["a", "bb"]).tolist() == [[1], [2]]
    assert remembered(["bb", "ccc", "a"]).tolist() == [[2], [3], [1]]
    assert remembered(["a"]).dtype == np.float32
    assert embed.asked == ["a", "bb", "ccc"]


def test_with_a_size_of_zero_every_text_is_embedded() -> None:
    embed = Lengths()
    remembered = remembering(embed, Cache(), ttl_s=60, size=0)
    for _ in range(2):
        remembered(["a"])
    assert embed.asked == ["a", "a"]


def test_a_failure_is_not_remembered() -> None:
    def failing(_: Sequence[str]) -> Vectors:
        raise EmbeddingError("no")

    cache: Cache[Vectors] = Cache()
    with pytest.raises(EmbeddingError):
        remembering(failing, cache, ttl_s=60, size=10)(["a"])
    assert remembering(Lengths(), cache, ttl_s=60, size=10)(["a"]).tolist() == [[1]]
