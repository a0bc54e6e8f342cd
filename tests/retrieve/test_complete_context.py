"""The first promise of the product, on the samples that ship, through the whole workbench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import Workbench
from core.model import Level
from core.retrieve.explain.why import more_would_add, next_in_line
from core.settings import Settings
from core.tokens import counter

SAMPLES = Path(__file__).parents[2] / "samples"
TOKENS = counter("cl100k_base")


@pytest.fixture(scope="module")
def workbench(sample_store: Path) -> Iterator[Workbench]:
    with Workbench.open(sample_store, settings=Settings(log_stats=False)) as opened:
        yield opened


def test_creating_a_user_brings_everything_that_it_takes(workbench: Workbench) -> None:
    """The operation, its request and response, what is nested in them, and its errors."""
    context = workbench.retrieve("how do I create a user", max_primary_results=3)
    schemas = ("CreateUserRequest", "User", "UserRole", "Address", "Country")
    responses = ("BadRequest", "Unauthorized", "Conflict")
    assert context.primary_chunks[0].chunk.id == "shop.json:paths/users/post"
    assert context.primary_chunks[0].included == ("shop.json:paths/users/post:errors",)
    assert {
        *(f"shop.json:components/schemas/{name}" for name in (*schemas, "Error", "ErrorDetail")),
        *(f"shop.json:components/responses/{name}" for name in responses),
        "shop.json:components/securitySchemes/ApiKey",
        "shop.json:components/securitySchemes/OAuth",
    } <= {item.chunk.id for item in context.chunks}
    stats = context.retrieval_stats
    assert stats.complete_top
    assert stats.total_chunks <= 15
    assert context.total_tokens <= 4000
    assert {item.level for item in context.chunks if item.depth < 3} <= {Level.COMPACT, Level.JSON}


@pytest.mark.parametrize("current_first", [True, False])
def test_what_a_score_is_made_of_adds_up_to_it(workbench: Workbench, current_first: bool) -> None:
    for query in ("how do I create a user", "refund a payment", "which errors can a payment give"):
        for mode in ("hybrid", "semantic", "exact"):
            context = workbench.retrieve(query, mode=mode, current_first=current_first)
            for each in (*context.trace.hits, *context.primary_chunks):
                assert sum(each.shares.values()) == pytest.approx(each.score, abs=1e-5)


@pytest.mark.parametrize("token_limit", [100, 300, 1000, 4000])
def test_the_markdown_has_the_tokens_that_are_reported(
    workbench: Workbench, token_limit: int
) -> None:
    context = workbench.retrieve("how do I create a user", token_limit=token_limit)
    assert context.total_tokens == TOKENS.count(context.to_markdown())
    assert context.total_tokens <= token_limit or context.retrieval_stats.over_budget


def test_a_message_list_holds_the_markdown_and_the_question(workbench: Workbench) -> None:
    context = workbench.retrieve("how do I create a user")
    system, user = context.to_messages()
    assert system["role"] == "system"
    assert context.to_markdown() in system["content"]
    assert user == {"role": "user", "content": "how do I create a user"}


def test_more_chunks_complete_every_result(workbench: Workbench) -> None:
    context = workbench.retrieve("how do I create a user", max_total_chunks=30)
    stats = context.retrieval_stats
    assert (stats.complete_share, stats.necessary_missing) == (1.0, 0)
    assert stats.necessary > 10


def test_what_one_more_would_add_is_what_it_adds(workbench: Workbench) -> None:
    query = "how do I create a user"
    for setting, value in (("max_total_chunks", 9), ("token_limit", 700)):
        changes = {setting: value, "max_primary_results": 4}
        context = workbench.retrieve(query, **changes)
        (following,) = (n for n in next_in_line(context) if n.setting == setting)
        assert following.sentence() in more_would_add(context)
        wider = workbench.retrieve(query, **changes | {setting: following.fits_at})
        assert following.chunk_id in wider.ids - context.ids
        narrower = workbench.retrieve(query, **changes | {setting: following.fits_at - 1})
        assert following.chunk_id not in narrower.ids
    few = workbench.retrieve("pay for an order", max_primary_results=3)
    (following,) = (n for n in next_in_line(few) if n.setting == "max_primary_results")
    more = workbench.retrieve("pay for an order", max_primary_results=4)
    assert following.fits_at == 4
    assert following.sentence() == f"One more result would add {following.chunk_id}."
    assert following.chunk_id in {item.chunk.id for item in more.primary_chunks}
