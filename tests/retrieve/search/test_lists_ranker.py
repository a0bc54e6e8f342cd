"""The light recipe: what a reader that gives its nearest chunks alone can answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.memory import Memory, Words, make_chunk
from support.samples import question

from core.errors import CallError, EmbeddingError
from core.index.embed.hashed import HashEmbedder
from core.model import CatalogEntry, Intent, Understanding, Where
from core.reasons import Cut, Flag
from core.retrieve.pipeline import retrieve
from core.retrieve.search.choose_apis import choose
from core.retrieve.search.lists_ranker import (
    ListEvidence,
    list_evidence,
    named_in,
)
from core.retrieve.search.search import results, search
from core.retrieve.understand.intent import WHERE
from core.settings import Settings
from core.where import parse

POST = "shop.json:paths/users/post"
USER = "shop.json:components/schemas/User"
CHUNKS = [
    make_chunk(POST, "create a user account"),
    make_chunk(f"{POST}:errors", "create a user account errors conflict"),
    make_chunk("shop.json:paths/orders/post", "place an order"),
    make_chunk(USER, "user account with a name"),
    make_chunk("media.json:paths/users/post", "create a listener account"),
]


def entry(file_id: str, name: str) -> CatalogEntry:
    return CatalogEntry(file_id, f"{file_id}.json", name, "", "1", (), {})


CATALOG = [
    entry("stripe.com", "Stripe API"),
    entry("github.com/api", "GitHub v3 REST API"),
    entry("shop", "Corner Shop"),
]
PAYING = [
    make_chunk("stripe.com.json:paths/refunds/post", "refund a charge"),
    make_chunk("shop.json:paths/orders/post", "place an order"),
]


def evidence(
    query: str,
    reader: Memory,
    *,
    where: Where | None = None,
    as_if: Understanding | None = None,
    **changes: Any,
) -> ListEvidence:
    asked = question(query, reader, as_if=as_if, **changes)
    return list_evidence(asked, HashEmbedder().embed([query]), where and parse(where))


@pytest.fixture
def reader() -> Memory:
    return Memory(CHUNKS, tokens=Words())


@pytest.mark.parametrize(
    ("mode", "flags"), [("hybrid", {Flag.NO_LEXICAL_INDEX}), ("semantic", set())]
)
def test_vectors_alone_are_searched(mode: str, flags: set[str], reader: Memory) -> None:
    found = search(evidence("create a user account", reader, mode=mode))
    best = found.picks[0]
    assert best.chunk.id == POST
    assert (best.hit.score, dict(best.hit.shares)) == (
        pytest.approx(1.0),
        {"semantic": best.hit.score},
    )
    assert set(found.flags) == flags


def test_what_fits_the_intent_is_raised_and_keeps_its_score(reader: Memory) -> None:
    wants = Understanding(Intent.ENDPOINT, 0.8, (), {}, WHERE[Intent.ENDPOINT])
    plain = search(evidence("user account name", reader, as_if=wants, intent_filter="off"))
    soft = search(evidence("user account name", reader, as_if=wants, intent_filter="soft"))
    hits = {pick.chunk.id: pick.hit for pick in soft.picks}
    assert hits[POST].parts["intent"] > 0
    assert "intent" not in hits[USER].parts
    assert {id: hit.score for id, hit in hits.items()} == {
        pick.chunk.id: pick.hit.score for pick in plain.picks
    }


class Odd(Memory):
    """A reader whose index names a chunk that is gone, and leaves a score out."""

    def semantic(
        self, vector: NDArray[np.float32], /, *, limit: int, where: Where | None
    ) -> Sequence[tuple[str, float]]:
        entries = [("shop.json:gone", 0.99), *super().semantic(vector, limit=limit, where=where)]
        return [(entries[1][0], None) if n == 1 else e for n, e in enumerate(entries)]  # type: ignore[list-item]


def test_odd_entries_are_left_out_and_told() -> None:
    asked = evidence(
        "create a user account", Odd(CHUNKS, tokens=Words()), mode="semantic", min_score=0.0
    )
    found = results(search(asked), asked.question)
    assert {item.chunk_id: item.cut for item in found.left_out}["shop.json:gone"] is Cut.MISSING
    assert set(found.flags) == {Flag.ENTRY_WITHOUT_SCORE}


def test_exact_search_is_refused_in_a_sentence(reader: Memory) -> None:
    with pytest.raises(CallError, match="keyword index"):
        list_evidence(question("users", reader, mode="exact"), None, None)


def test_a_question_that_cannot_be_embedded_has_nothing_to_be_found_by(reader: Memory) -> None:
    def failing(texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbeddingError("The embedding service refused the request.")

    with pytest.raises(EmbeddingError, match="refused the request"):
        retrieve("users", reader=reader, embed=failing, tokens=Words(), settings=Settings())


def test_the_reader_is_asked_once_for_each_filter(reader: Memory) -> None:
    asked: list[Where | None] = []

    class Counting(Memory):
        def semantic(
            self, vector: NDArray[np.float32], /, *, limit: int, where: Where | None
        ) -> Sequence[tuple[str, float]]:
            asked.append(where)
            return super().semantic(vector, limit=limit, where=where)

    wants = Understanding(Intent.ENDPOINT, 0.8, (), {}, WHERE[Intent.ENDPOINT])
    counting = Counting(CHUNKS, tokens=Words(), catalog=[entry("shop", "Shop")])
    found = evidence(
        "create a user", counting, as_if=wants, intent_filter="hard", api_filter="hard"
    )
    search(found, choose(found.question, found))
    assert len(asked) == len({repr(where) for where in asked}) == 3


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


def paying(query: str, **options: Any) -> ListEvidence:
    catalog = options.pop("catalog", CATALOG)
    return evidence(query, Memory(PAYING, tokens=Words(), catalog=catalog), **options)


def test_the_best_chunk_speaks_for_its_api_and_a_name_louder() -> None:
    assert paying("refund a charge").apis(1).file_ids == ("stripe.com",)
    by_name = paying("refund a charge in the shop").apis(1)
    assert (by_name.file_ids, by_name.named) == (("shop",), ("shop",))
    assert "shop" in by_name.note()


def test_a_filter_holds_for_the_choice_too() -> None:
    where = {"source_file": "shop"}
    assert paying("refund a charge", where=where, catalog=[]).apis(3).file_ids == ("shop",)


def test_no_choice_without_evidence() -> None:
    nothing = paying("refund", where={"source_file": "nowhere"})
    assert choose(nothing.question, nothing) is None
