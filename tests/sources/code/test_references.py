"""Who calls whom: within a file, through imports, on objects, and where it cannot be told."""

from __future__ import annotations

import pytest

from core.sources.code.outline import outline
from core.sources.code.references import References, Target


def edges(files: dict[str, str], file: str, qualname: str) -> dict[str, str]:
    """`file:qualname` → labels."""
    outlines = {name: outline(name, text) for name, text in files.items()}
    one = next(d for d in outlines[file].definitions if d.qualname == qualname)
    found = References(outlines).of(file, one).targets
    return {f"{t.file}:{t.qualname}": " ".join(sorted(labels)) for t, labels in found.items()}


CART = "class Cart:\n    def add(self): self.save()\n    def save(self): pass\ndef price(): pass\n"


@pytest.mark.parametrize(
    ("files", "of", "expected"),
    [
        ({"a.py": CART}, "a.py Cart.add", {"a.py:Cart.save": "calls"}),
        (
            {"a.py": "def f(): g()\ndef g(): f()\n"},
            "a.py f",
            {"a.py:g": "calls"},
        ),
        (
            {"s/cart.py": CART, "s/app.py": "from .cart import price as p\ndef f(): p()\n"},
            "s/app.py f",
            {"s/cart.py:price": "calls"},
        ),
        (
            {
                "s/__init__.py": "",
                "s/cart.py": CART,
                "app.py": "import s.cart as c\ndef f(): c.price()\n",
            },
            "app.py f",
            {"s/cart.py:price": "calls"},
        ),
        (
            {
                "s/__init__.py": "from s.cart import Cart\n",
                "s/cart.py": CART,
                "app.py": "from s import Cart\ndef f():\n    c = Cart()\n    c.add()\n",
            },
            "app.py f",
            {"s/cart.py:Cart": "calls", "s/cart.py:Cart.add": "calls"},
        ),
        (
            {
                "cart.py": CART,
                "b.py": "from cart import Cart\nclass Big(Cart):\n"
                "    def f(self): self.add(); super().save()\n",
            },
            "b.py Big.f",
            {"cart.py:Cart.add": "calls", "cart.py:Cart.save": "calls"},
        ),
        (
            {"cart.py": CART, "b.py": "from cart import Cart\nclass Big(Cart):\n    pass\n"},
            "b.py Big",
            {"cart.py:Cart": "inherits"},
        ),
        (
            {"cart.py": CART, "b.py": "from cart import Cart\nimport os\n"},
            "b.py ",
            {"cart.py:Cart": "imports"},
        ),
        (
            {
                "s/cart.ts": "export class Cart { add() {} }\n",
                "s/app.ts": "import { Cart } from './cart';\n"
                "function f(cart: Cart) { cart.add(); }\n",
            },
            "s/app.ts f",
            {"s/cart.ts:Cart.add": "calls"},
        ),
        (
            {
                "shop/Cart.java": "class Cart { void add() { save(); } void save() {} }\n",
                "shop/App.java": "class App { void f(Cart c) { c.add(); } }\n",
            },
            "shop/App.java App.f",
            {"shop/Cart.java:Cart.add": "calls"},
        ),
        (
            {"shop/Cart.java": "class Cart { void add() { save(); } void save() {} }\n"},
            "shop/Cart.java Cart.add",
            {"shop/Cart.java:Cart.save": "calls"},
        ),
        (
            {
                "cart/cart.go": "package cart\nfunc Price() {}\n",
                "app/main.go": 'import "example.com/shop/cart"\nfunc f() { cart.Price() }\n',
            },
            "app/main.go f",
            {"cart/cart.go:Price": "calls"},
        ),
        (
            {
                "src/cart.rs": "pub fn price() {}\n",
                "src/app.rs": "use crate::cart::price;\nfn f() { price() }\n",
            },
            "src/app.rs f",
            {"src/cart.rs:price": "calls"},
        ),
        (
            {
                "cart.c": "int price(void) { return 1; }\n",
                "app.c": '#include "cart.h"\nint f(void) { return price(); }\n',
            },
            "app.c f",
            {"cart.c:price": "calls"},
        ),
        (
            {
                "cart.rb": "class Cart\n  def add; end\nend\n",
                "app.rb": "require_relative 'cart'\ndef f\n  Cart.new.add()\nend\n",
            },
            "app.rb f",
            {"cart.rb:Cart.add": "calls"},
        ),
        (
            {
                "App.cs": "class App { Cart cart; void F() { cart.Add(); } }\n",
                "Cart.cs": "class Cart { void Add() {} }\n",
            },
            "App.cs App.F",
            {"Cart.cs:Cart.Add": "calls"},
        ),
        (
            {
                "a.php": "<?php class Cart { function add() { $this->save(); }\n"
                " function save() {} }\n"
            },
            "a.php Cart.add",
            {"a.php:Cart.save": "calls"},
        ),
        (
            {
                "s/__init__.py": "from .money import price\n",
                "s/cart.py": CART + "from .money import tax\n",
                "s/money.py": "def tax(): pass\n",
                "s/app.py": "from . import cart\nfrom s import cart as c\n"
                "def f(): cart.price(); c.Cart().add(); c.tax()\n",
            },
            "s/app.py f",
            {
                "s/cart.py:price": "calls",
                "s/cart.py:Cart": "calls",
                "s/cart.py:Cart.add": "calls",
                "s/money.py:tax": "calls",
            },
        ),
        (
            {
                "src/cart.rs": "pub fn price() {}\n",
                "src/web/mod.rs": "use super::cart;\nfn f() { cart::price() }\n",
            },
            "src/web/mod.rs f",
            {"src/cart.rs:price": "calls"},
        ),
        (
            {
                "shop/Cart.java": "class Cart {\n void add() {}\n}\n",
                "shop/Log.java": "class Log {\n void add() {}\n}\n",
                "shop/App.java": "class App {\n private final Cart cart;\n Log log;\n"
                " void g(Log cart) {\n  cart.add();\n }\n void f() {\n  cart.add();\n }\n}\n",
            },
            "shop/App.java App.f",
            {"shop/Cart.java:Cart.add": "calls"},
        ),
        (
            {
                "Cart.cs": "class Cart\n{\n  void Add() {}\n}\n",
                "Log.cs": "class Log\n{\n  void Add() {}\n}\n",
                "App.cs": "class App\n{\n  Cart _cart;\n  void F()\n  {\n   _cart.Add();\n  }\n}\n",
            },
            "App.cs App.F",
            {"Cart.cs:Cart.Add": "calls"},
        ),
        (
            {
                "Cart.kt": "class Cart {\n fun add() {}\n}\nclass Log {\n fun add() {}\n}\n",
                "App.kt": "class App(\n private val cart: Cart,\n) {\n fun f() {\n"
                "  cart.add()\n }\n}\n",
            },
            "App.kt App.f",
            {"Cart.kt:Cart.add": "calls"},
        ),
        (
            {
                "a.php": "<?php class Cart { function add() {} }\nclass Log { function add() {} }\n"
                "function f() { (new Cart())->add(); }\n"
            },
            "a.php f",
            {"a.php:Cart": "calls", "a.php:Cart.add": "calls"},
        ),
        (
            {
                "a.js": "class Cart { add() {} }\nclass Log { add() {} }\n"
                "function f() { (new Cart).add(); }\n"
            },
            "a.js f",
            {"a.js:Cart": "calls", "a.js:Cart.add": "calls"},
        ),
        (
            {"Cart.kt": "class Cart { fun add() = save()\n fun save() {} }\n"},
            "Cart.kt Cart.add",
            {"Cart.kt:Cart.save": "calls"},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_who_calls_whom(files: dict[str, str], of: str, expected: dict[str, str]) -> None:
    file, _, qualname = of.partition(" ")
    assert edges(files, file, qualname) == expected


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "import json\ndef f(): json.dumps(1); print(2); x.y.z()\n"},
        {
            "a.py": "from s import cart\ndef f(): cart.tax()\n",
            "s/__init__.py": "",
            "s/cart.py": CART,
            "s/money.py": "def tax(): pass\n",
        },
        {"a.py": "def f(x): x.save()\n", "b.py": "class A:\n    def save(self): pass\n"},
        {
            "pkg/__init__.py": "",
            "pkg/json.py": "def dumps(): pass\n",
            "a.py": "import json\ndef f(): json.dumps()\n",
        },
    ],
    ids=[
        "not among the files",
        "not in the module",
        "not imported",
        "a package's own module of that name",
    ],
)
def test_what_cannot_be_told_is_no_edge(files: dict[str, str]) -> None:
    assert edges(files, "a.py", "f") == {}


def test_a_method_that_only_one_imported_class_has() -> None:
    files = {
        "cart.py": "class Cart:\n    def check_out(self): pass\n",
        "app.py": "from cart import Cart\ndef f(things): things[0].check_out()\n",
    }
    assert edges(files, "app.py", "f") == {"cart.py:Cart.check_out": "calls"}


def test_a_variable_of_another_method_is_no_field() -> None:
    files = {
        "Cart.java": "class Cart {\n void add() {}\n}\n",
        "Log.java": "class Log {\n void add() {}\n}\n",
        "App.java": "class App {\n void f() {\n  var x = any();\n  x.add();\n }\n"
        " void g() {\n  Cart x = null;\n }\n}\n",
    }
    assert edges(files, "App.java", "App.f") == {}


def test_circles_end() -> None:
    files = {
        "a.py": "from b import x\nclass A(B): pass\nclass B(A):\n    def f(self): self.g(); x()\n",
        "b.py": "from a import x\n",
    }
    assert edges(files, "a.py", "B.f") == {}
    outlines = {name: outline(name, text) for name, text in files.items()}
    found = References(outlines).of("a.py", outlines["a.py"].definitions[2])
    assert Target("a.py", "A") in found.targets


def test_what_leads_out_of_the_files_is_counted() -> None:
    text = (
        "import os\nfrom b import x\nclass A(dict):\n    def f(self): x(); os.getcwd(); print()\n"
    )
    outlines = {
        name: outline(name, text)
        for name, text in {"a.py": text, "b.py": "def x(): pass\n"}.items()
    }
    module, _, method = outlines["a.py"].definitions
    assert [References(outlines).of("a.py", one).elsewhere for one in (module, method)] == [1, 2]


def test_names_and_the_text_of_the_file_at_hand_are_enough() -> None:
    texts = {
        "cart.py": CART,
        "app.py": "from cart import Cart\ndef f(c: Cart): c.add()\n",
    }
    outlines = {name: outline(name, text) for name, text in texts.items()}
    named = {name: one.named for name, one in outlines.items()}
    f = outlines["app.py"].definitions[-1]
    found = References(named, texts.__getitem__).of("app.py", f).targets
    assert [target.qualname for target in found] == ["Cart.add"]
    assert not any(one.text for one in named.values())
