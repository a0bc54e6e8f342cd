"""Import statements of each language, as names of files and what is taken from them."""

from __future__ import annotations

import pytest

from core.sources.code.imports import imports_of

CASES = [
    ("python", "import a.b", [("a/b", "", "a.b")]),
    ("python", "import a.b as c, d", [("a/b", "", "c"), ("d", "", "d")]),
    ("python", "from a.b import (\n    c,\n    d as e,\n)", [("a/b", "c", ""), ("a/b", "d", "e")]),
    ("python", "from . import c", [("./", "c", "")]),
    ("python", "from ..a import c", [("../a", "c", "")]),
    ("python", "from a import *", [("a", "*", "")]),
    (
        "javascript",
        "import d, {a as b} from './x.js'",
        [("./x", "a", "b"), ("./x", "default", "d")],
    ),
    ("javascript", "import * as n from 'x'", [("x", "", "n")]),
    ("javascript", "const {a, b: c} = require('./z')", [("./z", "a", ""), ("./z", "b", "c")]),
    ("javascript", "z = require('./z')", [("./z", "", "z")]),
    ("typescript", "import type {A} from './x'", [("./x", "A", "")]),
    ("typescript", "export * from './y'", [("./y", "*", "")]),
    ("java", "import a.b.C;", [("a/b/C", "C", ""), ("a/b", "C", "")]),
    ("java", "import static a.b.C.d;", [("a/b/C", "d", "")]),
    ("java", "import a.b.*;", [("a/b", "*", "")]),
    ("kotlin", "import a.b.C as D", [("a/b/C", "C", "D"), ("a/b", "C", "D")]),
    ("go", 'x "a/b"', [("a/b", "", "x")]),
    ("go", '"a/b"', [("a/b", "", "")]),
    ("rust", "use crate::a::{b, c as d};", [("a", "b", ""), ("a", "c", "d")]),
    ("rust", "pub use super::a::B;", [("../a", "B", "")]),
    ("rust", "mod x;", [("./x", "", "x")]),
    ("c", '#include "a/b.h"', [("./a/b", "*", "")]),
    ("cpp", "#include <vector>", [("vector", "*", "")]),
    ("csharp", "using A.B;", [("A/B", "*", "")]),
    ("csharp", "using X = A.B.C;", [("A/B", "C", "X")]),
    ("ruby", 'require_relative "a/b"', [("./a/b", "*", "")]),
    ("ruby", "require 'json'", [("json", "*", "")]),
    ("php", "use A\\B\\C as D;", [("A/B/C", "C", "D")]),
    ("php", "use A\\{B, C};", [("A/B", "B", ""), ("A/C", "C", "")]),
    ("php", "require_once 'a.php'", [("./a", "*", "")]),
    ("shell", ". ./a.sh", []),
]


@pytest.mark.parametrize(("language", "statement", "expected"), CASES)
def test_a_statement(language: str, statement: str, expected: list[tuple[str, str, str]]) -> None:
    found = [(one.path, one.name, one.alias) for one in imports_of(language, statement)]
    assert found == expected
