"""Bytes become a document, or the sentence that refuses them."""

from __future__ import annotations

import pytest

from core.errors import UnreadableSpec, UnsafeSpec
from core.read.limits import Limits
from core.sources.documents.read import parse


def test_title_by_front_matter_then_heading_then_name() -> None:
    def title(text: str) -> str:
        return str(parse(text.encode(), "docs/my-guide.md", limits=Limits()).value.title)

    assert title("---\ntitle: One\n---\n# Two\n") == "One"
    assert title("# Two\n") == "Two"
    assert title("Words.\n") == "my-guide"


def test_any_encoding_and_line_ends() -> None:
    for data in ("# Größe\r\n\r\nx\r\n".encode("utf-16"), "\ufeff# Größe\n\nx".encode()):
        document = parse(data, "a.md", limits=Limits())
        assert document.value.title == "Größe"
    odd = parse(b"# a\xff\n", "a.md", limits=Limits())
    assert [finding.rule for finding in odd.findings] == ["encoding"]


def test_what_begins_as_markup_is_read() -> None:
    document = parse(b"<!-- note -->\n# T\n\nx", "a.md", limits=Limits())
    assert document.value.title == "T"


@pytest.mark.parametrize(
    ("data", "error"),
    [(b"  \n", UnreadableSpec), (b"a\x00b", UnreadableSpec), (b"x" * 5_000_001, UnsafeSpec)],
)
def test_refusals(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^a\.md: it|^a\.md: the file is empty"):
        parse(data, "a.md", limits=Limits())


def test_lines_of_sections() -> None:
    document = parse(b"# T\n\nx\n\n## One\n", "a.md", limits=Limits())
    assert (document.line_of("/one"), document.line_of("/gone")) == (5, 1)
