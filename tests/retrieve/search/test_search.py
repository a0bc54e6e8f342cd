from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.memory import Memory, Words, make_chunk

from core.errors import CallError
from core.index.embed.hashed import HashEmbedder
from core.model import Chunk, Cut, Intent, Understanding, Where
from core.retrieve.deadline import Deadline
from core.retrieve.search.choose_apis import Choice
from core.retrieve.search.lists_ranker import NO_LEXICAL, NO_SCORE, Ranker
from core.retrieve.search.search import Found, search
from core.retrieve.understand.intent import WHERE
from core.settings import Settings

NEVER = Deadline(lambda: 0.0, 1.0)
GENERAL = Understanding(Intent.GENERAL, 0.0)

POST = "shop.json:paths/users/post"
USER = "shop.json:components/schemas/User"
CHUNKS = [
    make_chunk(POST, "create a user account"),
    make_chunk(f"{POST}:errors", "create a user account errors conflict"),
    make_chunk("shop.json:paths/users/get", "list every user account"),
    make_chunk("shop.json:paths/orders/post", "place an order"),
    make_chunk(USER, "user account with a name"),
    make_chunk(f"{USER}:part-2", "user account avatar picture"),
    make_chunk("shop.json:components/schemas/Order", "order of a user"),
    make_chunk("media.json:paths/users/post", "create a listener account"),
]


def understood(intent: Intent) -> Understanding:
    return Understanding(intent, 0.8, (), {}, WHERE[intent])


def ranker(query: str, reader: Any, **changes: Any) -> Ranker:
    settings = Settings(**{"min_score": 0.0, **changes})
    return Ranker(query, HashEmbedder().embed([query])[0], reader, settings, NEVER)


def ask(
    query: str,
    understanding: Understanding = GENERAL,
    *,
    chunks: Sequence[Chunk] = CHUNKS,
    where: Where | None = None,
    choice: Choice | None = None,
    **changes: Any,
) -> Found:
    reader = Memory(chunks, tokens=Words())
    return search(ranker(query, reader, **changes), understanding, where=where, choice=choice)


def ids(found: Found) -> list[str]:
    return [pick.chunk.id for pick in found.primaries]


def cuts(found: Found) -> dict[str, Cut]:
    return {item.chunk_id: item.cut for item in found.left_out}


@pytest.mark.parametrize("mode", ["semantic", "exact", "hybrid"])
@pytest.mark.parametrize("fusion", ["convex", "rrf"])
def test_every_mode_finds_the_obvious(mode: str, fusion: str) -> None:
    found = ask("create a user account", mode=mode, fusion=fusion)
    assert ids(found)[0] == POST
    assert [pick.hit.rank for pick in found.picks] == list(range(1, len(found.picks) + 1))


def test_semantic_scores_are_cosines() -> None:
    (best, *_) = ask("create a user account", mode="semantic").picks
    assert best.hit.score == pytest.approx(1.0)
    assert set(best.hit.parts) == {"semantic"}


def test_a_question_without_an_answer_scores_low_everywhere() -> None:
    """A min-max score would put the best of these at 1."""
    found = ask("volcano eruption forecast user", min_score=0.5)
    assert found.picks
    assert found.primaries == ()
    assert Cut.BELOW_MIN_SCORE in cuts(found).values()


def test_a_score_just_below_the_threshold_is_told_from_it() -> None:
    best = ask("volcano eruption forecast user").picks[0].hit
    lost = ask("volcano eruption forecast user", min_score=best.score + 1e-5).left_out
    detail = next(item.detail for item in lost if item.chunk_id == best.chunk_id)
    shown, least = detail.removeprefix("score ").split(" < ")
    assert float(shown) < float(least)


def test_an_element_comes_once_and_its_own_chunk_stands_for_it() -> None:
    found = ask("user account avatar picture", mode="exact", max_primary_results=3)
    assert ids(found)[0] == USER
    assert found.picks[0].hit.parts["lexical"] == pytest.approx(1.0)
    assert found.picks[0].hit.found_in == f"{USER}:part-2"
    elements = [pick.chunk.element for pick in found.picks]
    assert len(elements) == len(set(elements))


def test_where_the_filter_lets_only_parts_pass_their_element_is_the_result() -> None:
    found = ask("create a user account", where={"part": "errors"})
    assert ids(found) == [POST]
    assert found.picks[0].hit.found_in == f"{POST}:errors"


def test_another_chunk_of_a_found_element_is_a_duplicate() -> None:
    found = ask("create a user account", mode="exact")
    assert [pick.hit.found_in for pick in found.picks if pick.chunk.id == POST] == [""]
    assert cuts(found)[f"{POST}:errors"] is Cut.DUPLICATE


def test_a_hard_intent_filter_searches_only_what_fits_and_shows_what_it_hides() -> None:
    found = ask(
        "user account", understood(Intent.SCHEMA), intent_filter="hard", min_filtered_results=2
    )
    assert {pick.chunk.type for pick in found.primaries} == {"component"}
    assert found.where == {"type": "component"}
    assert not found.fallback
    assert cuts(found)[POST] is Cut.FILTER


def test_too_few_filtered_hits_fall_back_to_all() -> None:
    found = ask("create a user", understood(Intent.ERROR), intent_filter="hard")
    assert found.fallback
    assert found.where is None
    assert POST in ids(found)
    assert any("without it" in note for note in found.notes)


def test_the_fallback_counts_hits_above_the_score() -> None:
    settings = {"intent_filter": "hard", "min_filtered_results": 2}
    assert not ask("user account", understood(Intent.SCHEMA), **settings).fallback
    assert ask("user account", understood(Intent.SCHEMA), min_score=0.6, **settings).fallback


def test_a_soft_intent_filter_raises_what_fits() -> None:
    query = "user account name"
    plain = ask(query, understood(Intent.ENDPOINT), intent_filter="off")
    soft = ask(query, understood(Intent.ENDPOINT), intent_filter="soft")
    order = {pick.chunk.id: pick.hit for pick in soft.picks}
    assert {pick.chunk.id for pick in plain.picks} == set(order)
    assert order[POST].parts["intent"] > 0
    assert "intent" not in order[USER].parts
    before = {pick.chunk.id: pick.hit.score for pick in plain.picks}
    assert {id: hit.score for id, hit in order.items()} == before


def test_what_the_caller_filters_always_holds() -> None:
    found = ask(
        "create a user",
        understood(Intent.SCHEMA),
        where={"source_file": "media"},
        intent_filter="hard",
    )
    assert found.fallback
    assert ids(found) == ["media.json:paths/users/post"]


def test_chosen_apis_filter_or_raise() -> None:
    choice = Choice({"media": 1.0})
    hard = ask("create a user account", choice=choice, api_filter="hard")
    assert ids(hard) == ["media.json:paths/users/post"]
    assert cuts(hard)[POST] is Cut.API
    soft = ask("create a user account", choice=choice, api_filter="soft")
    raised = {p.chunk.id: p.hit.parts.get("api", 0) for p in soft.picks}
    assert raised.pop("media.json:paths/users/post") > 0
    assert not any(raised.values())


def test_ranks_behind_the_wanted_results_are_listed() -> None:
    found = ask("user account", max_primary_results=2)
    assert len(found.primaries) == 2
    assert len(found.picks) == 4
    behind = [item for item in found.left_out if item.cut is Cut.CHUNK_LIMIT]
    assert [item.rank for item in behind] == [3, 4]


class Odd(Memory):
    """A reader whose index names a chunk that is gone, and leaves a score out."""

    def semantic(
        self, vector: NDArray[np.float32], /, *, limit: int, where: Where | None
    ) -> Sequence[tuple[str, float]]:
        entries = [("shop.json:gone", 0.99), *super().semantic(vector, limit=limit, where=where)]
        return [(entries[1][0], None) if n == 1 else e for n, e in enumerate(entries)]  # type: ignore[list-item]


def test_odd_entries_are_left_out_and_told() -> None:
    asked = ranker("create a user account", Odd(CHUNKS, tokens=Words()), mode="semantic")
    found = search(asked, GENERAL, where=None)
    assert cuts(found)["shop.json:gone"] is Cut.MISSING
    assert asked.flags == {NO_SCORE}


def test_without_a_keyword_index_vectors_do() -> None:
    reader = Memory(CHUNKS, tokens=Words(), lexical=False)
    asked = ranker("create a user account", reader)
    found = search(asked, GENERAL, where=None)
    assert ids(found)[0] == POST
    assert asked.flags == {NO_LEXICAL}
    with pytest.raises(CallError, match="keyword index"):
        search(ranker("users", reader, mode="exact"), GENERAL, where=None)


def test_without_a_vector_words_do() -> None:
    reader = Memory(CHUNKS, tokens=Words())
    asked = Ranker("create a user account", None, reader, Settings(min_score=0.0), NEVER)
    found = search(asked, GENERAL, where=None)
    assert ids(found)[0] == POST
    assert set(found.picks[0].hit.parts) == {"lexical"}


def test_nothing_to_find() -> None:
    assert ask("anything", chunks=[]).picks == ()
