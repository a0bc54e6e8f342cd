from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import EmbeddingError
from core.index.embed.embedder import open_embedder
from core.index.embed.minilm import MiniLmEmbedder

EMBEDDER = MiniLmEmbedder()
TEXTS = [f"GET /v1/orders/{n} list the orders of a shop" for n in range(12)]


def test_the_shipped_files_are_those_that_its_name_says() -> None:
    embedder = MiniLmEmbedder()
    assert f":{embedder.content()}:" in embedder.fingerprint


def test_vectors_have_unit_length_and_depend_on_their_text_alone() -> None:
    together = EMBEDDER.embed(TEXTS)
    assert together.shape == (12, EMBEDDER.dimensions)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert np.array_equal(together[3], EMBEDDER.embed([TEXTS[3]])[0])


def test_what_means_the_same_is_near() -> None:
    query, near, far = EMBEDDER.embed(
        ["give a customer the money back", "POST /refunds create a refund", "GET /weather forecast"]
    )
    assert query @ near > query @ far + 0.2


def test_a_text_without_a_word_has_no_direction() -> None:
    assert not EMBEDDER.embed(["", "///"]).any()
    assert EMBEDDER.embed([]).shape == (0, EMBEDDER.dimensions)


def test_it_opens_by_name() -> None:
    assert open_embedder("minilm", {}).fingerprint.startswith("minilm:apiminilm-6-int8:")


def test_a_missing_model_is_an_error_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="cannot be loaded"):
        MiniLmEmbedder(tmp_path).embed(["x"])
