"""Documents as chunks: the document, its sections, their parts."""

from __future__ import annotations

from support.documents import by_id, chunked, read

from core.model import ChunkType, Level
from core.sources.documents.chunk import body_of, rendered

ORDERS = """\
---
id: DES-1
title: Orders
type: design
status: approved
version: 2.1
subsystem: orders
tags: [stock]
updated: 2026-01-02
---
How an order is placed.

## Stock

Stock is reserved.

### Limits

At most five.

## Empty

### Below

x
"""


def test_ids_types_and_what_each_says() -> None:
    chunks = by_id(chunked({"design/orders.md": ORDERS}))
    assert [*chunks] == [
        "design/orders.md:document",
        "design/orders.md:section/stock",
        "design/orders.md:section/limits",
        "design/orders.md:section/empty",
        "design/orders.md:section/below",
    ]
    whole, limits = chunks["design/orders.md:document"], chunks["design/orders.md:section/limits"]
    for chunk in chunks.values():
        assert chunk.type is ChunkType.DOCUMENT
        assert (chunk.kind, chunk.status, chunk.version) == ("design", "approved", "2.1")
        assert chunk.tags == ("subsystem:orders", "stock")
        assert chunk.title == "Orders"
        assert not chunk.deprecated
        assert chunk.facts["last_updated"] == "2026-01-02"
    assert (whole.name, whole.path) == ("Orders", "")
    assert (limits.name, limits.path) == ("Limits", "Orders > Stock > Limits")
    assert (limits.origin, limits.facts["lines"]) == ("design/orders.md#L17-L20", "17-20")
    assert limits.text == "Orders > Stock > Limits\nAt most five."
    assert "How an order is placed." in whole.text
    assert "Stock; Limits; Empty; Below" in whole.text


def test_sections_belong_to_their_document() -> None:
    chunks = by_id(chunked({"a.md": "# A\n\n## B\n\nx\n\n## C\n\ny\n"}))
    assert chunks["a.md:section/b"].ref_ids == {"a.md:document": ("BELONGS_TO",)}
    assert chunks["a.md:document"].referenced_by == ("a.md:section/b", "a.md:section/c")
    assert chunks["a.md:document"].ref_ids == {}


def test_a_long_section_has_parts() -> None:
    long = "\n\n".join("word " * 300 for _ in range(3))
    chunks = by_id(chunked({"a.md": f"# A\n\n## B\n\n{long}\n"}))
    parts = ["a.md:section/b:part-2", "a.md:section/b:part-3"]
    own = chunks["a.md:section/b"]
    assert own.ref_ids == {**dict.fromkeys(parts, ("part",)), "a.md:document": ("BELONGS_TO",)}
    for id in parts:
        assert chunks[id].referenced_by == (own.id,)
        assert chunks[id].element == own.id
        assert chunks[id].text.startswith("A > B\nword")
        assert len(chunks[id].text) < 2_100


def test_a_long_opening_has_parts_too() -> None:
    long = "\n\n".join("word " * 300 for _ in range(2))
    chunks = by_id(chunked({"a.txt": long}))
    assert [*chunks] == ["a.txt:document", "a.txt:document:part-2"]
    assert chunks["a.txt:document"].ref_ids == {"a.txt:document:part-2": ("part",)}


def test_what_is_superseded_is_of_the_past() -> None:
    chunks = by_id(chunked({"a.md": "---\nid: A\n---\nx", "b.md": "---\nsupersedes: A\n---\ny"}))
    old = chunks["a.md:document"]
    assert (old.status, old.deprecated) == ("superseded", True)
    assert "Status: superseded" in rendered(old, read("a.md", "---\nid: A\n---\nx"))[0]


def test_no_level_has_more_tokens_than_the_one_above_it() -> None:
    for chunk in by_id(chunked({"a.md": ORDERS, "b.md": "x"})).values():
        counts = [chunk.token_count[level] for level in Level]
        assert counts == sorted(counts, reverse=True)


def test_renderings_are_those_that_are_counted() -> None:
    (spec,) = chunked({"a.md": ORDERS})
    for chunk, kept in zip(spec.chunks, spec.renderings, strict=True):
        assert rendered(chunk, spec.document) == kept
        assert all(text.endswith("\n") and text[0].strip() for text in kept)


def test_the_body_is_all_that_was_written() -> None:
    (spec,) = chunked({"a.md": ORDERS})
    whole, stock = (body_of(chunk, spec.document) for chunk in spec.chunks[:2])
    assert whole["front_matter"]["version"] == 2.1
    assert whole["sections"] == ["Stock", "Limits", "Empty", "Below"]
    assert stock == {"title": "Orders", "path": "Orders > Stock", "text": "Stock is reserved."}


def test_a_hash_changes_with_what_is_said_and_with_the_status() -> None:
    one = by_id(chunked({"a.md": "---\nid: A\n---\n## B\n\nx"}))
    same = by_id(chunked({"a.md": "---\nid: A\n---\n## B\n\nx"}))
    other = by_id(
        chunked({"a.md": "---\nid: A\n---\n## B\n\nx", "b.md": "---\nsupersedes: A\n---"})
    )
    id = "a.md:section/b"
    assert one[id].content_hash == same[id].content_hash != other[id].content_hash


def test_the_report_counts() -> None:
    (spec,) = chunked({"a.md": ORDERS})
    assert spec.report.counts == {"sections": 4, "chunks": 5}
    assert spec.report.references == 4
    assert spec.catalog is None
