from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.retrieved import ALL, CREATE, LETTER, LIST, MAIL_CREATE, ORDERS, USER, context, labels

from core.evaluate.compare.compare import LabelMove
from core.evaluate.compare.in_words import totals, verdict, verdict_of_all
from core.evaluate.compare.side_by_side import Change, compare_sides, side_by_side
from core.evaluate.sets.gold import Gold
from core.evaluate.sets.sample import Sample
from core.model import KnowledgeContext
from core.reasons import Cut

rankings = st.lists(st.sampled_from(ALL), unique=True, max_size=5)


@given(rankings, rankings)
def test_the_other_way_round_found_is_lost(first: list[str], second: list[str]) -> None:
    there = side_by_side(context(first), context(second))
    back = side_by_side(context(second), context(first))
    assert {p.chunk_id for p in there.changed(Change.FOUND)} == {
        p.chunk_id for p in back.changed(Change.LOST)
    }
    assert there.overlap == back.overlap
    assert there.kept == back.kept == len({*first} & {*second})
    assert len(there.pairs) == len({*first, *second})


@given(rankings)
def test_a_context_is_the_same_as_itself(ranking: list[str]) -> None:
    one = side_by_side(context(ranking), context(ranking))
    assert one.is_same
    assert one.overlap == 1


def test_what_moved_keeps_both_places() -> None:
    one = side_by_side(context([CREATE, LIST]), context([LIST, CREATE, USER]))
    assert [(p.chunk_id, p.change) for p in one.pairs] == [
        (CREATE, Change.MOVED),
        (LIST, Change.MOVED),
        (USER, Change.FOUND),
    ]
    first = one.pairs[0]
    assert first.before
    assert first.after
    assert (first.before.rank, first.after.rank) == (1, 2)


@pytest.mark.parametrize(
    ("after", "cut", "detail"),
    [
        (context(left_out={USER: Cut.TOKEN_LIMIT}), Cut.TOKEN_LIMIT, "cut by token_limit"),
        (context(where={"type": "operation"}), Cut.FILTER, ""),
        (context(where={"type": "component"}), None, ""),
        (context(), None, ""),
    ],
    ids=["told by the trace", "outside the filter", "inside the filter", "never considered"],
)
def test_a_lost_chunk_says_why(after: KnowledgeContext, cut: Cut | None, detail: str) -> None:
    (pair,) = side_by_side(context([USER]), after).pairs
    assert (pair.change, pair.cut, pair.detail) == (Change.LOST, cut, detail)


def test_gold_is_followed_by_rank_and_into_the_context() -> None:
    gold = Gold(((CREATE,), (USER, LETTER)))
    one = side_by_side(context([LIST, CREATE], primary=2), context([LETTER, LIST]), gold)
    assert one.gold == (
        LabelMove((CREATE,), 2, 0, in_context_before=True, in_context_after=False),
        LabelMove((USER, LETTER), 0, 1, in_context_before=False, in_context_after=True),
    )


def test_a_list_takes_turns_at_going_first() -> None:
    asked: list[str] = []

    def side(name: str, ranking: list[str]):
        def retrieve(query: str) -> KnowledgeContext:
            asked.append(f"{name} {query}")
            return context(ranking, query=query)

        return retrieve

    samples = [Sample("1", "x", ("shop.json POST /users",)), Sample("2", "y")]
    sides = (side("A", [CREATE]), side("B", [LIST]))
    (first,), (second,) = compare_sides(samples, sides, labels())
    assert asked == ["A x", "B x", "B y", "A y"]
    assert (first.before.first, second.before.first) == (CREATE, CREATE)
    assert [move.kind for move in first.gold] == ["lost"]
    assert second.gold == ()


def test_each_of_several_sides_goes_first_in_turn_and_is_measured_against_the_first() -> None:
    asked: list[str] = []

    def side(name: str, ranking: list[str]):
        def retrieve(query: str) -> KnowledgeContext:
            asked.append(f"{name}{query}")
            return context(ranking, query=query)

        return retrieve

    sides = [side("A", [CREATE]), side("B", [LIST]), side("C", [CREATE, USER])]
    first, second, _ = compare_sides([Sample("1", "x"), Sample("2", "y"), Sample("3", "z")], sides)
    assert asked == ["Ax", "Bx", "Cx", "By", "Cy", "Ay", "Cz", "Az", "Bz"]
    for to_b, to_c in (first, second):
        assert (to_b.kept, to_c.kept) == (0, 1)
        assert [pair.chunk_id for pair in to_c.changed(Change.FOUND)] == [USER]


SENTENCES = [
    ((), (), {}, "Neither side finds anything."),
    ((CREATE,), (CREATE,), {}, "B changes nothing: the same 1 chunk in the same order."),
    (
        (CREATE,),
        (CREATE,),
        {"fallback": True},
        "B changes nothing: the same 1 chunk in the same order; the intent filter left too "
        "few results and was dropped.",
    ),
    (
        (CREATE, LIST),
        (LIST, ORDERS, USER),
        {"tokens": 140},
        "B loses 1 of 2 labels, gains 1 of 2 labels, keeps 1 of 2 chunks, adds 2 new ones, "
        "changes the first result and uses 40 more tokens.",
    ),
    (
        (CREATE, LIST),
        (CREATE,),
        {},
        "B keeps 1 of 2 chunks and leaves the first result unchanged.",
    ),
    (
        (USER, CREATE),
        (CREATE,),
        {"where": {"type": "operation"}},
        "B hides 1 of 2 results, keeps 1 of 2 chunks and changes the first result.",
    ),
]


@pytest.mark.parametrize(
    ("before", "after", "details", "sentence"),
    SENTENCES,
    ids=["nothing", "same", "fallback", "labels", "fewer", "hidden"],
)
def test_one_sentence_says_it(before, after, details, sentence: str) -> None:
    gold = Gold(((CREATE,), (USER,))) if USER in after else None
    first = context(before, primary=len(before)) if "where" in details else context(before)
    one = side_by_side(first, context(after, **details), gold)
    assert verdict(one) == sentence


def test_many_questions_are_summed() -> None:
    gold = Gold(((CREATE,), (MAIL_CREATE,)))
    lost = side_by_side(context([CREATE, LIST]), context([LIST], tokens=40), gold)
    same = side_by_side(context([CREATE]), context([CREATE]), gold)
    sums = totals([lost, same])
    assert (sums.questions, sums.same, sums.lost, sums.found, sums.other_first) == (2, 1, 1, 0, 1)
    assert sums.overlap == pytest.approx(0.75)
    assert (sums.labels, sums.lost_labels, sums.gained_labels) == (4, 1, 0)
    assert verdict_of_all(sums, "filtered") == (
        "Over 2 questions, filtered gains none and loses 1 of 4 labels (possibly by chance, "
        "p = 1.00), shares 75% of the chunks, changes the first result for 1 and uses 30 fewer "
        "tokens."
    )


def test_what_a_filter_hid_and_where_it_was_dropped_is_in_the_sentence_over_many() -> None:
    hid = side_by_side(
        context([USER, CREATE], primary=2), context([CREATE], where={"type": "operation"})
    )
    dropped = side_by_side(context([CREATE]), context([CREATE], fallback=True))
    said = verdict_of_all(totals([hid, dropped, dropped]), "the filter")
    assert "the filter hides 1 result, shares" in said
    assert said.endswith("; the filter left too few results for 2 and was dropped.")
    unchanged = verdict_of_all(totals([dropped]), "the filter")
    end = "changes nothing; the filter left too few results for 1 and was dropped."
    assert unchanged.endswith(end)


def test_many_questions_without_any_difference() -> None:
    same = side_by_side(context([CREATE]), context([CREATE]))
    assert verdict_of_all(totals([same, same])) == "Over 2 questions, B changes nothing."
