"""One graph over all kinds of files: edges that lead from documents to whatever they mention."""

from __future__ import annotations

import json

import pytest
from support.documents import by_id, chunked
from support.specs import api

SHOP = json.dumps(
    api(
        paths={"/users/{id}": {"get": {"responses": {"404": {"description": "none"}}}}},
        schemas={"User": {"type": "object", "properties": {"mail": {"type": "string"}}}},
    )
)


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("shop.json", "shop.json:info"),
        ("shop.json#/paths/~1users~1{id}/get", "shop.json:paths/users/{id}/get"),
        ("shop.json#/paths/~1users~1%7Bid%7D/get", "shop.json:paths/users/{id}/get"),
        ("shop.json#/components/schemas/User", "shop.json:components/schemas/User"),
        ("shop.json#/components/schemas/User/properties/mail", "shop.json:components/schemas/User"),
        ("shop.json:paths/users/{id}/get", "shop.json:paths/users/{id}/get"),
        ("b.md", "b.md:document"),
        ("b.md#parts", "b.md:section/parts"),
        ("b.md#title-of-b", "b.md:document"),
        ("b.md#L5", "b.md:section/parts"),
        ("b.md:section/parts", "b.md:section/parts"),
        ("#here", "a.md:section/here"),
    ],
)
def test_a_link_is_an_edge_in_both_directions(link: str, target: str) -> None:
    texts = {
        "a.md": f"# A\n\nSee [it](<{link}>).\n\n## Here\n\nx\n",
        "b.md": "# Title of B\n\ny\n\n## Parts\n\nz\n",
    }
    specs = chunked(texts, {"shop.json": SHOP})
    chunks = by_id(specs)
    assert chunks["a.md:document"].ref_ids[target] == ("REFERENCES",)
    assert "a.md:document" in chunks[target].referenced_by
    assert not any(spec.report.unresolved for spec in specs)


def test_an_api_that_nothing_refers_to_is_as_it_was() -> None:
    alone = chunked({}, {"shop.json": SHOP})
    beside = chunked({"a.md": "# A\n\n[b](#a)\n"}, {"shop.json": SHOP})
    assert by_id(alone).items() <= by_id(beside).items()


def test_relations_have_their_labels() -> None:
    texts = {
        "a.md": "---\nimplements: R\nreferences: shop.json:components/schemas/User\n---\n[r](r.md)",
        "r.md": "---\nid: R\n---\nMust.",
    }
    chunks = by_id(chunked(texts, {"shop.json": SHOP}))
    assert chunks["a.md:document"].ref_ids == {
        "r.md:document": ("IMPLEMENTS", "REFERENCES"),
        "shop.json:components/schemas/User": ("REFERENCES",),
    }


def test_what_leads_nowhere_is_told_with_its_line() -> None:
    text = (
        "---\nsatisfies:\n- R-9\n- gone.md\n---\n# A\n\n[x](lost.md)\n[y](#hree)\n\n## Here\n\nz\n"
    )
    spec, _ = chunked({"a.md": text}, {"shop.json": SHOP})
    assert [(u.line, u.ref, u.missing, u.kind) for u in spec.report.unresolved] == [
        (3, "R-9", "", "SATISFIES"),
        (4, "gone.md", "gone.md", "SATISFIES"),
        (8, "lost.md", "lost.md", "REFERENCES"),
        (9, "#hree", "", "REFERENCES"),
    ]
    assert spec.report.unresolved[0].file == "a.md"


def test_a_place_that_a_file_does_not_have_is_told() -> None:
    links = ["shop.json#/paths/~1gone/get", "b.md#gone", "b.md#L900"]
    text = "\n\n".join(f"[x]({link})" for link in links)
    spec = chunked({"a.md": text, "b.md": "y"}, {"shop.json": SHOP})[0]
    assert [u.ref for u in spec.report.unresolved] == links
    assert not any("b.md" in id for id in by_id([spec])["a.md:document"].ref_ids)


def test_an_edge_to_itself_is_none() -> None:
    chunks = by_id(chunked({"a.md": "# A\n\n[me](a.md) [me](#a)\n"}))
    assert chunks["a.md:document"].ref_ids == {}


def test_the_web_and_the_post_are_no_leads() -> None:
    spec = chunked({"a.md": "[w](https://example.org/x.md) [m](mailto:a@b.example)"})[0]
    assert spec.report.unresolved == ()


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("b.md#own", "b.md:section/parts"),
        ("b.md#above", "b.md:section/parts"),
        ("b.md#within", "b.md:section/parts"),
        ("b.md#block", "b.md:section/more"),
        ("b.md#top", "b.md:document"),
        ("b.md#parts", "b.md:section/parts"),
    ],
)
def test_an_anchor_in_markup_is_a_place(link: str, target: str) -> None:
    b = (
        "# B <a name='top'></a>\n\ny\n\n<a id=above></a>\n\n## Parts <a id=\"own\"></a>\n\n"
        'z <span id="within">here</span>\n\n### More\n\n<div class="x" id="block">\nu\n</div>\n\n'
        '<a id="parts"></a>\n'
    )
    specs = chunked({"a.md": f"[it]({link})", "b.md": b})
    assert [*by_id(specs)["a.md:document"].ref_ids] == [target]
    assert not any(spec.report.unresolved for spec in specs)


def test_markup_in_code_is_no_place() -> None:
    b = '# B\n\n```\n<a id="x"></a>\n```\n\n`<a id="y"></a>`\n'
    spec = chunked({"a.md": "[1](b.md#x) [2](b.md#y)", "b.md": b})[0]
    assert [u.ref for u in spec.report.unresolved] == ["b.md#x", "b.md#y"]


@pytest.mark.parametrize("link", ["guide/", "guide", "./guide/#top"])
def test_a_link_to_a_folder_means_its_front_page(link: str) -> None:
    specs = chunked({"a.md": f"[it]({link})", "guide/README.md": "# Top\n\nx"})
    assert [*by_id(specs)["a.md:document"].ref_ids] == ["guide/README.md:document"]
    specs = chunked({"a.md": f"[it]({link})", "guide/index.md": "# Top\n\nx"})
    assert [*by_id(specs)["a.md:document"].ref_ids] == ["guide/index.md:document"]
    above = chunked({"b/a.md": "[it](..)", "README.md": "# Top"})
    assert [*by_id(above)["b/a.md:document"].ref_ids] == ["README.md:document"]
    lost = chunked({"a.md": f"[it]({link})"})[0].report.unresolved
    assert [each.missing for each in lost] == ["guide"]


@pytest.mark.parametrize("path", ["../req/r.md", "req/r.md", "/req/r.md"])
def test_a_relation_may_name_a_path_from_the_top(path: str) -> None:
    """As reports, filters and ids call files; one beside the document goes first."""
    texts = {"design/a.md": f"---\nimplements: {path}\n---\nx", "req/r.md": "y"}
    found = by_id(chunked(texts))["design/a.md:document"].ref_ids
    assert found == {"req/r.md:document": ("IMPLEMENTS",)}
    beside = {**texts, "design/req/r.md": "z"}
    nearest = "design/req/r.md" if path == "req/r.md" else "req/r.md"
    assert [*by_id(chunked(beside))["design/a.md:document"].ref_ids] == [f"{nearest}:document"]
