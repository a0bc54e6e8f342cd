"""Search as it ships, over the read index of the samples: filters, boosts, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.samples import evidence, question, sample_index

from core.index.snapshot.snapshot import Snapshot
from core.model import Intent, Understanding, Where
from core.reasons import Cut, Flag
from core.retrieve.search.evidence import Choice
from core.retrieve.search.search import Found, results, search
from core.retrieve.understand.intent import WHERE
from core.where import parse

GENERAL = Understanding(Intent.GENERAL, 0.0)
CREATE = "How do I create a user?"
POST = "shop.json:paths/users/post"
USER = "shop.json:components/schemas/User"


@pytest.fixture(scope="module")
def reader(sample_store: Path) -> Iterator[Snapshot]:
    with sample_index(sample_store) as opened:
        yield opened


def understood(intent: Intent) -> Understanding:
    return Understanding(intent, 0.8, (), {}, WHERE[intent])


def ask(
    query: str,
    reader: Snapshot,
    understanding: Understanding = GENERAL,
    *,
    where: Where | None = None,
    choice: Choice | None = None,
    by_words: bool = False,
    **changes: Any,
) -> Found:
    asked = question(query, reader, as_if=understanding, **changes)
    return results(search(evidence(asked, where, by_words=by_words), choice), asked)


def ids(found: Found) -> list[str]:
    return [pick.chunk.id for pick in found.primaries]


def cuts(found: Found) -> dict[str, Cut]:
    return {item.chunk_id: item.cut for item in (*found.left_out, *found.hidden)}


@pytest.mark.parametrize("mode", ["semantic", "exact", "hybrid"])
@pytest.mark.parametrize("fusion", ["convex", "rrf"])
def test_every_mode_finds_the_obvious(mode: str, fusion: str, reader: Snapshot) -> None:
    found = ask(CREATE, reader, mode=mode, fusion=fusion)
    assert ids(found)[0] == POST
    assert [pick.hit.rank for pick in found.picks] == list(range(1, len(found.picks) + 1))


def test_semantic_search_looks_at_no_word(reader: Snapshot) -> None:
    found = ask(CREATE, reader, mode="semantic")
    assert all("lexical" not in pick.hit.parts for pick in found.picks)
    assert all(0 < pick.hit.parts["semantic"] <= 1 for pick in found.picks)


def test_without_a_vector_words_do(reader: Snapshot) -> None:
    found = ask(CREATE, reader, by_words=True)
    assert ids(found)[0] == POST
    assert all("semantic" not in pick.hit.parts for pick in found.picks)


def test_a_question_without_an_answer_scores_low_everywhere(reader: Snapshot) -> None:
    """A min-max score would put the best of these at 1."""
    found = ask("volcano eruption forecast", reader, min_score=0.3)
    assert found.picks
    assert found.primaries == ()
    assert Cut.BELOW_MIN_SCORE in cuts(found).values()


def test_a_score_just_below_the_threshold_is_told_from_it(reader: Snapshot) -> None:
    best = ask("volcano eruption forecast", reader).picks[0].hit
    lost = ask("volcano eruption forecast", reader, min_score=best.score + 1e-5).left_out
    detail = next(item.detail for item in lost if item.chunk_id == best.chunk_id)
    shown, least = detail.removeprefix("score ").split(" < ")
    assert float(shown) < float(least)


def test_a_result_keeps_the_score_of_its_own_evidence(reader: Snapshot) -> None:
    for pick in ask("pay for an order", reader).picks:
        assert 0 <= pick.hit.score <= 1
        assert sum(pick.hit.shares.values()) == pytest.approx(pick.hit.score, abs=1e-6)


def test_a_question_of_several_parts_may_get_a_result_more_for_each_after_the_first(
    reader: Snapshot,
) -> None:
    query = "create a user, then list all orders, and then cancel an order"
    settings = {"max_primary_results": 2, "min_score": 0.0, "overfetch": 5}
    fixed = ask(query, reader, adaptive_results=False, **settings)
    adaptive = ask(query, reader, **settings)
    assert [len(found.primaries) for found in (fixed, adaptive)] == [2, 4]
    one = ask("create a user", reader, **settings)
    assert len(one.primaries) == 2
    behind = {left.detail for left in adaptive.left_out if left.setting == "max_primary_results"}
    assert any("after the 4 results" in detail for detail in behind)


def test_weak_results_are_given_only_where_asked_for_and_are_flagged(reader: Snapshot) -> None:
    nothing = ask("lyrics of a song", reader, min_score=0.99)
    assert not nothing.primaries
    assert Flag.WEAK not in nothing.flags
    weak = ask("lyrics of a song", reader, min_score=0.99, weak_results=2)
    assert [pick.hit.rank for pick in weak.primaries] == [1, 2]
    assert "below it may not answer" in weak.flags[Flag.WEAK]
    found = ask("pay for an order", reader, weak_results=2)
    assert len(found.primaries) > 2
    assert Flag.WEAK not in found.flags


def test_an_element_comes_once_and_its_own_chunk_stands_for_it(reader: Snapshot) -> None:
    found = ask("Which errors can creating a user give?", reader, max_primary_results=10)
    elements = [pick.chunk.element for pick in found.picks]
    assert len(elements) == len(set(elements))
    assert not any(pick.chunk.part for pick in found.picks)
    assert Cut.DUPLICATE in cuts(found).values()


def test_where_the_filter_lets_only_parts_pass_their_element_is_the_result(
    reader: Snapshot,
) -> None:
    found = ask(CREATE, reader, where={"part": "errors"})
    hits = {pick.chunk.id: pick.hit for pick in found.primaries}
    assert hits[POST].found_in == f"{POST}:errors"
    assert all(hit.found_in == f"{id}:errors" for id, hit in hits.items())


def test_another_chunk_of_a_found_element_is_a_duplicate(reader: Snapshot) -> None:
    found = ask(CREATE, reader)
    assert [pick.hit.found_in for pick in found.picks if pick.chunk.id == POST] == [""]
    assert cuts(found)[f"{POST}:errors"] is Cut.DUPLICATE


def test_a_hard_intent_filter_searches_only_what_fits_and_shows_what_it_hides(
    reader: Snapshot,
) -> None:
    found = ask(CREATE, reader, understood(Intent.SCHEMA), intent_filter="hard")
    assert {pick.chunk.type for pick in found.primaries} == {"component"}
    assert found.where == parse({"type": "component"})
    assert not found.fallback
    assert cuts(found)[POST] is Cut.FILTER
    assert any("intent filter hid" in note for note in found.notes)


def test_too_few_filtered_hits_fall_back_to_all(reader: Snapshot) -> None:
    where = {"method": "POST"}  # no schema has one
    found = ask(CREATE, reader, understood(Intent.SCHEMA), where=where, intent_filter="hard")
    assert found.fallback
    assert found.where == parse(where)
    assert POST in ids(found)
    assert any("without it" in note for note in found.notes)


def test_the_fallback_counts_hits_above_the_score(reader: Snapshot) -> None:
    schema, settings = understood(Intent.SCHEMA), {"intent_filter": "hard"}
    assert not ask(CREATE, reader, schema, **settings).fallback
    assert ask(CREATE, reader, schema, min_score=0.99, **settings).fallback


def test_a_soft_intent_filter_raises_what_fits(reader: Snapshot) -> None:
    query, wants = "user", understood(Intent.SCHEMA)
    found = ask(query, reader, wants, intent_filter="soft", max_primary_results=15)
    added = {pick.chunk.type.value: pick.hit.parts.get("intent", 0) for pick in found.picks}
    assert added["component"] > 0
    assert added["operation"] == 0
    plain = ask(query, reader, wants, intent_filter="off", max_primary_results=15)
    assert not any("intent" in pick.hit.parts for pick in plain.picks)


def test_what_the_caller_filters_always_holds(reader: Snapshot) -> None:
    where = {"source_file": "ticketing"}
    found = ask(CREATE, reader, understood(Intent.SCHEMA), where=where, intent_filter="hard")
    assert found.picks
    assert {pick.chunk.source_file for pick in found.picks} == {"ticketing"}


def test_chosen_apis_filter_or_raise(reader: Snapshot) -> None:
    choice = Choice({"ticketing": 1.0})
    hard = ask(CREATE, reader, choice=choice, api_filter="hard")
    assert {pick.chunk.source_file for pick in hard.picks} == {"ticketing"}
    assert cuts(hard)[POST] is Cut.API
    soft = ask(CREATE, reader, choice=choice, api_filter="soft")
    assert soft.picks[0].hit.parts["api"] > 0
    assert not any("api" in p.hit.parts for p in ask(CREATE, reader, api_filter="off").picks)


def test_ranks_behind_the_wanted_results_are_listed(reader: Snapshot) -> None:
    found = ask("user", reader, max_primary_results=2, overfetch=2, group_repeated=False)
    assert (len(found.primaries), len(found.picks)) == (2, 4)
    behind = [item for item in found.left_out if item.cut is Cut.CHUNK_LIMIT]
    assert len(behind) == 2
    assert all(item.rank for item in behind)


def test_nothing_to_find(reader: Snapshot) -> None:
    found = ask(CREATE, reader, where={"source_file": "nowhere"})
    assert (found.picks, found.primaries) == ((), ())


def test_evidence_under_the_same_filter_is_the_same_value(reader: Snapshot) -> None:
    one = evidence(question(CREATE, reader), {"source_file": "shop"})
    assert one.under(parse({"source_file": "shop"})) is one
    assert one.with_terms(()) is one
    other = one.under(parse({"source_file": "media"}))
    assert other is not one
    assert {c.chunk_id.partition(".")[0] for c in other.ranked({})} == {"media"}
    assert [c.chunk_id for c in one.ranked({})] == [c.chunk_id for c in one.ranked({})]
