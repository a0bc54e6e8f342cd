"""What takes in the labels of one cause, and what every question pays for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.retrieved import A, B, C, labels, result

from core.evaluate.results import Cause, Miss, Remedy, SampleResult
from core.evaluate.sets.sample import Sample
from core.evaluate.tune.remedies import PRICED, Remedies, covers, joined
from core.settings import Settings


class Priced:
    """A trace whose contexts cost 10 tokens a result and 1 a token of the limit above 4,000."""

    def __init__(self, asked: list[str], query: str) -> None:
        asked.append(query)

    def tokens_of(self, settings: Settings) -> int:
        return 10 * settings.max_primary_results + (settings.token_limit - 4000)


def missing(number: int, *misses: Miss) -> SampleResult:
    sample = Sample(str(number), f"question {number}", relevant=(A,))
    return replace(result(sample, [B, C]), misses=misses)


def miss(cause: Cause, tokens: int = 0, **changes: Any) -> Miss:
    return Miss((A,), cause, "", remedy=Remedy(changes, tokens) if changes else None)


def remedies(asked: list[str]) -> Remedies:
    trace: Any = lambda query: Priced(asked, query)  # noqa: E731 - typed as what it stands for
    return Remedies(trace, labels(), Settings())


def of_all(results: Sequence[SampleResult]) -> list[tuple[object, ...]]:
    found = remedies([]).of_all(results)
    return [(e.cause, dict(e.changes), e.taken, e.of, e.tokens, e.questions) for e in found]


def test_half_of_what_can_be_taken_in_comes_first_and_then_all() -> None:
    past, limit = Cause.RANKED_PAST_K, Cause.TOKEN_LIMIT
    results = [
        missing(1, miss(past, 900, max_primary_results=30, max_total_chunks=30)),
        missing(2, miss(past, 100, max_primary_results=8), miss(limit, 50, token_limit=5000)),
        missing(3, miss(past, 200, max_primary_results=12)),
        missing(4, miss(past)),
        missing(5),
    ]
    assert of_all(results) == [
        (past, {"max_primary_results": 12}, 2, 4, 70.0, 5),
        (past, {"max_primary_results": 30, "max_total_chunks": 30}, 3, 4, 250.0, 5),
        (limit, {"token_limit": 5000}, 1, 1, 1000.0, 5),
    ]


def test_without_a_remedy_nothing_is_asked() -> None:
    asked: list[str] = []
    assert remedies(asked).of_all([missing(1, miss(Cause.NOT_INDEXED)), missing(2)]) == ()
    assert remedies(asked).of_all([]) == ()
    assert asked == []
    fine = missing(3)
    assert remedies(asked).of_one(fine) is fine


def test_what_questions_pay_is_measured_on_some_from_the_first_to_the_last() -> None:
    asked: list[str] = []
    results = [missing(n, miss(Cause.DEPTH, 5, max_depth=4)) for n in range(4 * PRICED)]
    [found] = remedies(asked).of_all(results)
    assert found.questions == PRICED
    assert asked == [f"question {4 * n}" for n in range(PRICED)]


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ({"max_depth": 4}, {"max_depth": 6}, {"max_depth": 6}),
        ({"min_score": 0.2}, {"min_score": 0.1}, {"min_score": 0.1}),
        ({"api_filter": "soft"}, {"max_depth": 4}, {"api_filter": "soft", "max_depth": 4}),
        ({"group_repeated": False}, {"group_repeated": False}, {"group_repeated": False}),
    ],
)
def test_joined_changes_cover_each_of_them(
    one: dict[str, Any], other: dict[str, Any], together: dict[str, Any]
) -> None:
    both = [Remedy(one, 1), Remedy(other, 2)]
    assert joined(both) == together
    assert all(covers(together, each) for each in both)
    assert not covers({}, both[0])


def test_fewer_cover_less() -> None:
    assert not covers({"max_depth": 4}, Remedy({"max_depth": 5}, 1))
    assert not covers({"min_score": 0.2}, Remedy({"min_score": 0.1}, 1))
