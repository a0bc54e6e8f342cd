from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.generated import WORDS, stores
from support.memory import Memory, Words, make_chunk
from support.samples import EMBED, sample_index

from core.errors import CallError, EmbeddingError, UnknownId
from core.index.embed.hashed import HashEmbedder
from core.index.snapshot.snapshot import Snapshot
from core.model import Chunk, Intent, KnowledgeContext, Level
from core.reasons import Cut
from core.retrieve.pipeline import retrieve
from core.retrieve.reader import Reader
from core.retrieve.understand.asked import MAX_QUERY
from core.settings import Settings
from core.tokens import counter

HASH = HashEmbedder().embed
TOKENS = counter("cl100k_base")
POST = "shop.json:paths/users/post"
NARROW: dict[str, Any] = {"vector_weight": 0.7, "keyword_weight": 0.3, "intent_filter": "hard"}


@pytest.fixture(scope="module")
def samples(sample_store: Path) -> Iterator[Snapshot]:
    with sample_index(sample_store) as opened:
        yield opened


def ask(query: str, reader: Reader, **changes: Any) -> KnowledgeContext:
    names = ("where", "apis", "embed", "clock")
    options = {name: changes.pop(name) for name in names if name in changes}
    options.setdefault("embed", EMBED)
    return retrieve(query, reader=reader, tokens=TOKENS, settings=Settings(**changes), **options)


def ids(context: KnowledgeContext) -> list[str]:
    return [item.chunk.id for item in context.chunks]


def timeless(context: KnowledgeContext) -> KnowledgeContext:
    return replace(context, retrieval_stats=replace(context.retrieval_stats, milliseconds={}))


def test_creating_a_user_brings_all_that_it_needs(samples: Snapshot) -> None:
    context = ask("how do I create a user", samples)
    assert context.primary_chunks[0].chunk.id == POST
    assert f"{POST}:errors" in context.primary_chunks[0].included
    assert {
        POST,
        "shop.json:components/schemas/CreateUserRequest",
        "shop.json:components/schemas/User",
        "shop.json:components/schemas/Address",
        "shop.json:components/schemas/UserRole",
        "shop.json:components/responses/BadRequest",
        "shop.json:components/responses/Conflict",
    } <= set(ids(context))
    assert context.retrieval_stats.total_chunks <= 15
    assert context.total_tokens <= 4000
    assert context.trace.understanding.intent is Intent.ENDPOINT


def test_tokens_are_those_of_the_markdown(samples: Snapshot) -> None:
    for limit in (100, 500, 4000):
        context = ask("pay for an order with a card", samples, token_limit=limit)
        assert context.total_tokens == TOKENS.count(context.to_markdown()) > 0
        assert context.total_tokens <= limit or context.retrieval_stats.over_budget


def test_every_way_stands_in_the_store(samples: Snapshot) -> None:
    context = ask("what does an order contain", samples, min_score=0.1, intent_filter="hard")
    primaries = {item.chunk.id for item in context.primary_chunks}
    assert context.referenced_chunks
    for item in context.referenced_chunks:
        assert item.via[0] in primaries
        assert len(item.via) == item.depth
        for here, there in itertools.pairwise((*item.via, item.chunk.id)):
            assert there in samples.chunks([here])[here].ref_ids


def test_every_considered_chunk_is_in_or_out_once(samples: Snapshot) -> None:
    context = ask("how do I create a user", samples)
    left = [item.chunk_id for item in context.trace.left_out]
    assert len(left) == len(set(left))
    assert not set(left) & set(ids(context))
    considered = {hit.chunk_id for hit in context.trace.hits}
    assert considered <= set(left) | set(ids(context))
    assert all(item.detail for item in context.trace.left_out)


def test_the_same_question_gives_the_same_context(samples: Snapshot) -> None:
    assert timeless(ask("list tickets", samples)) == timeless(ask("list tickets", samples))


def test_a_context_is_plain_json(samples: Snapshot) -> None:
    plain = ask("list tickets", samples).to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["primary_chunks"][0]["chunk"]["label"]


def test_nothing_found_is_a_context_too(samples: Snapshot) -> None:
    context = ask("zzz qqq", samples, min_score=0.9)
    assert (context.chunks, context.total_tokens, context.to_markdown()) == ((), 0, "")
    assert context.retrieval_stats.total_chunks == 0
    empty = ask("anything", Memory([], tokens=Words()), embed=HASH)
    assert empty.trace.hits == ()


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "\u2003"], ids=repr)
def test_an_empty_question_is_refused_in_a_sentence(query: str, samples: Snapshot) -> None:
    with pytest.raises(CallError, match=r"question is empty"):
        ask(query, samples)


def test_a_very_long_question_is_cut_and_flagged(samples: Snapshot) -> None:
    context = ask("how do I create a user " * 1000, samples)
    assert "query_cut" in context.retrieval_stats.flags
    assert any(str(MAX_QUERY) in note for note in context.trace.notes)
    assert POST in ids(context)


@pytest.mark.parametrize(
    "query",
    ["\ud800 users", "💥 users 💥", "users\x00", "<|endoftext|> users", "¿Cómo creo un usuario?"],
    ids=["half a character", "emoji", "zero", "special token", "Spanish"],
)
def test_odd_questions(query: str, samples: Snapshot) -> None:
    context = ask(query, samples, min_score=0.0)
    assert context.total_tokens == TOKENS.count(context.to_markdown())


def test_apis_hold_and_are_named_by_file_id_file_or_title(samples: Snapshot) -> None:
    for api in ("shop", "shop.json", "SHOP"):
        context = ask("create", samples, apis=[api], min_score=0.0)
        assert {item.chunk.source_file for item in context.primary_chunks} == {"shop"}
    with pytest.raises(UnknownId, match="shopp"):
        ask("create", samples, apis=["shopp"])


def test_a_filter_holds_and_a_wrong_one_is_refused(samples: Snapshot) -> None:
    context = ask("create a user", samples, where={"type": "component"}, min_score=0.0)
    assert {item.chunk.type for item in context.primary_chunks} == {"component"}
    with pytest.raises(CallError, match="colour"):
        ask("create a user", samples, where={"colour": "red"})


def test_without_analysis_there_is_no_filter(samples: Snapshot) -> None:
    context = ask("which fields does a user have", samples, query_analysis=False)
    assert context.trace.where is None
    assert context.trace.understanding.intent is Intent.GENERAL


def test_chosen_apis_are_told(samples: Snapshot) -> None:
    context = ask("create a user in the shop", samples, api_filter="hard", api_selection_max=1)
    assert {item.chunk.source_file for item in context.primary_chunks} == {"shop"}
    assert list(context.trace.apis) == ["shop"]
    assert any("Chosen APIs: shop" in note for note in context.trace.notes)


def test_depth_0_has_no_references(samples: Snapshot) -> None:
    context = ask("how do I create a user", samples, max_depth=0)
    assert context.referenced_chunks == ()
    assert Cut.DEPTH_LIMIT in context.retrieval_stats.limits_hit


def test_a_small_budget_writes_less_and_says_so(samples: Snapshot) -> None:
    context = ask("how do I create a user", samples, token_limit=400, **NARROW)
    assert context.total_tokens <= 400
    assert {item.level for item in context.chunks} > {Level.ID}
    assert Cut.TOKEN_LIMIT in context.retrieval_stats.limits_hit
    assert "shorter form" in context.trace.notes[-1]


def failing(texts: Sequence[str]) -> NDArray[np.float32]:
    raise EmbeddingError("The embedding service refused the request.")


def test_an_embedding_failure_leaves_words(samples: Snapshot) -> None:
    context = ask("how do I create a user", samples, embed=failing)
    assert context.retrieval_stats.lexical_only
    assert POST in ids(context)
    assert any("refused the request" in note for note in context.trace.notes)
    with pytest.raises(EmbeddingError):
        ask("how do I create a user", samples, embed=failing, mode="semantic")
    assert not ask("user", samples, embed=failing, mode="exact").retrieval_stats.lexical_only


def ticking(seconds: float) -> Iterator[float]:
    return itertools.count(0.0, seconds)


@pytest.mark.parametrize("seconds", [0.001, 0.01, 0.02, 0.03, 0.05, 0.1, 1.0])
def test_past_the_deadline_what_is_there_is_returned(seconds: float, samples: Snapshot) -> None:
    ticks = ticking(seconds)
    context = ask(
        "how do I create a user",
        samples,
        timeout_ms=150,
        batch_lookup=False,
        clock=lambda: next(ticks),
    )
    stats = context.retrieval_stats
    assert stats.timed_out == (seconds > 0.001)
    assert (Cut.TIMEOUT in stats.limits_hit) == stats.timed_out
    assert context.total_tokens == TOKENS.count(context.to_markdown())
    assert set(stats.milliseconds) >= {"understand", "embed", "search", "follow", "assemble"}


def test_stages_are_logged_as_one_line_of_json(
    samples: Snapshot, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "specloupe.retrieve"):
        ask("my secret question", samples)
        ask("my secret question", samples, log_stats=False)
    (record,) = caplog.records
    line = json.loads(record.getMessage())
    assert line["event"] == "retrieve"
    assert line["milliseconds"]["total"] >= line["milliseconds"]["search"]
    assert "secret" not in record.getMessage()


def test_a_missing_reference_is_a_warning() -> None:
    chunk = make_chunk("a.json:info", "the only one", refs={"a.json:gone": ["x"]})
    context = ask("the only one", Memory([chunk], tokens=TOKENS), embed=HASH)
    assert context.retrieval_stats.missing == 1
    assert [item.cut for item in context.trace.left_out] == [Cut.MISSING]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=st.sampled_from(["create a user", "order fields", "which errors can a payment give"]),
    limit=st.integers(100, 3000),
    more=st.integers(0, 2000),
    slots=st.integers(5, 25),
    intent=st.sampled_from(["off", "soft", "hard"]),
)
def test_a_larger_budget_never_loses_an_element(
    samples: Snapshot, query: str, limit: int, more: int, slots: int, intent: str
) -> None:
    changes = {"min_score": 0.1, "intent_filter": intent}
    few = ask(query, samples, token_limit=limit, max_total_chunks=slots, **changes)
    many = ask(query, samples, token_limit=limit + more, max_total_chunks=slots + 3, **changes)
    assert set(ids(few)) <= set(ids(many))
    for context in (few, many):
        assert context.total_tokens == TOKENS.count(context.to_markdown())


BUDGETS = st.fixed_dictionaries(
    {
        "max_total_chunks": st.integers(3, 24),
        "token_limit": st.integers(100, 1500),
        "max_primary_results": st.integers(1, 3),
        "primary_share": st.sampled_from([0.0, 0.6, 1.0]),
        "prioritize_primary": st.booleans(),
        "rendering": st.sampled_from(["json", "compact", "signature"]),
        "selection": st.sampled_from(["eager", "scored", "mmr"]),
        "max_depth": st.integers(0, 3),
        "intent_filter": st.sampled_from(["off", "soft", "hard"]),
    }
)


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(
    chunks=stores(),
    question=st.lists(st.sampled_from([*WORDS, "errors", "fields"]), min_size=1, max_size=5),
    budget=BUDGETS,
    part=st.sampled_from([None, None, "errors", "examples"]),
    more=st.tuples(st.integers(0, 8), st.integers(0, 800)),
)
def test_neither_budget_is_ever_exceeded_and_a_larger_one_loses_nothing(
    chunks: list[Chunk],
    question: list[str],
    budget: dict[str, Any],
    part: str | None,
    more: tuple[int, int],
) -> None:
    """Whatever the store, the question and the limits: an element is one chunk of the context."""
    reader, query = Memory(chunks, tokens=TOKENS), " ".join(question)
    where = {"where": {"part": part}} if part else {}
    larger = {"max_total_chunks": budget["max_total_chunks"] + more[0]}
    larger |= {"token_limit": budget["token_limit"] + more[1]}
    few = ask(query, reader, embed=HASH, min_score=0.0, **where, **budget)
    many = ask(query, reader, embed=HASH, min_score=0.0, **where, **budget | larger)
    for context, limits in ((few, budget), (many, budget | larger)):
        stats, elements = context.retrieval_stats, [i.chunk.element for i in context.chunks]
        assert stats.total_chunks == len(context.chunks) <= limits["max_total_chunks"]
        assert context.total_tokens == TOKENS.count(context.to_markdown())
        assert stats.over_budget == (context.total_tokens > limits["token_limit"])
        assert len(elements) == len(set(elements))
        assert not [item for item in context.chunks if item.chunk.part]
        assert context.total_tokens == 0 or context.to_markdown().count("\n## ") == len(elements)
        found = {item.chunk.id: item.ids for item in context.primary_chunks}
        for hit in context.trace.hits:
            assert not hit.found_in or hit.found_in.startswith(f"{hit.chunk_id}:")
            if hit.chunk_id in found and hit.found_in and not stats.over_budget:
                out = {left.chunk_id for left in context.trace.left_out}
                assert hit.found_in in found[hit.chunk_id] or hit.found_in in out
    assert few.ids <= many.ids
    assert [i.chunk.id for i in few.primary_chunks] == [i.chunk.id for i in many.primary_chunks]
