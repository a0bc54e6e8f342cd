"""One table of verbs: what each suggests, and where each counts."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from core.retrieve.understand.cues import ACTION
from core.retrieve.understand.intent import understand
from core.retrieve.understand.verbs import is_verb, suggested_methods
from core.text.verbs import EXAMPLES, METHODS, VERBS, Verb


def test_each_verb_stands_in_one_row_and_counts_somewhere() -> None:
    counts = Counter(verb.word for verb in VERBS)
    assert {word: count for word, count in counts.items() if count > 1} == {}
    assert all(verb.methods or verb.is_action or verb.is_example for verb in VERBS)


@pytest.mark.parametrize(
    ("word", "methods"),
    [
        ("lists", ("GET",)),
        ("creating", ("POST", "PUT")),
        ("stopping", ("PATCH", "POST", "PUT")),
        ("cancelling", ("DELETE", "POST")),
        ("archive", ()),
        ("customer", ()),
    ],
)
def test_what_a_form_suggests(word: str, methods: tuple[str, ...]) -> None:
    assert suggested_methods(word) == methods
    assert is_verb(word) == bool(methods)


def test_no_form_means_two_methods() -> None:
    said = {(form, verb.methods) for verb in VERBS if verb.methods for form in verb.forms}
    assert len(said) == len(METHODS)


@pytest.mark.parametrize("verb", [v for v in VERBS if v.is_action], ids=lambda verb: verb.word)
def test_an_action_asks_for_an_endpoint(verb: Verb) -> None:
    assert re.fullmatch(ACTION, verb.word)
    assert understand(f"how do I {verb.word} a customer?").intent == "endpoint"


def test_an_example_question_begins_with_a_verb_that_is_understood() -> None:
    known = {verb.word for verb in VERBS if verb.is_action}
    assert EXAMPLES - known == {"complete"}
