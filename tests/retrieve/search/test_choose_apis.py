from __future__ import annotations

import pytest
from support.memory import Memory, Words, make_chunk

from core.errors import UnknownId
from core.index.embed.hashed import HashEmbedder
from core.model import CatalogEntry
from core.retrieve.deadline import Deadline
from core.retrieve.search.choose_apis import choose, named_in, resolve
from core.retrieve.search.lists_ranker import Ranker
from core.settings import Settings

NEVER = Deadline(lambda: 0.0, 1.0)


def entry(file_id: str, name: str) -> CatalogEntry:
    return CatalogEntry(file_id, f"{file_id}.json", name, "", "1", (), {})


CATALOG = [
    entry("stripe.com", "Stripe API"),
    entry("github.com/api", "GitHub v3 REST API"),
    entry("shop", "Corner Shop"),
]


STORE = Memory(
    [make_chunk("stripe.com.json:info", source_file="stripe.com")], tokens=Words(), catalog=CATALOG
)


@pytest.mark.parametrize(
    ("asked", "file_ids"),
    [
        (["stripe.com"], ("stripe.com",)),
        (["stripe.com.json"], ("stripe.com",)),
        (["Stripe.com.JSON"], ("stripe.com",)),
        (["corner shop", "shop"], ("shop",)),
        ([], ()),
    ],
    ids=["file id", "file", "any case", "title", "none"],
)
def test_names_of_an_api(asked: list[str], file_ids: tuple[str, ...]) -> None:
    assert resolve(asked, STORE) == file_ids


def test_a_name_that_two_files_share_is_none_of_them() -> None:
    chunks = [make_chunk(f"a.{x}:info", source_file=f"a.{x}") for x in ("json", "yaml")]
    reader = Memory(chunks, tokens=Words())
    assert resolve(["a.json", "a.yaml"], reader) == ("a.json", "a.yaml")
    with pytest.raises(UnknownId):
        resolve(["a"], reader)


def test_an_unknown_api_is_an_error_with_the_nearest() -> None:
    with pytest.raises(UnknownId, match=r"stripe\.con.*stripe\.com") as caught:
        resolve(["stripe.con"], STORE)
    assert "stripe.com" in caught.value.nearest


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("how do I refund a Stripe charge", ("stripe.com",)),
        ("github issues", ("github.com/api",)),
        ("the rest api", ()),
        ("an order in the shop, paid by stripe", ("shop", "stripe.com")),
        ("", ()),
    ],
)
def test_apis_named_in_a_question(query: str, named: tuple[str, ...]) -> None:
    assert named_in(query, CATALOG) == named


def ranker(query: str, **changes: object) -> Ranker:
    chunks = [
        make_chunk("stripe.com.json:paths/refunds/post", "refund a charge"),
        make_chunk("shop.json:paths/orders/post", "place an order"),
    ]
    reader = Memory(chunks, tokens=Words())
    vector = HashEmbedder().embed([query])[0]
    return Ranker(query, vector, reader, Settings().replace(**changes), NEVER)  # type: ignore[arg-type]


def test_the_best_chunk_speaks_for_its_api_and_a_name_louder() -> None:
    by_chunk = choose(ranker("refund a charge", api_selection_max=1), CATALOG, None)
    assert by_chunk
    assert by_chunk.file_ids == ("stripe.com",)
    by_name = choose(ranker("refund a charge in the shop", api_selection_max=1), CATALOG, None)
    assert by_name
    assert by_name.file_ids == ("shop",)
    assert by_name.named == ("shop",)
    assert "shop" in by_name.note()


def test_a_filter_holds_for_the_choice_too() -> None:
    chosen = choose(ranker("refund a charge"), [], {"source_file": "shop"})
    assert chosen
    assert chosen.file_ids == ("shop",)


def test_no_choice_without_evidence() -> None:
    assert choose(ranker("refund"), CATALOG, {"source_file": "nowhere"}) is None
