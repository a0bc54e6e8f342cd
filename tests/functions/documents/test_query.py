"""What may be asked for, and the defaults of the contract."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from core.functions import AgentRequest, RetrievalOptions, RetrievalQuery


def test_the_defaults() -> None:
    assert asdict(RetrievalQuery("x")) == {
        "text": "x",
        "query_type": "hybrid",
        "filters": {},
        "limit": 10,
        "min_score": 0.7,
        "include_history": False,
        "include_code": True,
        "max_graph_distance": 2,
    }
    options = RetrievalOptions()
    assert (options.search_type, options.max_results, options.max_length) == ("hybrid", 10, 8_000)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"text": " "}, "Query cannot be empty"),
        ({"text": None}, "Query cannot be empty"),
        ({"query_type": "fuzzy"}, "Unknown query type: fuzzy"),
        ({"filters": ["a"]}, "filters must be a mapping"),
        ({"limit": 0}, "limit must be a whole number from 1 to 100"),
        ({"limit": 101}, "limit must be a whole number from 1 to 100"),
        ({"limit": True}, "limit must be a whole number from 1 to 100"),
        ({"min_score": 1.1}, "min_score must be a number from 0 to 1"),
        ({"min_score": float("nan")}, "min_score must be a number from 0 to 1"),
        ({"max_graph_distance": -1}, "max_graph_distance must be a whole number from 0 to 10"),
    ],
    ids=str,
)
def test_what_cannot_be_asked(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match="^" + said.replace("(", "\\(")):
        RetrievalQuery(**{"text": "x", **wrong})


@pytest.mark.parametrize("limit", [1, 100])
def test_both_ends_of_the_limit(limit: int) -> None:
    assert RetrievalQuery("x", limit=limit).limit == limit


def test_the_query_of_an_agent() -> None:
    assert AgentRequest("review", "design", "x" * 150).query == f"review design {'x' * 100}"
    assert AgentRequest("review", "design").query == "review design"


@pytest.mark.parametrize("field", ["action", "target_type", "content", "subsystem"])
def test_a_request_is_made_of_texts(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} must be text, not 5"):
        AgentRequest(**{"action": "review", "target_type": "design", field: 5})  # type: ignore[arg-type]
