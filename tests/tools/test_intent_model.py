"""The tool that makes the model of intents: from questions to weights, the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.model import Intent
from core.retrieve.understand.intent_model import IntentModel, evidence, written
from tools.intent_model import Known, intent_of, labelled, learned, lines, report

FRUIT = ("apples", "pears", "plums", "cherries", "figs", "grapes")
KNOWN = [
    *(Known("a", f"please fetch me the {each}", Intent.ENDPOINT) for each in FRUIT),
    *(Known("a", f"what are {each} made of", Intent.SCHEMA) for each in FRUIT),
    *(Known("a", f"oh no, the {each} went bad", Intent.ERROR) for each in FRUIT),
    *(Known("a", f"good day, dear {each}", Intent.GENERAL) for each in FRUIT),
]
FOUND = {each.text: evidence(each.text) for each in KNOWN}


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("please fetch me the melons", Intent.ENDPOINT),
        ("what are melons made of", Intent.SCHEMA),
        ("oh no, the melons went bad", Intent.ERROR),
        ("good day, dear melons", Intent.GENERAL),
    ],
)
def test_what_is_learned_holds_for_another_word(text: str, intent: Intent) -> None:
    assert intent_of(learned(KNOWN, FOUND).model(), evidence(text)) is intent


def test_the_same_questions_give_the_same_file() -> None:
    first, second = (written(learned(KNOWN, FOUND).values()) for _ in range(2))
    assert first == second


def test_words_that_few_questions_have_are_not_learned() -> None:
    words = IntentModel.read(written(learned(KNOWN, FOUND).values())).words
    assert "made of" in words
    assert "apples" in words  # in four questions
    assert "apples made" not in words  # in one


def test_questions_by_intent_are_a_line_each(tmp_path: Path) -> None:
    file = tmp_path / "intent.yaml"
    file.write_text("endpoint: |\n  list boats\n\n  sink a boat\nerror: |\n  it sank\n")
    found = [(each.text, each.intent) for each in lines(file)]
    assert found == [
        ("list boats", Intent.ENDPOINT),
        ("sink a boat", Intent.ENDPOINT),
        ("it sank", Intent.ERROR),
    ]


def test_where_operations_alone_answer_an_endpoint_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "set.yaml"
    file.write_text(
        """
samples:
- {id: a, query: labelled, intent: schema, relevant: ["b.json GET /boats"]}
- {id: b, query: two calls, relevant: ["b.json GET /boats", "b.json POST /boats"]}
- {id: c, query: mixed, relevant: ["b.json GET /boats", "b.json:components/schemas/Boat"]}
- {id: d, query: no answer}
"""
    )
    found = [(each.text, each.intent, each.weight < 1) for each in labelled(file)]
    assert found == [("labelled", Intent.SCHEMA, False), ("two calls", Intent.ENDPOINT, True)]


def test_precision_is_of_what_is_not_general() -> None:
    wanted = [Intent.ERROR, Intent.ERROR, Intent.SCHEMA, Intent.GENERAL]
    told = [Intent.ERROR, Intent.GENERAL, Intent.ERROR, Intent.GENERAL]
    assert report(wanted, told) == "4 questions, accuracy 0.500, precision 0.500"
