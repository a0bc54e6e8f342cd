"""The story of real retrievals over the samples, and the words in which it is told."""

from __future__ import annotations

import re
from collections import deque
from pathlib import Path

import pytest
from support.samples import SAMPLES

from core import KnowledgeContext, Workbench
from core.story.question import DETAILS, grouped, of_context
from core.story.slide import Deck, Slide

TITLES = {"shop": "Larkfield Shop API"}
STEPS = [
    *("The question", "How it was understood", "What was found", "What that needs"),
    "What it costs",
]


@pytest.fixture(scope="module")
def samples_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("story")
    with Workbench.open(store) as workbench:
        deque(workbench.ingest([SAMPLES / "shop.json"]), maxlen=0)
    return store


@pytest.fixture(scope="module")
def created(samples_store: Path) -> KnowledgeContext:
    with Workbench.open(samples_store) as workbench:
        return workbench.retrieve("How do I create a user?")


def _slide(deck: Deck, step: str) -> Slide:
    return next(slide for slide in deck.slides if slide.step == step)


def test_the_story_has_five_steps(created: KnowledgeContext) -> None:
    assert [slide.step for slide in of_context(created, TITLES, stored=40_000).slides] == STEPS


def test_it_says_what_is_meant_found_and_spent(created: KnowledgeContext) -> None:
    deck = of_context(created, TITLES, stored=created.total_tokens * 10)
    assert "“Larkfield Shop API”" in _slide(deck, "How it was understood").sentence
    assert "“Create a user”" in _slide(deck, "What was found").sentence
    assert f"{created.total_tokens:,} tokens: 10.0% of" in _slide(deck, "What it costs").sentence


def test_no_internal_name_is_told(created: KnowledgeContext) -> None:
    deck = of_context(created, TITLES, stored=40_000)
    told = " ".join(f"{slide.sentence} {slide.note} {slide.picture}" for slide in deck.slides)
    words = re.sub(r"<[^>]+>", " ", told)
    assert not re.search(r"components/|\.json|operationId|min_score|\$ref|chunk", words)


def test_what_it_needs_is_told_by_what_it_is_for(created: KnowledgeContext) -> None:
    groups = grouped(created, created.primary_chunks[0])
    assert "user" in groups["What comes back"]
    assert "bad request" in groups["What can go wrong"]
    assert "OAuth" in groups["Who may do it"]
    assert "error" in groups[DETAILS]


def test_a_question_that_nothing_answers_has_its_story_too(samples_store: Path) -> None:
    with Workbench.open(samples_store) as workbench:
        context = workbench.retrieve("lyrics of a song about the sea", min_score=1.0)
    deck = of_context(context, TITLES, stored=40_000)
    assert [slide.step for slide in deck.slides] == STEPS
    assert _slide(deck, "What was found").sentence == "Nothing that is stored answers this."
    assert "most likely" not in _slide(deck, "How it was understood").sentence
