"""The full recipe over a real read index of the samples: what a question of each kind must find."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.samples import EMBED

from core import Workbench
from core.errors import CallError
from core.model import KnowledgeContext
from core.retrieve.search.arrays_ranker import Ranked
from core.settings import Settings

SAMPLES = Path(__file__).parents[3] / "samples"
CREATE_USER = "shop.json:paths/users/post"
ADDRESS = "shop.json:paths/users/{user_id}/addresses/{address_id}/put"
TRACE = """Traceback (most recent call last):
  File "/srv/app/checkout.py", line 88, in pay
    response.raise_for_status()
  File "/usr/lib/python3/requests/models.py", line 1021, in raise_for_status
    raise HTTPError(http_error_msg, response=self)
requests.exceptions.HTTPError: 409 Client Error: Conflict
"""


@pytest.fixture(scope="module")
def workbench(sample_store: Path) -> Iterator[Workbench]:
    with Workbench.open(sample_store, settings=Settings(log_stats=False, cache_size=0)) as opened:
        yield opened


class Narrow:
    """The shipped embedder with all cosines between .85 and 1, as a multilingual E5 has them."""

    fingerprint, dimensions = "narrow", 257
    _SHARE = np.float32(0.15)

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        found = np.sqrt(self._SHARE) * EMBED(texts)
        return np.hstack([found, np.full((len(found), 1), np.sqrt(1 - self._SHARE), np.float32)])


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    settings = Settings(embedder="openai", second_look="off", log_stats=False, cache_size=0)
    with Workbench.open(tmp_path_factory.mktemp("narrow") / "store", settings=settings) as opened:
        opened._embedder = Narrow()
        for _ in opened.ingest([SAMPLES]):
            pass
        yield opened


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
@pytest.mark.parametrize(
    "query", ["How do I create a user?", "delete an address", "the capital of Mongolia"]
)
def test_a_score_holds_for_an_embedder_of_another_scale(
    query: str, mode: str, narrow: Workbench, workbench: Workbench
) -> None:
    changes: dict[str, Any] = {"mode": mode, "second_look": "off", "min_score": 0.0}
    context = narrow.retrieve(query, **changes)
    usual = workbench.retrieve(query, **changes).trace.hits[:5]
    found = context.trace.hits[:5]
    assert min(hit.parts["semantic"] for hit in found) > 0.8
    assert [hit.chunk_id for hit in found] == [hit.chunk_id for hit in usual]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in usual], abs=0.02)
    assert len({round(hit.score, 2) for hit in found}) > 1, "not all the same"


def hits(context: KnowledgeContext) -> list[str]:
    return [hit.chunk_id for hit in context.trace.hits]


@pytest.mark.parametrize(
    ("query", "wanted", "rank"),
    [
        ("How do I create a user?", CREATE_USER, 1),
        ("create user how do I a", CREATE_USER, 1),
        ("HOW DO I CREATE A USER?", CREATE_USER, 1),
        ("how do i craete a usr", CREATE_USER, 5),
        ("how to corect a wrong adress that a custommer has saved", ADDRESS, 5),
        (f"How do I create a user?\n\n{TRACE}", CREATE_USER, 5),
        ("How do I create a user? " + "We tried a lot of things before. " * 150, CREATE_USER, 5),
        ("🙂 how do I create a user 🙂🙂", CREATE_USER, 1),
        ("¿Cómo creo un usuario nuevo (user)?", CREATE_USER, 10),
        ("POST /users", CREATE_USER, 1),
        ("post /Users/", CREATE_USER, 1),
        ("/users/{id}/addresses/{address}", ADDRESS, 3),
        ("/users/:user_id/adresses/:address_id", ADDRESS, 3),
        ("/users/42/addresses/7 gives a 404", ADDRESS, 3),
        ("shop.json:PATHS/users/POST", CREATE_USER, 1),
        ("createuserrequest: what is in it?", "shop.json:components/schemas/CreateUserRequest", 3),
        ("CreateUserRequests", "shop.json:components/schemas/CreateUserRequest", 1),
    ],
    ids=[
        "plain",
        "other word order",
        "upper case",
        "typos",
        "more typos",
        "with a stack trace",
        "5,000 characters",
        "emoji",
        "Spanish",
        "a path",
        "a path in another case",
        "braces named otherwise",
        "a path with a typo",
        "a path with values",
        "a chunk id",
        "a schema in lower case",
        "a schema with a typo",
    ],
)
def test_what_is_found(query: str, wanted: str, rank: int, workbench: Workbench) -> None:
    assert wanted in hits(workbench.retrieve(query))[:rank]


@pytest.mark.parametrize(
    "query", ["search by name", "search by name 'Ada'", "List all orders; search by name"]
)
def test_words_that_are_also_ours(query: str, workbench: Workbench) -> None:
    assert hits(workbench.retrieve(query))


@pytest.mark.parametrize("query", ["", "  \n"], ids=repr)
def test_a_blank_question_is_refused_in_a_sentence(query: str, workbench: Workbench) -> None:
    with pytest.raises(CallError, match="question is empty"):
        workbench.retrieve(query)


def test_a_slip_is_told_and_the_words_of_the_user_stay(workbench: Workbench) -> None:
    context = workbench.retrieve("refnud a charge")
    assert context.query == "refnud a charge"
    assert any("refnud" in note and "refund" in note for note in context.trace.notes)


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": "exact"},
        {"mode": "semantic"},
        {"fusion": "rrf"},
        {"clauses": False},
        {"clause_turn": 0.0},
        {"named_weight": 0.0},
        {"verb_boost": 0.0},
        {"producer_share": 0.0},
        {"spelling": False},
        {"identifiers": False},
        {"expansion": 0.3},
        {"group_repeated": False},
        {"current_first": False},
        {"diversity": 0.3},
        {"local_idf": 0.0},
        {"local_idf": 1.0},
        {"intent_filter": "off"},
        {"intent_filter": "hard"},
        {"api_filter": "off"},
        {"api_filter": "hard"},
        {"query_analysis": False},
    ],
    ids=str,
)
def test_every_stage_can_be_switched(changes: dict[str, Any], workbench: Workbench) -> None:
    context = workbench.retrieve("How do I create a user, and list all orders?", **changes)
    assert CREATE_USER in hits(context)[:5]
    for hit in context.trace.hits:
        assert 0 <= hit.score <= 1
        assert sum(hit.shares.values()) == pytest.approx(hit.score, abs=1e-6)


def test_every_part_of_a_score_is_visible(workbench: Workbench) -> None:
    (first, *_) = workbench.retrieve("POST /users").trace.hits
    assert {"semantic", "lexical", "coverage", "home", "fused", "exact", "intent"} <= set(
        first.parts
    )


def test_a_named_api_comes_first(workbench: Workbench) -> None:
    context = workbench.retrieve("list the open tickets in Ticketing")
    assert context.trace.hits[0].chunk_id.startswith("ticketing.json:")


def test_what_gives_an_id_comes_with_what_needs_it(workbench: Workbench) -> None:
    query = "move 'Beach' to another folder"
    with_producers = hits(workbench.retrieve(query, max_primary_results=10))
    assert any(":paths/" in id and id.endswith("/get") for id in with_producers)


def test_two_runs_are_equal(workbench: Workbench) -> None:
    query = "Pay for an order with a card, then send a message about it"
    first, second = (workbench.retrieve(query).trace.hits for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Cancel the tour 'Zanzibar'", {"/search", "/tours"}),
        ("Cancel the tour", {"/tours"}),
        ("Frobnicate 'Zanzibar'", set()),
    ],
    ids=["a name beside known words", "no name", "a name alone"],
)
def test_words_alone_search_by_name_where_a_word_is_known(
    question: str, found: set[str], tmp_path: Path
) -> None:
    searched = {"get": {"summary": "Search by name", "responses": {}}}
    cancelled = {"delete": {"summary": "Cancel a tour", "responses": {}}}
    other = {"get": {"summary": "Prices", "responses": {}}}
    paths = {"/search": searched, "/tours": cancelled, "/prices": other}
    document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths}
    (tmp_path / "t.json").write_text(json.dumps(document))
    with Workbench.open(tmp_path / "store", settings=Settings(log_stats=False)) as opened:
        for _ in opened.ingest([tmp_path / "t.json"]):
            pass
        context = opened.retrieve(question, mode="exact", min_score=0.0, max_depth=0)
    assert {item.chunk.path for item in context.primary_chunks} == found


def test_candidates_read_alike_one_by_one_and_together() -> None:
    numbers = np.array([0.9, 0.4, 0.2], np.float32)
    ranked = Ranked(
        rows=np.array([2, 0, 1]),
        ids=("a", "b", "c"),
        scores=numbers,
        order=numbers * 2,
        shown={"semantic": np.array([0.0, 0.3, 0.1], np.float32)},
        added={"turn": np.array([0.0, 0.5, 0.0], np.float32)},
        shares={"semantic": np.array([0.9, 0.4, 0.0])},
    )
    assert [each.chunk_id for each in ranked] == ["c", "a", "b"]
    assert list(ranked) == ranked[:] == [ranked[0], ranked[1], ranked[-1]]
    assert [dict(each.parts).keys() for each in ranked[:2]] == [{"semantic"}, {"semantic", "turn"}]
    assert ranked[2].shares == {}
    with pytest.raises(IndexError):
        ranked[3]
