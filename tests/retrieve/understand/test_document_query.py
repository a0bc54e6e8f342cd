"""What a question about documents asks for."""

from __future__ import annotations

import pytest

from core.retrieve.understand.document_query import analyze_query


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *((w, "architecture") for w in ("architecture", "design", "pattern", "structure")),
        *((w, "implementation") for w in ("implement", "code", "develop", "build")),
        *((w, "requirement") for w in ("requirement", "must", "should", "need")),
        *((w, "decision") for w in ("decision", "choice", "why", "rationale")),
        *((w, "requirement") for w in ("requirements", "needs")),
        *((w, "general") for w in ("unneeded", "decode", "whyever", "refunds")),
    ],
)
def test_each_trigger_word_alone(word: str, expected: str) -> None:
    assert analyze_query(word).query_type == expected
    assert analyze_query(f"Tell me: {word.upper()}?").query_type == expected


def test_precedence() -> None:
    assert analyze_query("why must we build this design").query_type == "architecture"
    assert analyze_query("why must we build this").query_type == "implementation"
    assert analyze_query("why must we").query_type == "requirement"


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("approved designs", {"type": "design", "status": "approved"}),
        (
            "accepted decisions in payments",
            {"type": "decision", "status": "approved", "subsystem": "payments"},
        ),
        ("what was superseded", {"status": "superseded"}),
        ("the architecture v2.1", {"type": "architecture", "version": "2.1"}),
        ("requirements version 3", {"type": "requirement", "version": "3"}),
        ("ADRs in billing", {"type": "decision", "subsystem": "billing"}),
        ("is it in the cart", {}),
        ("how do refunds work", {}),
    ],
)
def test_filters_from_words(query: str, filters: dict[str, str]) -> None:
    assert analyze_query(query).filters == filters


def test_entities_and_expansions() -> None:
    found = analyze_query("Which design does REQ-12 need in billing, and ADR-3?")
    assert found.original_query.startswith("Which")
    assert found.entities["ids"] == ("REQ-12", "ADR-3")
    assert found.entities["subsystem"] == ("billing",)
    assert len(found.suggested_expansions) == 3
