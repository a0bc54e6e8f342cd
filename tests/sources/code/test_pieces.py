"""Each element's own text: nothing twice, nothing lost, and long ones in parts."""

from __future__ import annotations

import itertools

from support.code import read

from core.sources.code.outline import Definition, Outline
from core.sources.code.pieces import LONGEST, pieces

SHOP = '''\
"""The shop."""
import os

LIMIT = 5


@final
class Cart:
    """What is bought."""

    kind = "cart"

    def add(self, item):
        """Add it."""
        return item

    def total(self): return 1


def price():
    return os.sep
'''


def text_of(outline: Outline, qualname: str) -> str:
    return pieces(outline, _named(outline, qualname))[0].text


def _named(outline: Outline, qualname: str) -> Definition:
    return next(one for one in outline.definitions if one.qualname == qualname)


def test_an_element_shows_those_inside_it_by_their_signature() -> None:
    shop = read(SHOP).value
    assert text_of(shop, "") == (
        '"""The shop."""\nimport os\n\nLIMIT = 5\n\n\nclass Cart …\n\n\ndef price() …'
    )
    assert text_of(shop, "Cart") == (
        '@final\nclass Cart:\n    """What is bought."""\n\n    kind = "cart"\n\n'
        "    def add(self, item) …\n\n    def total(self) …"
    )
    assert text_of(shop, "Cart.add").strip() == (
        'def add(self, item):\n        """Add it."""\n        return item'
    )


def test_each_line_is_in_one_element() -> None:
    shop = read(SHOP).value
    whole = "\n".join(p.text for one in shop.definitions for p in pieces(shop, one))
    for line in SHOP.split("\n"):
        if line.strip() and "def total" not in line:
            assert whole.count(line) == 1 or line.strip().startswith(("class", "def"))


def test_long_elements_are_in_parts_that_lose_nothing() -> None:
    lines = [f"    x{n} = {n}" for n in range(600)]
    long = read("\n".join(["def f():", *lines]) + "\n").value
    found = pieces(long, long.definitions[1])
    assert [piece.part for piece in found[:3]] == ["", "part-2", "part-3"]
    assert all(len(piece.text) <= LONGEST for piece in found)
    assert "\n".join(piece.text for piece in found).split("\n")[1:] == lines
    for before, after in itertools.pairwise(found):
        assert after.start == before.end + 1


def test_without_a_grammar_windows_overlap() -> None:
    text = "".join(f"echo {n}\n" for n in range(1, 131))
    found = pieces(outline := read(text, "run.sh").value, outline.module)
    assert [(piece.start, piece.end) for piece in found] == [(1, 60), (51, 110), (101, 130)]


def test_elements_on_one_line_are_shown_as_it_is() -> None:
    one = read("class A { f() { g(); } }\n", "a.js").value
    assert text_of(one, "A") == "class A { f() { g(); } }"
    assert text_of(one, "A.f") == "class A { f() { g(); } }"
