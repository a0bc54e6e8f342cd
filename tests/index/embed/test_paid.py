"""What was paid for is kept until it is stored, whatever ends the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import EmbeddingError
from core.index.embed import paid
from core.index.embed.embedder import Paid
from core.index.embed.hashed import HashEmbedder
from core.index.embed.paid import NAME, PaidOnce

FREE = HashEmbedder()


class Priced(HashEmbedder):
    """Ends with an error once it was asked for so many batches."""

    def __init__(self, batches: int = 1_000) -> None:
        super().__init__()
        self.batches = batches
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        if not self.batches:
            raise EmbeddingError("The quota is used up.")
        self.batches -= 1
        self.asked += texts
        return super().embed(texts)

    def cost(self, texts: int, tokens: int, /) -> str:
        return f"{texts} texts, {tokens} tokens."


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paid, "_BATCH", 2)


@pytest.mark.thorough
@given(texts=st.lists(st.text(max_size=3)))
def test_the_vectors_are_the_embedders_own(
    texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    asked = PaidOnce(of := Priced(), tmp_path_factory.mktemp("paid"))
    for _ in range(2):
        assert np.array_equal(asked.embed(texts), FREE.embed(texts))
    assert sorted(of.asked) == sorted(set(texts))


def test_what_fails_leaves_what_was_paid_for_to_the_next_run(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError):
        PaidOnce(Priced(batches=2), tmp_path).embed(["a", "b", "c", "d", "e"])
    later = PaidOnce(of := Priced(), tmp_path)
    assert later.lacking(["a", "e", "e"]) == ["e"]
    assert np.array_equal(later.embed(["e", "a", "d"]), FREE.embed(["e", "a", "d"]))
    assert of.asked == ["e"]
    later.forget()
    assert list(tmp_path.iterdir()) == []
    assert later.lacking(["a"]) == ["a"]


def test_another_embedder_is_asked_for_itself(tmp_path: Path) -> None:
    class Other(Priced):
        fingerprint = "other:1"

    PaidOnce(Priced(), tmp_path).embed(["a"])
    assert PaidOnce(Other(), tmp_path).lacking(["a"]) == ["a"]


def test_what_the_store_has_is_not_asked_for(tmp_path: Path) -> None:
    stored = {"a": np.arange(FREE.dimensions, dtype=np.float32)}
    asked = PaidOnce(of := Priced(), tmp_path, stored.get)
    assert np.array_equal(asked.embed(["b", "a"])[1], stored["a"])
    assert of.asked == ["b"]


def test_it_costs_what_the_other_costs_and_keeps_no_text(tmp_path: Path) -> None:
    asked = PaidOnce(Priced(), tmp_path)
    assert isinstance(asked, Paid)
    assert asked.cost(2, 30) == "2 texts, 30 tokens."
    assert (asked.fingerprint, asked.dimensions) == (FREE.fingerprint, FREE.dimensions)
    asked.embed(["a secret text"])
    assert (tmp_path / NAME).exists()
    assert b"secret" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
