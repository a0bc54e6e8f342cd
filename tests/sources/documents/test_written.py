"""How a document's chunks are written."""

from __future__ import annotations

from support.documents import read

from core.sources.documents.written import about, head_full, section_full, signature, trail


def test_the_head_names_what_the_front_matter_says() -> None:
    text = read("adr/1.md", "---\nid: A\nstatus: draft\ntags: x\n---\n# T\n\n## One\n").value
    assert about(text, "superseded") == "Type: decision · Status: superseded · Id: A · Tags: x"
    assert head_full(text, "", "Words.") == (
        "# T\n\nType: decision · Id: A · Tags: x\n\nWords.\n\nSections: One\n"
    )


def test_the_way_down_to_a_section() -> None:
    text = read("x.md", "# T\n\n## A\n\n### B\n\n## T\n").value
    first, second, third = text.outline.sections
    assert trail(text, second) == "T > A > B"
    assert trail(text, third) == "T"
    assert section_full(text, second, "Words.", ()) == "## T > A > B\n\nWords.\n"
    assert section_full(text, first, "", [second]) == "## T > A\n\nSections: B\n"


def test_one_line_with_the_first_sentence() -> None:
    assert signature("A > B", "design", "draft", "**First** one. Second.") == (
        "A > B (design, draft) — First one.\n"
    )
    assert signature("A", "document", "", "") == "A (document)\n"
    long = signature("A", "code", "", "word " * 100)
    assert len(long) < 150
    assert long.endswith("word…\n")
