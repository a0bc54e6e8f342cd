from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.retrieved import ERRORS, A, B, C, D, E, F, context, labels

from core.evaluate.results import Cause, Miss
from core.evaluate.score.diagnose import causes, diagnose, with_ranks
from core.evaluate.score.score import ranked_elements
from core.evaluate.sets.gold import Gold
from core.reasons import Cut


def misses(gold: Gold, ranked: list[str], **details: Any) -> tuple[Miss, ...]:
    found = context(ranked, **details)
    return diagnose(gold, found, [e for e, _ in ranked_elements(found)], labels().elements)


CASES = [
    ("new.json:info", [B], {}, Cause.NOT_INDEXED, "not in the store"),
    (E, [A, B], {}, Cause.WRONG_API, "no candidate is from mail"),
    (E, [A, B], {"left_out": {E: Cut.API}}, Cause.WRONG_API, "cut by api"),
    (D, [A], {"where": {"type": "operation"}}, Cause.FILTERED_OUT, "to type: operation"),
    (D, [A], {"left_out": {D: Cut.FILTER}}, Cause.FILTERED_OUT, "cut by filter"),
    (E, [A], {"where": {"source_file": "shop"}}, Cause.WRONG_API, "restricted to"),
    (
        E,
        [A],
        {"where": {"$and": [{"source_file": "shop"}, {"type": "component"}]}},
        Cause.FILTERED_OUT,
        "restricted to",
    ),
    (
        B,
        [A, B],
        {"primary": 1, "left_out": {B: Cut.BELOW_MIN_SCORE}},
        Cause.BELOW_THRESHOLD,
        "cut by below_min_score",
    ),
    (C, [A, B, C], {"primary": 2}, Cause.RANKED_PAST_K, "rank 3, after 2 results"),
    (
        C,
        [A, B, C],
        {"primary": 2, "left_out": {C: Cut.CHUNK_LIMIT}},
        Cause.RANKED_PAST_K,
        "rank 3, after 2 results",
    ),
    (C, [A, B], {}, Cause.RANKED_PAST_K, "not in the top 2"),
    (D, [A], {"left_out": {D: Cut.TOKEN_LIMIT}}, Cause.TOKEN_LIMIT, "cut by token_limit"),
    (D, [A], {"left_out": {D: Cut.DEPTH_LIMIT}}, Cause.DEPTH, "cut by depth_limit"),
    (D, [A], {"left_out": {D: Cut.TIMEOUT}}, Cause.TIME, "cut by timeout"),
    (D, [A], {"timed_out": True}, Cause.TIME, "ran out of time"),
]


@pytest.mark.parametrize(("gold", "ranked", "details", "cause", "detail"), CASES)
def test_every_cause(
    gold: str, ranked: list[str], details: dict[str, Any], cause: Cause, detail: str
) -> None:
    (miss,) = misses(Gold(((gold,),)), ranked, **details)
    assert miss.cause is cause
    assert detail in miss.detail
    assert miss.rank == (ranked.index(gold) + 1 if gold in ranked else 0)


def test_a_reference_past_the_chunk_limit_is_no_matter_of_rank() -> None:
    found = context([A], left_out={D: Cut.CHUNK_LIMIT})
    deeper = tuple(replace(cut, depth=1, via=(A,)) for cut in found.trace.left_out)
    found = replace(found, trace=replace(found.trace, left_out=deeper))
    (miss,) = diagnose(Gold(((D,),)), found, [A], labels().elements)
    assert miss.cause is Cause.CHUNK_LIMIT


@pytest.mark.parametrize(
    ("cut", "setting", "cause"),
    [
        (Cut.CHUNK_LIMIT, "per_resource", Cause.SAME_RESOURCE),
        (Cut.CHUNK_LIMIT, "max_primary_results", Cause.RANKED_PAST_K),
        (Cut.DUPLICATE, "group_repeated", Cause.REPEATED),
        (Cut.DUPLICATE, "equal", Cause.REPEATED),
    ],
)
def test_a_candidate_is_lost_to_what_took_its_place(cut: Cut, setting: str, cause: Cause) -> None:
    found = context([A, B], primary=1, left_out={B: cut})
    (left,) = found.trace.left_out
    trace = replace(found.trace, left_out=(replace(left, setting=setting),))
    (miss,) = diagnose(Gold(((B,),)), replace(found, trace=trace), [A, B], labels().elements)
    assert (miss.cause, miss.rank) == (cause, 2)


def test_what_is_in_the_context_is_no_miss() -> None:
    gold = Gold(((A,), (D,), (E, F)))
    (miss,) = misses(gold, [ERRORS], references={D: (A,)})
    assert miss.labels == (E, F)


def test_of_alternatives_the_closest_is_reported() -> None:
    gold = Gold((("new.json:info", F, C),))
    (miss,) = misses(gold, [A, C], primary=1)
    assert (miss.cause, miss.rank) == (Cause.RANKED_PAST_K, 2)
    assert miss.labels == gold.groups[0]


def test_a_filter_on_parts_lets_an_element_with_such_a_part_pass() -> None:
    (miss,) = misses(Gold(((A,),)), [B], where={"part": "errors"})
    assert miss.cause is Cause.RANKED_PAST_K
    (miss,) = misses(Gold(((C,),)), [B], where={"part": "errors"})
    assert miss.cause is Cause.FILTERED_OUT


def test_a_rank_among_the_candidates_is_none_of_a_deeper_search() -> None:
    missed = misses(Gold(((C,), (D,))), [A, B])
    first, second = with_ranks(missed, [C, A, B, D], candidates=2)
    assert (first.rank, first.detail) == (0, "not in the top 2")
    assert (second.rank, second.detail) == (4, "rank 4 in a deeper search")


def test_causes_are_counted_all_of_them() -> None:
    assert list(causes([])) == list(Cause)
