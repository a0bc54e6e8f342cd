"""A text cut at its headings: anchors, the way down to each section, links with their lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.documents.outline import outline, slug_of

TEXT = """\
# Payments

How money moves. See [orders](orders.md#cancel).

## Refunds

Text with
a [link](x.md) and [one
more](y.md#z).

### Limits

- a list
- with [a link](z.md)

```python
# no heading
## this neither
```

## Refunds

<!-- nobody sees this -->

| a | b |
|---|---|
| 1 | [table](t.md) |
"""


def test_title_opening_and_sections() -> None:
    read = outline(TEXT)
    assert (read.title, read.slug) == ("Payments", "payments")
    assert read.opening.blocks == ("How money moves. See [orders](orders.md#cancel).",)
    assert [(s.slug, s.title, s.trail) for s in read.sections] == [
        ("refunds", "Refunds", ()),
        ("limits", "Limits", ("Refunds",)),
        ("refunds-1", "Refunds", ()),
    ]


def test_blocks_are_as_written_and_comments_are_left_out() -> None:
    _, limits, last = outline(TEXT).sections
    assert limits.blocks[0] == "- a list\n- with [a link](z.md)"
    assert limits.blocks[1].startswith("```python\n# no heading\n## this neither")
    assert last.text == "| a | b |\n|---|---|\n| 1 | [table](t.md) |"


def test_lines() -> None:
    read = outline(TEXT)
    assert (read.opening.line, read.opening.end) == (1, 4)
    assert [(s.line, s.end) for s in read.sections] == [(5, 10), (11, 20), (21, 27)]


def test_links_with_their_lines() -> None:
    read = outline(TEXT)
    said = [[(x.target, x.line) for x in s.links] for s in (read.opening, *read.sections)]
    assert said == [
        [("orders.md#cancel", 3)],
        [("x.md", 8), ("y.md#z", 8)],
        [("z.md", 14)],
        [("t.md", 27)],
    ]


def test_images_and_code_hold_no_links() -> None:
    read = outline("![a](a.png) `[b](b.md)`\n\n    [c](c.md)\n")
    assert read.opening.links == ()


def test_links_by_reference() -> None:
    read = outline("See [the guide][g].\n\n[g]: guide.md\n")
    assert [link.target for link in read.opening.links] == ["guide.md"]


def test_front_matter_is_skipped_and_lines_stay() -> None:
    read = outline("---\nid: A\n---\n# Title\n\n## One\n", skip=3)
    assert (read.title, read.opening.line) == ("Title", 4)
    assert read.sections[0].line == 6


def test_only_a_first_heading_of_the_first_order_is_the_title() -> None:
    read = outline("Words first.\n\n# One\n\n# Two\n")
    assert read.title == ""
    assert read.opening.blocks == ("Words first.",)
    assert [s.title for s in read.sections] == ["One", "Two"]
    assert outline("## Two\n").title == ""


def test_of_a_plain_text_only_underlined_lines_are_headings() -> None:
    text = "Title\n=====\n\n# a comment\n\nPart [x](y.md)\n----\nwords\n"
    read = outline(text, is_plain=True)
    assert read.title == "Title"
    assert read.opening.blocks == ("# a comment",)
    assert [s.title for s in read.sections] == ["Part [x](y.md)"]


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("How it works", "how-it-works"),
        ("What's new in 2.0?", "whats-new-in-20"),
        ("Größe & Maße", "größe--maße"),
        ("snake_case stays", "snake_case-stays"),
        ("???", "section"),
    ],
)
def test_anchors_are_those_of_github(title: str, slug: str) -> None:
    assert slug_of(title) == slug


def test_an_anchor_that_looks_like_the_second_of_two() -> None:
    read = outline("x\n\n## A\n\n## A 1\n\n## A\n\n## A\n")
    assert [s.slug for s in read.sections] == ["a", "a-1", "a-2", "a-3"]


def test_a_heading_keeps_its_words_and_loses_its_markup() -> None:
    read = outline("## The `code` of *a* [link](x.md)\n")
    assert read.sections[0].title == "The code of a link"
    assert read.sections[0].links[0].target == "x.md"


def test_a_heading_that_skips_an_order_stands_under_the_last_above_it() -> None:
    read = outline("# T\n\n## A\n\n#### B\n\n### C\n")
    assert [s.trail for s in read.sections] == [(), ("A",), ("A",)]


@given(st.text(max_size=300))
def test_any_text_is_read_with_anchors_of_its_own(text: str) -> None:
    read = outline(text)
    slugs = [s.slug for s in read.sections]
    assert len({*slugs}) == len(slugs)
    assert all(s.line <= s.end or not text for s in read.sections)
