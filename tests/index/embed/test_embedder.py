"""The embedders: unit length, one text at a time, and errors that say what to do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.openai_double import KEY, FakeOpenAI, serving

from core.errors import EmbeddingError, SettingsError
from core.index.embed.embedder import Embedder, open_embedder
from core.index.embed.hashed import HashEmbedder
from core.index.embed.normal import normalise
from core.index.embed.openai import OpenAIEmbedder
from core.index.embed.static import MODEL, StaticEmbedder

STATIC = StaticEmbedder()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("POST /v1/userGroups/{group_id}", "POST v1 user Groups group id"),
        ("HTTPServer", "HTTP Server"),
        ("oauth2Token", "oauth2 Token"),
        ("  a\n\t b  ", "a b"),
        ("Über-größe", "Über größe"),
        ("/{}[]__", ""),
    ],
    ids=["path", "acronym", "digit", "blanks", "unicode", "nothing"],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize("embedder", [STATIC, HashEmbedder()], ids=["static", "hash"])
class TestLocal:
    def test_rows_have_unit_length_or_are_zero(self, embedder: Embedder) -> None:
        vectors = embedder.embed(["create a user", "", "/{}", "GET /pets"])
        assert vectors.dtype == np.float32
        assert vectors.shape == (4, embedder.dimensions)
        assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 1], abs=1e-5)

    def test_a_row_depends_on_its_text_alone(self, embedder: Embedder) -> None:
        texts = ["list all users", "refund a charge now", "pets"] * 500
        together = embedder.embed(texts)
        assert np.array_equal(together[:3], np.vstack([embedder.embed([t]) for t in texts[:3]]))
        assert np.array_equal(together[:3], together[-3:])

    def test_no_texts(self, embedder: Embedder) -> None:
        assert embedder.embed([]).shape == (0, embedder.dimensions)

    def test_spelling_of_code_does_not_matter(self, embedder: Embedder) -> None:
        one, other = embedder.embed(["userGroups/{id}", "user_Groups id"])
        assert np.array_equal(one, other)

    def test_likeness_shows(self, embedder: Embedder) -> None:
        query, near, far = embedder.embed(
            ["create a user", "POST /users create user", "DELETE /invoices/{id} void an invoice"]
        )
        assert query @ near > query @ far + 0.2


def test_fingerprint_names_model_content_normaliser_and_dimensions() -> None:
    assert STATIC.fingerprint == "static:apistatic-256-int8:4e754abfb501:n1:256"


def test_another_content_has_another_fingerprint(tmp_path: Path) -> None:
    for file in MODEL.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "tokenizer.json").write_bytes(b"{}")
    assert StaticEmbedder(tmp_path).fingerprint.split(":")[2] != STATIC.fingerprint.split(":")[2]


def test_vectors_are_those_of_model2vec_to_the_bit() -> None:
    from model2vec.model import StaticModel
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    model = StaticModel(
        load((MODEL / "model.safetensors").read_bytes())["embeddings"],
        Tokenizer.from_file(str(MODEL / "tokenizer.json")),
        normalize=True,
        max_length=512,
    )
    texts = ["", "POST /users", "create a user", "名前 \U0001f600 user", "word " * 600, "a" * 9000]
    expected = np.vstack([model.encode([normalise(text)]) for text in texts])
    assert np.array_equal(STATIC.embed(texts), expected)


def test_a_missing_model_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"config\.json: No such file.*again"):
        StaticEmbedder(tmp_path / "nowhere").embed(["x"])


def test_a_broken_model_is_one_sentence(tmp_path: Path) -> None:
    for file in MODEL.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(EmbeddingError, match="cannot be loaded"):
        StaticEmbedder(tmp_path).embed(["x"])


def test_open_by_name() -> None:
    names = {name: type(open_embedder(name, {})).__name__ for name in ("static", "openai", "hash")}
    assert names == {"static": "StaticEmbedder", "openai": "OpenAIEmbedder", "hash": "HashEmbedder"}
    with pytest.raises(ValueError, match="not an embedder"):
        open_embedder("other", {})


@pytest.fixture
def service() -> Iterator[FakeOpenAI]:
    with serving(FakeOpenAI()) as fake:
        yield fake


@pytest.fixture
def openai(service: FakeOpenAI) -> Callable[..., OpenAIEmbedder]:
    def make(retries: int = 2, **environment: str) -> OpenAIEmbedder:
        values = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": service.url, **environment}
        return OpenAIEmbedder(values, retries=retries)

    return make


@pytest.mark.thorough
def test_what_passes_is_tried_again_after_growing_pauses_that_differ(
    openai: Callable[..., OpenAIEmbedder],
    service: FakeOpenAI,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("openai._base_client.time.sleep", pauses.append)
    service.retry_after = ""
    for _ in range(3):
        service.failures = [429, 500, 503]
        assert openai(retries=3).embed(["a"]).shape == (1, 1536)
    first, second, third = pauses[::3], pauses[1::3], pauses[2::3]
    assert max(first) < min(second)
    assert max(second) < min(third)
    assert len({*pauses}) == 9  # none as long as another: many clients do not come back at once


@pytest.mark.thorough
def test_openai_embeds_in_batches_and_in_order(
    openai: Callable[..., OpenAIEmbedder], service: FakeOpenAI
) -> None:
    texts = ["x" * (1 + n % 7) for n in range(300)]
    vectors = openai().embed([*texts, "", "{}"])
    assert [len(request["input"]) for request in service.requests] == [256, 44]
    assert vectors.shape == (302, 1536)
    assert np.linalg.norm(vectors[:300], axis=1) == pytest.approx(1.0, abs=1e-5)
    assert not vectors[300:].any()
    first = vectors[:300, 0] / vectors[:300, 1]  # the fake puts the length there
    assert first == pytest.approx([len(text) for text in texts], rel=1e-4)
    assert service.last_key == f"Bearer {KEY}"


def test_openai_asks_for_fewer_dimensions(
    openai: Callable[..., OpenAIEmbedder], service: FakeOpenAI
) -> None:
    embedder = openai(OPENAI_EMBEDDING_DIMENSIONS="64")
    assert embedder.embed(["x"]).shape == (1, 64)
    assert embedder.fingerprint == "openai:text-embedding-3-small:n1:64"
    assert service.requests[0]["dimensions"] == 64


def test_openai_learns_the_dimensions_of_an_unknown_model(
    openai: Callable[..., OpenAIEmbedder], service: FakeOpenAI
) -> None:
    service.dimensions = 48
    embedder = openai(OPENAI_EMBEDDING_MODEL="mine")
    assert embedder.fingerprint == "openai:mine:n1:48"
    assert "dimensions" not in service.requests[0]


def test_openai_tries_again(openai: Callable[..., OpenAIEmbedder], service: FakeOpenAI) -> None:
    service.failures = [429, 500]
    assert openai().embed(["x"]).any()


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (401, "does not accept the key .* check OPENAI_API_KEY"),
        (404, "has no embedding model 'text-embedding-3-small': check OPENAI_EMBEDDING_MODEL"),
        (429, "check the quota"),
        (400, r"refused the text .*status 400.*check OPENAI_EMBEDDING_MODEL"),
        (500, r"status 500.*try again later"),
    ],
)
def test_openai_errors_are_sentences_without_the_key(
    openai: Callable[..., OpenAIEmbedder], service: FakeOpenAI, status: int, sentence: str
) -> None:
    service.failures = [status]
    with pytest.raises(EmbeddingError, match=sentence) as caught:
        openai(retries=0).embed(["x"])
    assert KEY not in str(caught.value)


def test_openai_wrong_dimensions_are_refused(
    openai: Callable[..., OpenAIEmbedder], service: FakeOpenAI
) -> None:
    service.dimensions = 8
    with pytest.raises(EmbeddingError, match=r"1 vectors of 8 dimensions.*1536"):
        openai().embed(["x"])


def test_openai_without_a_key() -> None:
    with pytest.raises(EmbeddingError, match=r"set OPENAI_API_KEY.*EMBEDDER=static"):
        OpenAIEmbedder({}).embed(["x"])


def test_openai_out_of_reach() -> None:
    environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://me:pw@127.0.0.1:9/v1"}
    with pytest.raises(EmbeddingError, match=r"^127\.0\.0\.1 cannot be reached") as caught:
        OpenAIEmbedder(environment, retries=0).embed(["x"])
    assert "pw" not in str(caught.value)


def test_openai_dimensions_must_be_a_number() -> None:
    with pytest.raises(SettingsError, match="OPENAI_EMBEDDING_DIMENSIONS"):
        OpenAIEmbedder({"OPENAI_EMBEDDING_DIMENSIONS": "many"})


def test_the_key_is_nowhere_to_be_read() -> None:
    embedder = OpenAIEmbedder({"OPENAI_API_KEY": KEY})
    assert KEY not in f"{embedder!r}{embedder}{embedder.fingerprint}"


def _vectors(*rows: list[Any], indices: tuple[Any, ...] = (0, 1)) -> bytes:
    data = [{"object": "embedding", "index": i, "embedding": r} for i, r in zip(indices, rows)]  # noqa: B905  # some have fewer
    return json.dumps({"object": "list", "model": "m", "data": data}).encode()


ODD = {
    "nothing": b"{}",
    "null": b'{"data": null}',
    "a page": b"<html>" + KEY.encode() + b"</html>",
    "no JSON": b"{",
    "text in a vector": _vectors([1.0, KEY, 1.0, 1.0], [1.0] * 4),
    "no number": _vectors([1.0, None, 1.0, 1.0], [1.0] * 4),
    "not finite": _vectors([float("nan")] * 4, [1.0] * 4),
    "without end": _vectors([float("inf")] * 4, [1.0] * 4),
    "too large": _vectors([1e300] * 4, [1.0] * 4),
    "no length": _vectors([0.0] * 4, [1.0] * 4),
    "too few": _vectors([1.0] * 4),
    "uneven": _vectors([1.0] * 4, [1.0] * 3),
    "one index twice": _vectors([1.0] * 4, [1.0] * 4, indices=(0, 0)),
    "other indices": _vectors([1.0] * 4, [1.0] * 4, indices=(1, 2)),
    "no index": _vectors([1.0] * 4, [1.0] * 4, indices=(None, 1)),
    "a list": b"[]",
    "a number": b"7",
}


@pytest.mark.thorough
@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
def test_openai_answers_of_another_shape_are_one_error_without_the_key(
    openai: Callable[..., OpenAIEmbedder],
    service: FakeOpenAI,
    monkeypatch: pytest.MonkeyPatch,
    body: bytes,
) -> None:
    monkeypatch.setattr(service, "answer", lambda request: body)
    with pytest.raises(EmbeddingError) as caught:
        openai(OPENAI_EMBEDDING_DIMENSIONS="4").embed(["x", "y"])
    assert KEY not in str(caught.value)
    assert "OPENAI" in str(caught.value) or "check the server" in str(caught.value)
    assert caught.value.__cause__ is None
