from __future__ import annotations

from typing import Any

import pytest

from core.evaluate.report.remedied import (
    cause_said,
    miss_said,
    remedy_said,
    settings_said,
    tokens_said,
)
from core.evaluate.results import Cause, CauseRemedy, Miss, Remedy


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"max_primary_results": 45}, "45 results"),
        ({"min_score": 0.2, "max_depth": 4}, "minimum score 0.2 and depth 4"),
        ({"token_limit": 12000}, "a limit of 12,000 tokens"),
        (
            {"max_primary_results": 20, "max_total_chunks": 20, "per_resource": 3},
            "20 results, 20 chunks and 3 results per resource",
        ),
        ({"group_repeated": False}, "group repeated off"),
        ({"intent_filter": "soft"}, "intent filter soft"),
        ({"a_setting_of_later": 1}, "a_setting_of_later 1"),
        ({}, ""),
    ],
)
def test_settings_in_words(changes: dict[str, Any], said: str) -> None:
    assert settings_said(changes) == said


@pytest.mark.parametrize(
    ("tokens", "said"),
    [(3100, "+3,100 tokens"), (-200, "−200 tokens"), (0.4, "no more tokens"), (1, "+1 token")],
)
def test_tokens_in_words(tokens: float, said: str) -> None:
    assert tokens_said(tokens) == said


def test_a_miss_says_its_place_and_what_would_take_it_in() -> None:
    remedy = Remedy({"max_primary_results": 45}, 3100)
    assert remedy_said(remedy) == "45 results, +3,100 tokens"
    past = Miss(("a",), Cause.RANKED_PAST_K, "rank 41", 41, remedy)
    assert miss_said(past) == "rank 41: 45 results, +3,100 tokens"
    assert miss_said(Miss(("a",), Cause.NOT_INDEXED, "it is not in the store")) == (
        "it is not in the store"
    )


def test_a_cause_says_how_many_of_its_labels_and_what_all_questions_pay() -> None:
    found = CauseRemedy(Cause.RANKED_PAST_K, {"max_primary_results": 12}, 9, 22, 640.2, 40)
    assert cause_said(found) == "9 of 22 with 12 results, +640 tokens a question"
