"""Every metric against an example computed by hand, and the ranked ones against trec_eval."""

from __future__ import annotations

import random
from math import log2

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from support.retrieved import ERRORS, A, B, C, D, E, F, context, labels, result

from core.evaluate.measures import CUTOFFS, MEASURE
from core.evaluate.score.context_metrics import cost_metrics
from core.evaluate.score.rank_metrics import rank_metrics
from core.evaluate.score.score import ranked_elements, score
from core.evaluate.sets.gold import Gold, gold_of
from core.evaluate.sets.sample import Sample
from core.model import Consulted, Intent


def single(*elements: str, **grades: int) -> Gold:
    return Gold(tuple((element,) for element in elements), grades)


TWO = single("a", "b")  # both are required


@pytest.mark.parametrize(
    ("metric", "ranked", "expected"),
    [
        ("search.recall@1", "axb", 1 / 2),
        ("search.recall@3", "axb", 1.0),
        ("search.recall@5", "xyzuab", 1 / 2),
        ("search.recall@10", "", 0.0),
        ("search.precision@1", "axb", 1.0),
        ("search.precision@3", "axb", 2 / 3),
        ("search.precision@5", "ab", 2 / 5),  # divided by k, however few there are
        ("search.hit@1", "xab", 0.0),
        ("search.hit@3", "xab", 1.0),
        ("search.all@1", "ab", 0.0),
        ("search.all@3", "axb", 1.0),
        ("search.mrr", "xxa", 1 / 3),
        ("search.mrr", "xyz", 0.0),
        ("search.map", "axb", (1 / 1 + 2 / 3) / 2),
        ("search.map", "xb", (1 / 2) / 2),
        ("search.ndcg@3", "xab", (1 / log2(3) + 1 / log2(4)) / (1 / log2(2) + 1 / log2(3))),
        ("search.ndcg@1", "a", 1.0),
    ],
)
def test_a_ranked_list_by_hand(metric: str, ranked: str, expected: float) -> None:
    unique = [f"{letter}{n}" if letter == "x" else letter for n, letter in enumerate(ranked)]
    assert rank_metrics(TWO, unique)[metric] == pytest.approx(expected)


def test_the_best_of_a_group_counts_and_its_siblings_are_neutral() -> None:
    gold = Gold((("a", "b"), ("c",)))
    scores = rank_metrics(gold, ["b", "a", "x", "c"])  # scored as: b, x, c
    assert scores["search.recall@3"] == 1.0
    assert scores["search.precision@3"] == pytest.approx(2 / 3)
    assert scores["search.map"] == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert scores == rank_metrics(gold, ["b", "x", "c"])


def test_grades_are_the_gains_of_ndcg_alone() -> None:
    gold = single("a", "b", a=3)
    scores = rank_metrics(gold, ["b", "a"])
    ideal = 3 / log2(2) + 1 / log2(3)
    assert scores["search.ndcg@10"] == pytest.approx((1 / log2(2) + 3 / log2(3)) / ideal)
    assert scores["search.map"] == 1.0


def test_the_lesser_member_of_a_group_gains_less() -> None:
    gold = Gold((("a", "b"),), {"a": 2, "b": 1})
    assert rank_metrics(gold, ["a"])["search.ndcg@10"] == pytest.approx(1.0)
    assert rank_metrics(gold, ["b"])["search.ndcg@10"] == pytest.approx(1 / 2)


def test_a_grade_without_gold_helps_ndcg_and_nothing_else() -> None:
    gold = single("a", c=1)
    plain, helped = rank_metrics(gold, ["a", "x"]), rank_metrics(gold, ["a", "c"])
    assert helped["search.ndcg@3"] == pytest.approx(1.0)
    assert plain["search.ndcg@3"] == pytest.approx(1 / (1 + 1 / log2(3)))
    del plain["search.ndcg@3"], helped["search.ndcg@3"]
    assert {k: v for k, v in plain.items() if "ndcg" not in k} == {
        k: v for k, v in helped.items() if "ndcg" not in k
    }


def test_a_group_that_another_implies_is_dropped() -> None:
    sample = Sample("1", "q", relevant=("a",), alternatives=(("b", "a"), ("c", "d"), ("c", "d")))
    assert gold_of(sample, str).groups == (("a",), ("c", "d"))


def test_an_element_of_two_groups_takes_a_place_for_each() -> None:
    gold = Gold((("a", "b"), ("b", "c")))
    assert gold.condense(["b", "x"]) == ["#0", "#1", "x"]
    assert gold.condense(["a", "b", "c", "x"]) == ["#0", "#1", "x"]


def test_equal_scores_keep_the_order_of_the_retrieval() -> None:
    ranked = [f"z{n}" for n in range(9)] + ["a"]  # by name, "a" would come first
    assert rank_metrics(single("a"), ranked)["search.mrr"] == pytest.approx(1 / 10)


def test_parts_are_collapsed_to_their_element_at_its_best_rank() -> None:
    assert [e for e, _ in ranked_elements(context([ERRORS, B, A]))] == [A, B]


# --- the context -----------------------------------------------------------------------------


def scores_of(sample: Sample, ranked: list[str], **details: object) -> dict[str, float]:
    return dict(result(sample, ranked, **details).metrics)


def test_the_context_by_hand() -> None:
    sample = Sample("1", "q", relevant=(A, D, F, E))
    scores = scores_of(sample, [A, B, C], references={D: (A,), F: (B,)}, tokens=600)
    assert scores["context.recall"] == 3 / 4  # A, D and F of A, D, F, E
    assert scores["context.direct"] == 1 / 4  # A
    assert scores["context.by_reference"] == 2 / 4  # D, F
    assert scores["context.complete"] == 0.0
    assert scores["context.noise"] == pytest.approx(2 / 5)  # B and C of five
    assert scores["context.tokens"] == 600
    assert scores["context.tokens_per_relevant"] == 200
    assert scores["context.chunks"] == 5
    assert scores["context.empty"] == 0.0


def test_what_was_followed_and_how_far() -> None:
    stats = {"references_followed": 7, "traversal_depth": 2}
    sample = Sample("1", "q", relevant=(A,))
    scores = scores_of(sample, [A], references={D: (A, C)}, **stats)
    assert (scores["refs.followed"], scores["refs.depth"]) == (7, 2)


def test_what_a_model_cost_by_hand() -> None:
    calls = (
        Consulted("choose_apis", tokens_in=100, tokens_out=10, usd=0.5, milliseconds=4),
        Consulted("expand", is_kept=True, milliseconds=1),
        Consulted("rerank", failure="timeout", milliseconds=3),
    )
    assert cost_metrics(calls) == {
        "cost.tokens_in": 100,
        "cost.tokens_out": 10,
        "cost.usd": 0.5,
        "cost.model_ms": 8,
        "cost.kept": pytest.approx(1 / 3),
        "cost.failed": pytest.approx(1 / 3),
        "api.cache_hit_rate": 0,
        "expansion.cache_hit_rate": 1,
    }
    assert cost_metrics(()) == {}


def test_what_a_gold_element_refers_to_is_no_noise() -> None:
    scores = scores_of(Sample("1", "q", relevant=(A,)), [ERRORS], references={D: (ERRORS,)})
    assert scores["context.noise"] == 0.0
    assert scores["context.complete"] == 1.0


def test_one_of_a_group_completes_the_context() -> None:
    sample = Sample("1", "q", alternatives=((A, E),))
    scores = scores_of(sample, [E, A])
    assert scores["context.complete"] == scores["context.recall"] == 1.0
    assert scores["context.noise"] == 0.0


def test_nothing_retrieved_scores_zero_and_costs_nothing() -> None:
    scores = scores_of(Sample("1", "q", relevant=(A,)), [])
    costs = {"context.noise", "context.tokens", "context.tokens_per_relevant", "context.chunks"}
    assert not (costs | {"refs.followed", "refs.depth"}) & scores.keys()
    assert scores["context.empty"] == 1.0
    better = [name for name in scores if MEASURE[name].higher_is_better]
    assert {scores[name] for name in better} == {0.0}


def test_the_choice_of_apis_by_hand() -> None:
    sample = Sample("1", "q", relevant=(A, E))
    assert scores_of(sample, [B, A, F])["api.recall@1"] == 1 / 2
    assert scores_of(sample, [B, A, F])["api.recall@3"] == 1.0
    assert scores_of(sample, [B], apis=["mail", "zoo"])["api.chosen"] == 1 / 2
    assert scores_of(sample, [B], apis=["mail", "zoo", "shop"])["api.precision"] == 2 / 3
    assert (
        not {"api.chosen", "api.precision"} & scores_of(sample, [B]).keys()
    )  # the caller named the API, or wants none


@pytest.mark.parametrize(("understood", "expected"), [("schema", 1.0), ("error", 0.0)])
def test_intent_accuracy(understood: str, expected: float) -> None:
    sample = Sample("1", "q", relevant=(A,), intent="schema")
    assert scores_of(sample, [A], intent=Intent(understood))["intent.accuracy"] == expected
    assert "intent.accuracy" not in scores_of(Sample("1", "q", relevant=(A,)), [A])


def test_gold_lost_to_a_filter_and_the_fallback() -> None:
    sample = Sample("1", "q", relevant=(A, D))
    scores = scores_of(sample, [A], where={"type": "operation"}, fallback=True)
    assert scores["filter.lost_gold"] == 1 / 2  # D is a component
    assert scores["filter.fallback_rate"] == 1.0


@pytest.mark.parametrize(
    ("ranked", "accuracy", "top"), [([], 1.0, 0.0), ([A], 0.0, 0.999)], ids=["nothing", "something"]
)
def test_a_question_without_answer(ranked: list[str], accuracy: float, top: float) -> None:
    scores = scores_of(Sample("1", "q"), ranked)
    assert scores["no_answer.accuracy"] == accuracy
    assert scores["no_answer.top_score"] == pytest.approx(top)
    assert not {name for name in scores if name.startswith(("search", "context", "api"))}


# --- an independent implementation, and laws ---------------------------------------------------


def trec_eval(gold: set[str], ranked: list[str]) -> dict[str, float]:
    cuts = ",".join(map(str, CUTOFFS))
    names = {"recip_rank", "map", f"recall.{cuts}", f"P.{cuts}", f"ndcg_cut.{cuts}"}
    names |= {f"success.{cuts}"}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": dict.fromkeys(gold, 1)}, names)
    run = {name: 1 / (place + 1) for place, name in enumerate(ranked)}
    found: dict[str, float] = evaluator.evaluate({"q": run})["q"]
    return found


def test_random_runs_agree_with_trec_eval() -> None:
    random.seed(20)
    pool = [f"e{n:02}" for n in range(30)]
    for _ in range(300):
        gold = set(random.sample(pool, random.randint(1, 6)))
        ranked = random.sample(pool, random.randint(1, 25))
        ours, theirs = rank_metrics(single(*sorted(gold)), ranked), trec_eval(gold, ranked)
        assert ours["search.mrr"] == pytest.approx(theirs["recip_rank"])
        assert ours["search.map"] == pytest.approx(theirs["map"])
        for k in CUTOFFS:
            assert ours[f"search.recall@{k}"] == pytest.approx(theirs[f"recall_{k}"])
            assert ours[f"search.precision@{k}"] == pytest.approx(theirs[f"P_{k}"])
            assert ours[f"search.hit@{k}"] == theirs[f"success_{k}"]
            assert ours[f"search.ndcg@{k}"] == pytest.approx(theirs[f"ndcg_cut_{k}"])


def naive(gold: Gold, ranked: list[str], k: int) -> dict[str, float]:
    """The definitions, written down once more without a library; groups included."""
    seen: set[int] = set()
    gains: list[int] = []
    for element in ranked:
        numbers = [n for n, group in enumerate(gold.groups) if element in group]
        if not numbers:
            gains.append(0)
        gains += [1 for n in numbers if n not in seen]
        seen |= set(numbers)
    found = sum(gains[:k])
    ideal = sum(1 / log2(n + 2) for n in range(min(k, len(gold.groups))))
    return {
        f"search.recall@{k}": found / len(gold.groups),
        f"search.precision@{k}": found / k,
        f"search.hit@{k}": float(found > 0),
        f"search.all@{k}": float(found == len(gold.groups)),
        f"search.ndcg@{k}": sum(g / log2(n + 2) for n, g in enumerate(gains[:k])) / ideal,
        "search.mrr": next((1 / (n + 1) for n, g in enumerate(gains) if g), 0.0),
    }


LETTERS = st.sampled_from("abcdefghij")
GROUPS = st.lists(st.lists(LETTERS, min_size=1, max_size=3, unique=True), min_size=1, max_size=4)


@given(GROUPS, st.lists(LETTERS, unique=True), st.sampled_from(CUTOFFS))
def test_groups_agree_with_the_plain_definition(
    groups: list[list[str]], ranked: list[str], k: int
) -> None:
    sample = Sample("1", "q", alternatives=tuple(map(tuple, groups)))
    gold = gold_of(sample, str)
    scores = rank_metrics(gold, ranked)
    for name, value in naive(gold, ranked, k).items():
        assert scores[name] == pytest.approx(value), name


@given(
    st.lists(st.sampled_from([A, B, C, D, E, F]), unique=True),
    st.lists(st.sampled_from([A, B, C, D, E, F]), unique=True),
    st.integers(0, 6),
)
def test_shares_stay_within_their_bounds(gold: list[str], ranked: list[str], primary: int) -> None:
    sample = Sample("1", "q", relevant=tuple(gold))
    found = score(sample, context(ranked, primary=primary), labels())
    for name, value in found.metrics.items():
        assert MEASURE[name].unit != "share" or 0 <= value <= 1 + 1e-9, name
    assert len(found.misses) == sum(not found.has_in_context(group) for group in found.gold)
