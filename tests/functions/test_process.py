"""The order of filter, rank, convert, deduplicate and limit, and what a result says of itself."""

from __future__ import annotations

import logging
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.functions import (
    RetrievalResult,
    StorageEntry,
    convert_to_retrieval_results,
    deduplicate_results,
    filter_by_score,
    format_results_for_display,
    get_result_statistics,
    get_search_stats,
    limit_results,
    process_results,
    rank_by_score,
)


def entry(id: str, score: float | None = 0.5, **said: str) -> StorageEntry:
    return StorageEntry(id, f"content of {id}", (1.0,), said, score)


def result(score: float, **said: str) -> RetrievalResult:
    return RetrievalResult.from_storage_entry(entry("a", score, **said))


def ids(results: list[RetrievalResult]) -> list[str]:
    return [one.chunk_id for one in results]


def test_filter_keeps_what_reaches_the_score() -> None:
    entries = [entry("a", 0.3), entry("b", 0.29), entry("c", 0.31)]
    assert [one.id for one in filter_by_score(entries, 0.3)] == ["a", "c"]


def test_rank_is_by_score_and_ties_by_id() -> None:
    entries = [entry("c", 0.5), entry("b", 0.9), entry("a", 0.5), entry("d", None)]
    assert [one.id for one in rank_by_score(entries)] == ["b", "a", "c", "d"]


def test_an_entry_without_a_score_is_an_error_alone_and_left_out_among_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(ValueError, match="a has no score"):
        RetrievalResult.from_storage_entry(entry("a", None))
    with caplog.at_level(logging.WARNING, "specloupe.functions"):
        assert ids(convert_to_retrieval_results([entry("a", None), entry("b")])) == ["b"]
    assert "a has no score" in caplog.text


def test_the_first_of_a_chunk_counts() -> None:
    first, again, other = entry("a", 0.9), entry("a", 0.4), entry("b", 0.3)
    results = deduplicate_results(convert_to_retrieval_results([first, again, other]))
    assert [(one.chunk_id, one.score) for one in results] == [("a", 0.9), ("b", 0.3)]


def test_limit() -> None:
    results = convert_to_retrieval_results([entry("a"), entry("b")])
    assert ids(limit_results(results, 1)) == ["a"]
    assert ids(limit_results(results, 5)) == ["a", "b"]


def test_doubles_do_not_use_up_the_limit() -> None:
    entries = [entry("a", 0.9), entry("a", 0.8), entry("b", 0.7), entry("c", 0.1)]
    assert ids(process_results(entries, 0.3, 2)) == ["a", "b"]


def test_nothing_above_the_score_warns(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "specloupe.functions"):
        assert process_results([entry("a", 0.29)], 0.3, 5) == []
    assert caplog.messages == ["No results above threshold 0.3"]


@pytest.mark.parametrize(
    ("min_score", "top_k", "said"),
    [
        (-0.1, 5, "min_score must be a number from 0 to 1, not -0.1"),
        (1.1, 5, "min_score"),
        (float("nan"), 5, "min_score"),
        ("0.3", 5, "min_score"),
        (0.3, 0, "top_k must be a whole number from 1 to 1,000, not 0"),
        (0.3, 1_001, "top_k"),
        (0.3, 2.5, "top_k"),
        (0.3, True, "top_k"),
    ],
)
def test_what_is_out_of_range(min_score: float, top_k: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        process_results([], min_score, top_k)
    with pytest.raises(ValueError, match=said):
        limit_results([], top_k) if "top_k" in said else filter_by_score([], min_score)


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(0, 1))),
    st.floats(0, 1),
    st.integers(1, 8),
)
def test_the_order_of_entries_does_not_matter(
    found: list[tuple[str, float]], min_score: float, top_k: int
) -> None:
    entries = [entry(id, score) for id, score in found]
    results = process_results(entries, min_score, top_k)
    shuffled = random.Random(7).sample(entries, len(entries))
    assert process_results(shuffled, min_score, top_k) == results
    assert len(results) <= top_k
    assert len({*ids(results)}) == len(results)
    assert [one.score for one in results] == sorted((o.score for o in results), reverse=True)
    assert all(one.score >= min_score for one in results)


@pytest.mark.parametrize(
    ("score", "category", "is_relevant"),
    [
        (0.29, "noise", False),
        (0.3, "potential", False),
        (0.49, "potential", False),
        (0.5, "relevant", True),
        (0.74, "relevant", True),
        (0.75, "high", True),
    ],
)
def test_categories(score: float, category: str, is_relevant: bool) -> None:
    one = result(score)
    assert (one.relevance_category, one.is_relevant) == (category, is_relevant)
    assert one.distance == pytest.approx(1 - score)


def test_where_a_result_is_and_which_function() -> None:
    code = result(0.5, file="src/app.py", lines="10-42", kind="method", name="Cart.add")
    assert (code.location, code.function_name) == ("src/app.py:10-42", "Cart.add")
    api = result(0.5, file="shop.json", origin="shop.json#/paths/~1users/get", operation_id="list")
    assert (api.location, api.function_name) == ("shop.json#/paths/~1users/get", "list")
    assert (result(0.5).location, result(0.5).function_name) == ("a", "")
    assert result(0.5, kind="class", name="Cart").function_name == ""


def test_statistics_by_hand() -> None:
    results = [result(0.8, language="go", file="a.go"), result(0.4, file="b.json")]
    figures = get_result_statistics(results)
    assert figures == {
        "count": 2,
        "min_score": 0.4,
        "max_score": 0.8,
        "avg_score": pytest.approx(0.6),
        "relevant": 1,
        "categories": {"high": 1, "potential": 1},
        "languages": {"go": 1},
        "files": {"a.go": 1, "b.json": 1},
    }
    assert get_result_statistics([])["avg_score"] == 0.0
    assert get_search_stats([entry("a", 0.2), entry("b", 0.4), entry("c", None)]) == {
        "count": 3,
        "min_score": 0.2,
        "max_score": 0.4,
        "avg_score": pytest.approx(0.3),
    }


def test_display() -> None:
    shown = format_results_for_display(
        [result(0.8, file="a.py", lines="1-2", kind="function", name="f")]
    )
    assert shown == "1. 0.800 (high) a.py:1-2 f\n   content of a"
    assert format_results_for_display([]) == "No results."
