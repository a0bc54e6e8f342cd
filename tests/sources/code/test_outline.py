"""What is found in a file of each language: one small file each, and the awkward ones."""

from __future__ import annotations

import pytest

from core.sources.code.languages import GRAMMARS, by_lines, grammar_of
from core.sources.code.outline import Outline, outline

SOURCES = {
    "cart.py": '''\
"""Carts."""
from .base import Base

class Cart(Base):
    """What is bought."""

    @property
    def total(self) -> int:
        """Of all lines."""
        return self.add(price(1))

def price(net: int) -> int:
    # not a docstring
    return net
''',
    "cart.js": """\
import { Base } from './base';
/** What is bought. */
export class Cart extends Base {
  /** Of all lines. */
  total() { return this.add(price(1)); }
}
// With tax.
const price = (net) => net;
""",
    "cart.ts": """\
import { Base } from './base';
/** What is bought. */
export abstract class Cart<T> extends Base<T> {
  /** Of all lines. */
  @Get("/total")
  async total(): Promise<number> { return this.add(price(1)); }
}
// With tax.
export const price = (net: number): number => net;
""",
    "Cart.java": """\
import shop.Base;
/** What is bought. */
@Entity("/cart")
public class Cart extends Base {
  /** Of all lines. */
  @Get public int total() { return this.add(price(1)); }
  static int price(int net) { return net; }
}
""",
    "cart.go": """\
package shop
import "shop/base"
// What is bought.
type Cart struct { Base }
// Of all lines.
func (c *Cart) total() int { return c.add(price(1)) }
func price(net int) int { return net }
""",
    "cart.rs": """\
use crate::base::Base;
/// What is bought.
#[derive(Debug)]
pub struct Cart { lines: u8 }
impl Base for Cart {
    /// Of all lines.
    fn total(&self) -> u8 { self.add(price(1)) }
}
fn price(net: u8) -> u8 { net }
""",
    "cart.c": """\
#include "base.h"
/* What is bought. */
struct Cart { int lines; };
/* Of all lines. */
int total(struct Cart *cart) { return add(cart, price(1)); }
static int price(int net) { return net; }
""",
    "cart.cpp": """\
#include "base.hpp"
namespace shop {
// What is bought.
class Cart : public Base {
 public:
  // Of all lines.
  int total() const { return this->add(price(1)); }
};
int price(int net) { return net; }
}
""",
    "Cart.cs": """\
using Shop.Base;
namespace Shop {
  /// <summary>What is bought.</summary>
  [Route("/cart")]
  public class Cart : Base {
    /// <summary>Of all lines.</summary>
    public int Total() { return this.Add(Price(1)); }
    static int Price(int net) => net;
  }
}
""",
    "cart.rb": """\
require_relative "base"
module Shop
  # What is bought.
  class Cart < Base
    # Of all lines.
    def total
      self.add(price(1))
    end

    def price(net)
      net
    end
  end
end
""",
    "cart.php": """\
<?php
use Shop\\Base;
/** What is bought. */
class Cart extends Base {
  /** Of all lines. */
  public function total(): int { return $this->add(price(1)); }
}
function price(int $net): int { return $net; }
""",
    "Cart.kt": """\
package shop
import shop.Base

/** What is bought. */
class Cart(val lines: Int) : Base() {
  /** Of all lines. */
  fun total(): Int = this.add(price(1))
}
fun price(net: Int): Int = net
""",
}
# language → the class, the method with what it says, calls and inherits, and the function
EXPECTED = {
    "cart.py": ("Cart", "Cart.total", "def total(self) -> int", "self.add", "function price"),
    "cart.js": ("Cart", "Cart.total", "total()", "this.add", "function price"),
    "cart.ts": (
        "Cart",
        "Cart.total",
        "async total(): Promise<number>",
        "this.add",
        "function price",
    ),
    "Cart.java": ("Cart", "Cart.total", "public int total()", "this.add", "method Cart.price"),
    "cart.go": ("Cart", "Cart.total", "func (c *Cart) total() int", "c.add", "function price"),
    "cart.rs": ("Cart", "Cart.total", "fn total(&self) -> u8", "self.add", "function price"),
    "cart.c": ("Cart", "total", "int total(struct Cart *cart)", "add", "function price"),
    "cart.cpp": ("Cart", "Cart.total", "int total() const", "this.add", "function price"),
    "Cart.cs": ("Cart", "Cart.Total", "public int Total()", "this.Add", "method Cart.Price"),
    "cart.rb": ("Shop.Cart", "Shop.Cart.total", "def total", "self.add", "method Shop.Cart.price"),
    "cart.php": (
        "Cart",
        "Cart.total",
        "public function total(): int",
        "this.add",
        "function price",
    ),
    "Cart.kt": ("Cart", "Cart.total", "fun total(): Int", "this.add", "function price"),
}


@pytest.mark.parametrize("file", SOURCES)
def test_a_language(file: str) -> None:
    found = outline(file, SOURCES[file])
    klass, method, signature, call, function = EXPECTED[file]
    kinds = {one.qualname: one.kind for one in found.definitions}
    assert kinds[klass] == "class"
    kind, _, name = function.partition(" ")
    assert kinds[name] == kind
    of_class = _of(found, klass)
    assert of_class.doc == "What is bought."
    assert file == "cart.c" or of_class.bases == ("Base",)
    told = _of(found, method)
    assert told.kind == ("function" if file == "cart.c" else "method")
    assert (told.signature, told.doc) == (signature, "Of all lines.")
    assert call in told.calls
    assert told.calls[-1].lower() == "price"
    assert next(one.path.rpartition("/")[2].lower() for one in found.imports) == "base"
    assert found.error_lines == ()


def test_every_grammar_is_tested() -> None:
    tested = {grammar.language for file in SOURCES if (grammar := grammar_of(file))}
    assert tested == {grammar.language for grammar in GRAMMARS}


def _of(found: Outline, qualname: str):  # type: ignore[no-untyped-def]
    return next(one for one in found.definitions if one.qualname == qualname)


def test_lines_take_in_comments_and_decorators() -> None:
    found = outline("a.py", "x = 1\n\n@route('/a')\n@other\ndef f():\n    pass\n\n\ny = 2\n")
    one = _of(found, "f")
    assert (one.start, one.end, one.marks) == (3, 6, "@route('/a') @other def")


def test_what_is_inside_a_function_belongs_to_it() -> None:
    found = outline(
        "a.py", "def f():\n    def g():\n        h()\n    class K: pass\n    return g\n"
    )
    assert [one.qualname for one in found.definitions] == ["", "f"]
    assert _of(found, "f").calls == ("h",)


def test_a_header_is_cpp_where_it_says_so() -> None:
    assert outline("a.h", "int add(int a);\n").language == "c"
    assert outline("a.h", "class A { int b; };\n").language == "cpp"


def test_a_language_without_a_grammar_is_a_module() -> None:
    found = outline("run.sh", "#!/bin/sh\n# Runs it.\n\necho hi\n")
    assert (found.language, [one.kind for one in found.definitions]) == ("shell", ["module"])
    assert found.module.doc == "Runs it."
    assert by_lines("README") == "text"


def test_errors_are_told_by_their_lines_and_the_rest_is_read() -> None:
    found = outline("a.py", "def good():\n    return 1\n\ndef bad(:\n    ((\n")
    assert "good" in {one.qualname for one in found.definitions}
    assert found.error_lines


def test_the_strings_of_requests_are_kept_and_those_of_decorators_apart() -> None:
    text = "@app.post('/a')\ndef f():\n    send('/b/{id}', 'POST', 'other')\n"
    one = _of(outline("a.py", text), "f")
    assert one.strings == ("/b/{id}", "POST")
    assert "'/a'" in one.marks


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("#ifndef CART_H\n#define CART_H\n", ""),
        ("#pragma once\n", ""),
        ("#ifndef CART_H\n#define CART_H\n\n/* What is bought. */\n", "What is bought."),
        ("#pragma once\n// What is bought.\n", "What is bought."),
        ("#define MOST 3\n#undef LEAST\n", ""),
        ("#if defined(X)\n", ""),
        ("// What is bought.\n#pragma once\n", "What is bought."),
    ],
)
def test_what_a_preprocessor_is_told_says_nothing_about_a_file(head: str, said: str) -> None:
    for file in ("cart.h", "cart.hpp", "cart.c"):
        assert outline(file, f"{head}int price(int net);\n").module.doc == said


def test_a_licence_says_nothing_about_a_file() -> None:
    assert outline("a.go", "// Copyright 2026 A. Nyone\n\npackage a\n").module.doc == ""
    assert outline("a.go", "// Package a adds.\npackage a\n").module.doc == "Package a adds."
