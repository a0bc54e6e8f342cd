"""Which section each result belongs to, how it is written, and what a limit leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.memory import Words

from core.functions import RetrievalResult, assemble_context
from core.functions.documents.assembled import (
    HISTORICAL,
    PRIMARY,
    SUPPORTING,
    AssembledContext,
    section_of,
)


def result(
    kind: str = "design",
    status: str = "approved",
    score: float = 0.9,
    by: str | None = None,
    *,
    id: str = "a.md:document",
    content: str = "text",
    type: str = "document",
) -> RetrievalResult:
    said = {"kind": kind, "status": status, "label": "Pay", "file": "a.md", "version": "2.1"}
    return RetrievalResult(id, content, {**said, "type": type}, score, 0, by)


@pytest.mark.parametrize(
    ("one", "section"),
    [
        (result("architecture", "approved", 0.1), PRIMARY),
        (result("architecture", "draft"), SUPPORTING),
        (result("design", "approved", 0.81), PRIMARY),
        (result("design", "approved", 0.8), SUPPORTING),
        (result("design", "proposed", 0.99), SUPPORTING),
        (result("requirement"), SUPPORTING),
        (result("decision"), SUPPORTING),
        (result("code"), SUPPORTING),
        (result("document"), SUPPORTING),
        (result("architecture", by="IMPLEMENTS"), SUPPORTING),
        (result("architecture", "superseded"), HISTORICAL),
        (result("design", "superseded", 0.99), HISTORICAL),
        (result("requirement", "superseded"), HISTORICAL),
        (result("architecture", "superseded", by="← SUPERSEDES"), HISTORICAL),
        (result("operation", "", type="operation"), PRIMARY),
        (result("article", "", type="article"), PRIMARY),
        (result("function", "", type="code"), SUPPORTING),
    ],
    ids=lambda each: each if isinstance(each, str) else f"{each.node_type} {each.status}",
)
def test_the_section_of_each(one: RetrievalResult, section: str) -> None:
    assert section_of(one) == section


def made(*results: RetrievalResult, **options: object) -> AssembledContext:
    return assemble_context(results, "q", tokens=Words(), **options)  # type: ignore[arg-type]


def test_sections_with_their_relevance_and_none_that_is_empty() -> None:
    context = made(result("architecture", "superseded"), result("requirement"))
    assert [(s.title, s.relevance) for s in context.sections] == [
        (SUPPORTING, "medium"),
        (HISTORICAL, "low"),
    ]
    assert (context.query, context.total_results, context.truncated) == ("q", 2, False)
    assert made(result("architecture")).sections[0].relevance == "high"
    assert made().sections == ()


def test_heads_as_they_are_written() -> None:
    context = made(
        result("architecture", score=0.876), result("design", score=0.95), result("requirement")
    )
    primary, supporting = context.sections
    assert primary.content == (
        "## Pay (v2.1)\nStatus: approved\nRelevance: 0.88\n\ntext\n"
        "\n---\n"
        "### Pay\nComponent: a.md\nRelevance: 0.95\n\ntext\n"
    )
    assert supporting.content == "text\n"
    assert context.to_markdown().startswith("# Primary Context\n\n## Pay (v2.1)\n")


def test_metadata_can_be_left_out() -> None:
    assert made(result("architecture"), include_metadata=False).sections[0].content == "text\n"


def test_the_lowest_section_and_rank_is_dropped_first() -> None:
    results = (
        result("architecture", content="arch " * 10),
        result("requirement", content="first " * 10),
        result("requirement", content="second " * 10),
        result("design", "superseded", content="past " * 10),
    )
    all_of_it = " ".join(s.content for s in made(*results, max_length=500).sections)
    left = [made(*results, max_length=most) for most in (75, 60, 45)]
    told = [
        [word for word in ("arch", "first", "second", "past") if word in str(each.sections)]
        for each in left
    ]
    assert "past" in all_of_it
    assert told == [["arch", "first", "second"], ["arch", "first"], ["arch"]]
    assert all(each.truncated and each.total_results == 4 for each in left)


def test_primary_results_are_shortened_before_one_is_dropped() -> None:
    results = [result("architecture", content=f"{name} " * 20) for name in ("one", "two")]
    context = made(*results, max_length=80, shorter=lambda each: each.content.split()[0])
    assert context.sections[0].content.count("two") == 1
    assert context.sections[0].content.count("one") == 20
    assert context.truncated


@given(
    st.lists(
        st.builds(
            result,
            st.sampled_from(["architecture", "design", "requirement", "code"]),
            st.sampled_from(["approved", "draft", "superseded"]),
            st.floats(0, 1),
            content=st.text("ab .\n", min_size=1, max_size=60),
        ),
        max_size=6,
    ),
    st.integers(1, 200),
    st.integers(0, 100),
)
def test_within_its_length_and_a_larger_one_loses_nothing(
    results: list[RetrievalResult], most: int, more: int
) -> None:
    small, large = (
        made(*results, max_length=each, shorter=lambda one: one.content[:3])
        for each in (most, most + more)
    )
    assert sum(Words().count(s.content) for s in small.sections) <= most
    count = [sum(s.content.count("\n---\n") + 1 for s in c.sections) for c in (small, large)]
    assert count[0] <= count[1]


@pytest.mark.parametrize("wrong", [0, -1, True, 1.5])
def test_a_length_that_cannot_be(wrong: object) -> None:
    with pytest.raises(ValueError, match="max_length must be a positive number"):
        made(max_length=wrong)
