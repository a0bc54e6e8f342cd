"""The stages are values: others can be plugged in, and the trace says what they did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from support.samples import EMBED, sample_index

from core.index.snapshot.snapshot import Snapshot
from core.model import Intent, KnowledgeContext, Understanding
from core.retrieve.pipeline import retrieve
from core.retrieve.score.expansion import Added
from core.retrieve.search.evidence import Choice, Evidence
from core.retrieve.search.primaries import Pick
from core.retrieve.stages import RULES, Stages, keep
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.question import Question
from core.settings import Settings
from core.tokens import counter

TOKENS = counter("cl100k_base")
QUERY = "How do I create a user?"
POST = "shop.json:paths/users/post"
ON = Settings(log_stats=False, expansion=0.3, api_filter="hard")


@pytest.fixture(scope="module")
def reader(sample_store: Path) -> Iterator[Snapshot]:
    with sample_index(sample_store) as opened:
        yield opened


def ask(
    reader: Snapshot, stages: Stages, settings: Settings = ON, apis: Sequence[str] = ()
) -> KnowledgeContext:
    return retrieve(
        QUERY,
        reader=reader,
        embed=EMBED,
        tokens=TOKENS,
        settings=settings,
        apis=apis,
        stages=stages,
    )


@dataclass
class Own:
    """Stages of one's own, and what they were called with."""

    called: list[str] = field(default_factory=list)
    asked: Asked | None = None
    question: Question | None = None
    choice: Choice | None = None
    picks: tuple[Pick, ...] = ()

    def understand(self, asked: Asked) -> Understanding:
        self.called.append("understand")
        self.asked = asked
        return Understanding(Intent.SCHEMA, 0.9, ("a model",), {"schemas": ("User",)}, None)

    def choose(self, question: Question, evidence: Evidence) -> Choice:
        self.called.append("choose")
        self.question = question
        return Choice({"shop": 0.75, "nowhere": 0.5}, named=evidence.apis(1).named)

    def expand(
        self, question: Question, evidence: Evidence, choice: Choice | None
    ) -> tuple[Added, ...]:
        self.called.append("expand")
        self.choice = choice
        return (Added("address", "user", "shop.json:components/schemas/Address", "address", 1.0),)

    def rerank(self, question: Question, picks: Sequence[Pick]) -> Sequence[Pick]:
        self.called.append("rerank")
        self.picks = tuple(picks)
        return tuple(reversed(picks))

    @property
    def stages(self) -> Stages:
        return Stages(self.understand, self.choose, self.expand, self.rerank)


def test_own_stages_are_called_in_order_with_what_the_earlier_ones_gave(reader: Snapshot) -> None:
    own = Own()
    ask(reader, own.stages)
    assert own.called == ["understand", "choose", "expand", "rerank"]
    assert own.asked
    assert (own.asked.text, own.asked.reader, own.asked.settings) == (QUERY, reader, ON)
    assert own.question
    assert own.question.understanding.reasons == ("a model",)
    assert own.choice
    assert own.choice.file_ids == ("shop",)  # what no store has is dropped on the way
    assert {pick.chunk.source_file for pick in own.picks} == {"shop"}
    assert [pick.hit.rank for pick in own.picks] == list(range(1, len(own.picks) + 1))


def test_the_trace_says_what_they_did(reader: Snapshot) -> None:
    own = Own()
    trace = ask(reader, own.stages).trace
    assert trace.understanding.intent is Intent.SCHEMA
    assert dict(trace.apis) == {"shop": 0.75}
    assert [hit.chunk_id for hit in trace.hits] == [p.chunk.id for p in reversed(own.picks)]
    told = "\n".join(trace.notes)
    first = own.picks[-1].chunk.id
    for sentence in (
        "Intent schema (0.90), because of “a model”",
        "Chosen APIs: shop (0.75); not in the store: nowhere.",
        "“address” for “user”, as in shop.json:components/schemas/Address",
        f"{len(own.picks) // 2 * 2} of {len(own.picks)} candidates moved; the first is {first}.",
    ):
        assert sentence in told


def test_primaries_are_chosen_after_the_reranker(reader: Snapshot) -> None:
    def last_first(question: Question, picks: Sequence[Pick]) -> Sequence[Pick]:
        return [picks[-1], *picks[:-1]]

    plain = ask(reader, RULES)
    last = plain.trace.hits[-1].chunk_id
    context = ask(reader, replace(RULES, rerank=last_first))
    assert last not in [item.chunk.id for item in plain.primary_chunks]
    assert context.primary_chunks[0].chunk.id == last
    known = {hit.chunk_id: hit.score for hit in plain.trace.hits}
    assert {hit.chunk_id: hit.score for hit in context.trace.hits} == known
    assert [hit.rank for hit in context.trace.hits] == list(range(1, len(known) + 1))


def test_a_reranker_adds_nothing_and_loses_nothing(reader: Snapshot) -> None:
    def careless(question: Question, picks: Sequence[Pick]) -> Sequence[Pick]:
        one, two = picks[0], picks[1]
        invented = replace(one, chunk=replace(one.chunk, id="shop.json:invented"))
        return [two, invented, two]

    before = [hit.chunk_id for hit in ask(reader, RULES).trace.hits]
    after = [hit.chunk_id for hit in ask(reader, replace(RULES, rerank=careless)).trace.hits]
    assert after == [before[1], before[0], *before[2:]]


@pytest.mark.parametrize(
    ("changes", "apis", "off"),
    [
        ({"query_analysis": False}, (), "understand"),
        ({"api_filter": "off"}, (), "choose"),
        ({}, ("shop",), "choose"),
        ({"expansion": 0.0}, (), "expand"),
        ({"mode": "semantic"}, (), "expand"),
    ],
    ids=["query_analysis", "api_filter", "the caller's APIs", "expansion", "semantic mode"],
)
def test_each_stage_can_be_switched_off(
    changes: dict[str, bool | float | str], apis: tuple[str, ...], off: str, reader: Snapshot
) -> None:
    own = Own()
    ask(reader, own.stages, ON.replace(**changes), apis)
    stages = ["understand", "choose", "expand", "rerank"]
    assert own.called == [name for name in stages if name != off]


def test_what_a_stage_takes_is_measured(reader: Snapshot) -> None:
    assert list(ask(reader, RULES).retrieval_stats.milliseconds) == [
        "understand",
        "embed",
        "evidence",
        "choose_apis",
        "expand",
        "search",
        "follow",
        "assemble",
        "total",
    ]


def test_the_rules_are_the_default_and_the_reranker_keeps(reader: Snapshot) -> None:
    assert Stages() == RULES
    assert RULES.rerank is keep
    context = ask(reader, RULES)
    assert context.primary_chunks[0].chunk.id == POST
    assert not any("moved" in note for note in context.trace.notes)


def test_the_callers_filter_holds_whatever_a_stage_chooses(reader: Snapshot) -> None:
    own = Own()
    context = retrieve(
        QUERY,
        reader=reader,
        embed=EMBED,
        tokens=TOKENS,
        settings=ON,
        stages=own.stages,
        where={"source_file": "media"},
    )
    assert context.trace.hits == ()
