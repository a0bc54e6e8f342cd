"""Which depth labelled questions need, and how deep a question's own kind is followed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.samples import EMBED, sample_index

from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import Sample
from core.evaluate.tune.depth import DEEPEST, Depths, depths, of_thumbs
from core.evaluate.tune.trace import DeepTrace, deep_trace
from core.index.snapshot.snapshot import Snapshot
from core.model import KnowledgeContext
from core.retrieve.pipeline import retrieve
from core.settings import Settings
from core.tokens import counter

TOKENS = counter("cl100k_base")
SETTINGS = Settings(timeout_ms=600_000, log_stats=False, second_look="off")
CREATE = "shop.json:paths/users/post"


@pytest.fixture(scope="module")
def reader(sample_store: Path) -> Iterator[Snapshot]:
    with sample_index(sample_store) as opened:
        yield opened


def ask(reader: Snapshot, query: str, **changes: Any) -> KnowledgeContext:
    settings = SETTINGS.replace(**changes)
    return retrieve(query, reader=reader, embed=EMBED, tokens=TOKENS, settings=settings)


def trace(reader: Snapshot, query: str) -> DeepTrace:
    return deep_trace(query, reader=reader, embed=EMBED, tokens=TOKENS)


# --- the advice


def test_the_least_depth_keeps_its_share_of_the_best() -> None:
    found = Depths("endpoint", 10, 100, (10, 60, 94, 96, 100, 99), (1,) * 6)
    assert found.least(0.95) == 3
    assert found.least(0.94) == 2
    assert found.least(1.0) == 4
    assert Depths("error", 1, 1, (0,) * 6, (0,) * 6).least() == 0


def test_what_a_result_refers_to_needs_a_step(reader: Snapshot) -> None:
    """A label that is found as a reference alone: no context of depth 0 has it."""
    query = "How do I create a user?"
    deep = next(item for item in ask(reader, query).chunks if item.depth == 1).chunk.element
    labels = Labels(reader.facts())
    samples = [
        Sample("1", query, relevant=(CREATE, deep), intent="endpoint"),
        Sample("2", "What is the weather?", tags=("no-answer",)),
    ]
    (found,) = depths(
        samples, trace=lambda asked: trace(reader, asked), labels=labels, settings=SETTINGS
    )
    assert (found.intent, found.questions, found.wanted) == ("endpoint", 1, 2)
    assert found.found[0] == 1
    assert set(found.found[1:]) == {2}
    assert len(found.found) == DEEPEST + 1
    assert found.least() == 1
    assert found.tokens[0] < found.tokens[1]


def test_thumbs_up_are_labels() -> None:
    (sample,) = of_thumbs({"create a user": (CREATE,)})
    assert (sample.query, sample.relevant) == ("create a user", (CREATE,))


# --- a question's own depth


@pytest.mark.parametrize(
    ("query", "steps"),
    [
        ("How do I create a user?", 3),
        ("Which fields does the User schema have?", 2),
        ("What does error 404 mean when I get a user?", 2),
        ("How do I create a user, and how do I list the orders of a customer?", 4),
    ],
)
def test_the_depth_is_that_of_the_question(query: str, steps: int, reader: Snapshot) -> None:
    context = ask(reader, query, depth="adaptive")
    as_fixed = ask(reader, query, max_depth=steps, stop_early=True)
    assert [item.chunk.id for item in context.chunks] == [i.chunk.id for i in as_fixed.chunks]
    assert any(f"{steps} steps at most, by what is asked" in note for note in context.trace.notes)


def test_without_an_intent_it_is_the_maximum(reader: Snapshot) -> None:
    context = ask(reader, "users", depth="adaptive", max_depth=1, query_analysis=False)
    assert max(item.depth for item in context.chunks) <= 1


def test_fixed_is_as_it_was(reader: Snapshot) -> None:
    context = ask(reader, "How do I create a user?")
    assert not any("by what is asked" in note for note in context.trace.notes)


def test_a_deep_trace_adapts_as_a_retrieval_does(reader: Snapshot) -> None:
    query = "Which fields does the User schema have?"
    adaptive = SETTINGS.replace(depth="adaptive", overfetch=4)
    deep = trace(reader, query)
    deep.context(SETTINGS.replace(overfetch=4))  # what was searched is shared
    traced = deep.context(adaptive).to_dict()
    asked = ask(reader, query, depth="adaptive", overfetch=4).to_dict()
    for values in (traced, asked):
        del values["retrieval_stats"]["milliseconds"]
    assert traced == asked
