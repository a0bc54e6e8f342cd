"""What links and relations mean: ids, paths, anchors, places in other files."""

from __future__ import annotations

import pytest
from support.documents import read

from core.sources.documents.front import Relation
from core.sources.documents.outline import Link
from core.sources.documents.targets import linked, links, related
from core.sources.files import BY_NAME


@pytest.mark.parametrize(
    ("written", "name", "place"),
    [
        ("other.md", "design/other.md", ""),
        ("other.md#storage", "design/other.md", "storage"),
        ("../adr/7.md", "adr/7.md", ""),
        ("/adr/7.md", "adr/7.md", ""),
        ("a%20b.md?raw=1", "design/a b.md", ""),
        ("#below", BY_NAME + "design/x.md", "below"),
        ("../shop.json#/paths/~1users/post", "shop.json", "/paths/~1users/post"),
        ("../app.py#L10-L20", "app.py", "L10-L20"),
        ("shop.json:paths/users/post", BY_NAME + "shop.json", "paths/users/post"),
        ("shop.json:paths/users/post:errors", BY_NAME + "shop.json", "paths/users/post:errors"),
        ("../../out.md", "../out.md", ""),
    ],
)
def test_links(written: str, name: str, place: str) -> None:
    target = linked(Link(written, 1), "design/x.md", "")
    assert target
    assert (target.names, target.place) == ((name,), place)


@pytest.mark.parametrize("written", ["mailto:a@b.example", "tel:123", "data:text/plain,x", ""])
def test_what_is_no_file(written: str) -> None:
    target = linked(Link(written, 1), "x.md", "")
    assert target is None or target.names == (BY_NAME + "x.md",)


def test_a_page_on_the_web_is_no_mistake() -> None:
    target = linked(Link("https://example.org/guide.md#top", 1), "x.md", "")
    assert target
    assert (target.names, target.is_elsewhere) == (("example.org/guide.md",), True)


def test_a_prefix_stands_before_the_names() -> None:
    target = linked(Link("/b.md", 1), "team/a.md", "team")
    assert target
    assert target.names == ("team/b.md",)


def test_a_relation_names_an_id_or_a_path() -> None:
    by_id = related(Relation("IMPLEMENTS", "REQ-1", 2), "x.md", "")
    assert by_id.names == ("document-id:REQ-1", "REQ-1")
    assert by_id.missing == ""
    by_path = related(Relation("IMPLEMENTS", "req/1.md#a", 2), "x.md", "")
    assert by_path.names == ("document-id:req/1.md#a", "req/1.md")
    assert (by_path.place, by_path.missing) == ("a", "req/1.md")


def test_a_document_gives_its_names_and_what_it_refers_to() -> None:
    document = read("x.md", "---\nid: A\nsupersedes: B\n---\n[c](c.md)\n\n## H\n\n[d](d.md)\n")
    assert set(links(document, "")) == {
        "$id:document-id:A",
        "document-id:A",
        "document-id:B",
        "B",
        "c.md",
        "d.md",
    }
