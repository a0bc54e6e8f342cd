"""Front matter: what a document says of itself, and what is told of its mistakes."""

from __future__ import annotations

import pytest

from core.read.limits import Limits
from core.sources.documents.front import Front, Relation, front_of

FULL = """\
---
id: ADR-7
title: Keys against double charges
type: Decision
status: Accepted
version: 1.10
subsystem: payments
tags: [idempotency, retry]
updated: 2026-03-04
supersedes: ADR-2
implements: [REQ-1, REQ-2]
satisfies:
- requirements/refunds.md
references: shop.json#/paths/~1payments
---
# Text
"""


def read(text: str, file: str = "adr/7.md") -> tuple[Front, list[tuple[str, int]]]:
    front, findings = front_of(text.splitlines(), file, Limits())
    return front, [(each.rule, each.line) for each in findings]


def test_every_key() -> None:
    front, findings = read(FULL)
    assert findings == []
    assert (front.id, front.title) == ("ADR-7", "Keys against double charges")
    assert (front.type, front.status) == ("decision", "approved")
    assert front.version == "1.10"  # as written: no number
    assert (front.subsystem, front.tags) == ("payments", ("idempotency", "retry"))
    assert front.updated == "2026-03-04"
    assert front.relations == (
        Relation("IMPLEMENTS", "REQ-1", 11),
        Relation("IMPLEMENTS", "REQ-2", 11),
        Relation("SATISFIES", "requirements/refunds.md", 13),
        Relation("REFERENCES", "shop.json#/paths/~1payments", 14),
        Relation("SUPERSEDES", "ADR-2", 10),
    )
    assert (front.lines, front.id_line) == (15, 2)


def test_without_front_matter_there_is_nothing_wrong() -> None:
    assert read("# Text\n") == (Front(type="decision"), [])
    assert read("---\n\nA rule across the page.") == (Front(type="decision"), [])


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("adr/1.md", "decision"),
        ("docs/Decisions/1.md", "decision"),
        ("requirements/a/b.md", "requirement"),
        ("design/x.md", "design"),
        ("architecture/x.md", "architecture"),
        ("design/adr/1.md", "decision"),  # the nearest folder counts
        ("guide/x.md", "document"),
        ("adr.md", "document"),
    ],
)
def test_the_folder_tells_the_type(file: str, expected: str) -> None:
    assert read("# Text", file)[0].type == expected


@pytest.mark.parametrize(
    "type", ["architecture", "design", "requirement", "decision", "code", "document"]
)
def test_types(type: str) -> None:
    assert read(f"---\ntype: {type}\n---\n")[0].type == type


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        *((each, each) for each in ("draft", "proposed", "approved", "rejected")),
        *((each, each) for each in ("superseded", "deprecated")),
        ("accepted", "approved"),
    ],
)
def test_statuses(written: str, expected: str) -> None:
    assert read(f"---\nstatus: {written}\n---\n")[0].status == expected


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("---\nid: [\n---\n", ("front-matter", 1)),
        ("---\njust words\n---\n", ("front-matter", 1)),
        ("---\nid: A\n# never closed", ("front-matter", 1)),
        ("---\nid: A\nstatus: done\n---\n", ("unknown-status", 3)),
        ("---\ntype: poem\n---\n", ("unknown-type", 2)),
        ("---\nid: A\n\nupdated: soon\n---\n", ("bad-date", 4)),
        ("---\ntitle: {a: b}\n---\n", ("front-matter", 2)),
        ("---\nimplements:\n- A\n- {b: c}\n---\n", ("front-matter", 4)),
        ("---\nid: A\nid: B\n---\n", ("duplicate-key", 3)),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, finding: tuple[str, int]) -> None:
    assert read(text)[1] == [finding]


def test_what_is_right_beside_a_mistake_is_read() -> None:
    front, _ = read("---\nid: A\nstatus: done\nimplements: [B, {c: d}]\n---\n")
    assert (front.id, front.status) == ("A", "")
    assert [each.target for each in front.relations] == ["B"]


def test_the_line_in_the_reason_is_that_of_the_document() -> None:
    _, findings = front_of(["---", "a: b", "c: [", "---"], "x.md", Limits())
    (finding,) = findings
    assert "line 3" in finding.message or "line 4" in finding.message
    assert "line 2" not in finding.message


def test_tags_may_be_one_line_and_a_date_may_be_called_so() -> None:
    front, _ = read("---\ntags: a, b , a\ndate: 2025-01-01T10:00:00Z\n---\n")
    assert (front.tags, front.updated) == (("a", "b"), "2025-01-01T10:00:00Z")


def test_a_bomb_is_a_finding_and_the_text_is_read() -> None:
    deep = "---\n" + "a: " + "[" * 500 + "]" * 500 + "\n---\n"
    front, findings = read(deep)
    assert findings == [("front-matter", 1)]
    assert front.lines == 3
