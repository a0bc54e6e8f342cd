"""A store of OpenAI's vectors answers through the same functions, and takes no other length."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from support.apis import write
from support.openai_double import KEY, FakeOpenAI, serving
from support.stores import opened

from core import Workbench
from core.functions import (
    embed_queries_batch,
    embed_query,
    retrieve,
    retrieve_by_language,
    retrieve_from_file,
    search_similar,
    use,
    validate_query_embedding,
)

FILES = {
    "src/cart.py": "def add_item(cart, item):\n    return cart\n",
    "src/mail.py": "def send_letter(buyer):\n    return buyer\n",
    "web/cart.ts": "export function addItem(cart: Cart) {}\n",
}


class Words(FakeOpenAI):
    """Texts with the same words are near each other."""

    def vector(self, text: str, size: int) -> list[float]:
        vector = [0.0] * size
        for word in text.lower().replace("_", " ").split():
            vector[int.from_bytes(hashlib.md5(word.encode()).digest()[:4], "big") % size] += 1.0
        return vector


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("openai")
    write(folder / "in", FILES)
    with serving(Words()) as service, pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPENAI_API_KEY", KEY)
        environment.setenv("OPENAI_BASE_URL", service.url)
        with opened(folder / "store", embedder="openai", second_look="off") as workbench:
            for _ in workbench.ingest([folder / "in"], formats=("code",)):
                pass
            use(workbench)
            yield workbench
            use(None)


def test_the_same_functions_answer_with_1536_dimensions(store: Workbench) -> None:
    assert store.dimensions == 1_536
    assert len(embed_query("send letter")) == 1_536
    assert [len(vector) for vector in embed_queries_batch(["a cart", "a letter"])] == [1_536] * 2
    assert retrieve("send letter", min_score=0.1)[0].chunk_id == "src/mail.py:function/send_letter"
    in_script = retrieve_by_language("function cart", "typescript", min_score=0.0)
    assert {one.metadata["language"] for one in in_script} == {"typescript"}
    in_file = retrieve_from_file("function cart", "cart.py", min_score=0.0)
    assert {one.metadata["file"] for one in in_file} == {"src/cart.py"}
    near = search_similar(embed_query("send letter"), 3)
    assert [len(entry.embedding) for entry in near] == [1_536] * len(near)


@pytest.mark.parametrize("length", [12, 384, 1_535, 3_072])
def test_another_length_than_the_stores_is_refused(store: Workbench, length: int) -> None:
    said = f"Invalid dimension: {length}, expected 1536"
    with pytest.raises(ValueError, match=said):
        validate_query_embedding([0.1] * length)
    with pytest.raises(ValueError, match=said):
        search_similar([0.1] * length, 3)
    with pytest.raises(ValueError, match=said):
        embed_query("a letter", _client(length))


def _client(length: int) -> Any:
    data = [SimpleNamespace(embedding=[0.1] * length, index=0)]
    create = lambda **_: SimpleNamespace(data=data)  # noqa: E731 - as the client has it
    return SimpleNamespace(embeddings=SimpleNamespace(create=create))
