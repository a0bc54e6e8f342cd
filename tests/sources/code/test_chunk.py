"""Source files as chunks: ids, facts, levels, parts, and edges in both directions."""

from __future__ import annotations

from support.code import by_id, chunked, read

from core.model import ChunkType, Level
from core.sources.code.chunk import body_of, rendered
from core.sources.code.written import searched, words

FILES = {
    "src/cart.py": '''\
"""Carts."""


class Cart:
    """What is bought."""

    def add(self, item: str) -> int:
        """Add an item.

        It is counted once.
        """
        return self.count(item)

    def count(self, item):
        return 1
''',
    "src/app.py": '''\
from cart import Cart


@app.post("/orders/{id}")
def place(cart: Cart):
    """Place an order."""
    return cart.add("x")
''',
}


def test_ids_and_what_each_says() -> None:
    chunks = by_id(chunked(FILES))
    assert [*chunks] == [
        "src/app.py:module",
        "src/app.py:function/place",
        "src/cart.py:module",
        "src/cart.py:class/Cart",
        "src/cart.py:method/Cart.add",
        "src/cart.py:method/Cart.count",
    ]
    add = chunks["src/cart.py:method/Cart.add"]
    assert (add.type, add.kind, add.language) == (ChunkType.CODE, "method", "python")
    assert (add.name, add.path, add.title) == ("Cart.add", "src/cart.py", "src/cart.py")
    assert add.source_file == "src/cart"
    assert add.origin == "src/cart.py#L7-L12"
    assert add.facts["lines"] == "7-12"
    assert add.facts["signature"] == "def add(self, item: str) -> int"
    assert "Add an item." in add.text
    assert chunks["src/cart.py:module"].name == "cart.py"
    assert chunks["src/app.py:function/place"].facts["requests"] == "serves POST /orders/{}"


def test_edges_go_both_ways() -> None:
    chunks = by_id(chunked(FILES))
    place = chunks["src/app.py:function/place"]
    assert place.ref_ids == {"src/cart.py:method/Cart.add": ("calls",)}
    assert chunks["src/app.py:module"].ref_ids == {"src/cart.py:class/Cart": ("imports",)}
    inverse = {(target, chunk.id) for chunk in chunks.values() for target in chunk.ref_ids}
    assert inverse == {(c.id, user) for c in chunks.values() for user in c.referenced_by}


def test_levels() -> None:
    (spec, cart) = chunked(FILES)
    place = spec.chunks[1]
    shown = rendered(place, spec.document)
    assert shown[Level.JSON] == (
        'src/app.py:4-7\n@app.post("/orders/{id}")\ndef place(cart: Cart):\n'
        '    """Place an order."""\n    return cart.add("x")\n'
    )
    assert shown[Level.COMPACT] == (
        "src/app.py:4-7\ndef place(cart: Cart)\nPlace an order.\ncalls: app.post, cart.add\n"
    )
    assert shown[Level.SIGNATURE] == "def place(cart: Cart) — src/app.py:4-7\n"
    for each in (spec, cart):
        for chunk, made in zip(each.chunks, each.renderings, strict=True):
            levels = rendered(chunk, each.document)
            assert made == (levels[Level.COMPACT], levels[Level.SIGNATURE])
            counts = [chunk.token_count[level] for level in Level]
            assert counts == sorted(counts, reverse=True)


def test_the_body_is_all_of_it() -> None:
    spec = chunked(FILES)[1]
    add = next(chunk for chunk in spec.chunks if chunk.name == "Cart.add")
    body = body_of(add, spec.document)
    assert body["docstring"] == "Add an item.\n\nIt is counted once."
    assert "return self.count(item)" in body["source"]


def test_overloads_are_numbered() -> None:
    text = "class A { void f() {} void f(int a) {} }\n"
    assert [*by_id(chunked({"A.java": text}))] == [
        "A.java:module",
        "A.java:class/A",
        "A.java:method/A.f",
        "A.java:method/A.f~2",
    ]


def test_long_elements_are_parts_of_one() -> None:
    text = "def f():\n" + "    x = 'something that takes a while'\n" * 200
    chunks = by_id(chunked({"a.py": text}))
    first, *others = (chunk for chunk in chunks.values() if chunk.element == "a.py:function/f")
    assert [chunk.part for chunk in others] == [f"part-{n}" for n in range(2, 2 + len(others))]
    assert {*first.ref_ids} == {chunk.id for chunk in others}
    assert all(chunk.referenced_by == (first.id,) for chunk in others)


def test_a_fence_in_the_code_does_not_end_the_one_around_it() -> None:
    spec = chunked({"a.py": 'def f():\n    """\n    ```\n    x\n    ```\n    """\n'})[0]
    for chunk in spec.chunks:
        for text in rendered(chunk, spec.document).values():
            assert "```" not in text


def test_names_are_searched_as_words() -> None:
    assert words("placeOrder_v2 HTTPServer") == "place order v 2 http server"
    chunk = by_id(chunked({"a.ts": "function placeOrder() { sendMail(); }\n"}))[
        "a.ts:function/placeOrder"
    ]
    assert "place order" in chunk.text
    assert searched("a\ncalls: sendMail, cart.add\n") == "sendMail, cart.add\nsend mail cart add"
    assert searched("a\nb\n") == ""


def test_a_change_elsewhere_in_the_file_changes_where_it_is_and_not_its_text() -> None:
    before = by_id(chunked(FILES))["src/cart.py:method/Cart.add"]
    moved = {**FILES, "src/cart.py": "import os\n" + FILES["src/cart.py"]}
    after = by_id(chunked(moved))["src/cart.py:method/Cart.add"]
    assert after.text == before.text  # so its vector is not made again
    assert after.content_hash != before.content_hash
    assert read(moved["src/cart.py"]).value.definitions
