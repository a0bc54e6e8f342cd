"""The languages that are read by their grammar, and the files of others that are read by lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Query

_QUERIES = Path(__file__).parent / "queries"


@dataclass(frozen=True, slots=True)
class Grammar:
    """What reads a language, and how it writes what the grammar does not tell."""

    language: str  # as people filter by it
    endings: tuple[str, ...]
    module: str  # the package of its grammar
    made_by: str = "language"  # the function there
    family: str = ""  # languages that call each other; "" for itself alone
    self_names: tuple[str, ...] = ("this",)  # how a method calls its own object
    has_docstrings: bool = False  # in the body, not in a comment before it

    @property
    def kin(self) -> str:
        return self.family or self.language


GRAMMARS = (
    Grammar(
        *("python", (".py", ".pyi", ".pyw"), "tree_sitter_python"),
        self_names=("self", "cls", "super()"),
        has_docstrings=True,
    ),
    Grammar(
        *("javascript", (".js", ".jsx", ".mjs", ".cjs"), "tree_sitter_javascript"),
        family="script",
    ),
    Grammar(
        *("typescript", (".ts", ".mts", ".cts"), "tree_sitter_typescript", "language_typescript"),
        family="script",
    ),
    Grammar(
        *("typescript", (".tsx",), "tree_sitter_typescript", "language_tsx"),
        family="script",
    ),
    Grammar("java", (".java",), "tree_sitter_java", family="jvm", self_names=("this", "super")),
    Grammar("kotlin", (".kt", ".kts"), "tree_sitter_kotlin", family="jvm"),
    Grammar("go", (".go",), "tree_sitter_go", self_names=()),
    Grammar("rust", (".rs",), "tree_sitter_rust", self_names=("self", "Self")),
    Grammar("c", (".c",), "tree_sitter_c", family="c", self_names=()),
    Grammar(
        *("cpp", (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"), "tree_sitter_cpp"),
        family="c",
    ),
    Grammar("csharp", (".cs",), "tree_sitter_c_sharp", self_names=("this", "base")),
    Grammar("ruby", (".rb",), "tree_sitter_ruby", self_names=("self",)),
    Grammar(
        *("php", (".php",), "tree_sitter_php", "language_php"),
        self_names=("this", "self", "static", "parent"),
    ),
)
BY_LINES: Mapping[str, str] = {  # ending → language
    ".sh": "shell",
    ".bash": "shell",
    ".ps1": "powershell",
    ".sql": "sql",
    ".swift": "swift",
    ".scala": "scala",
    ".lua": "lua",
    ".pl": "perl",
    ".r": "r",
    ".jl": "julia",
    ".ex": "elixir",
    ".exs": "elixir",
    ".erl": "erlang",
    ".hs": "haskell",
    ".dart": "dart",
    ".m": "objectivec",
    ".proto": "protobuf",
    ".graphql": "graphql",
    ".tf": "terraform",
    ".vue": "vue",
    ".svelte": "svelte",
    ".groovy": "groovy",
    ".gradle": "groovy",
}
_BY_ENDING = {ending: grammar for grammar in GRAMMARS for ending in grammar.endings}
ENDINGS = (*_BY_ENDING, ".h", *BY_LINES)
_CPP = re.compile(r"^[ \t]*+(?:class\s+\w|namespace\b|template\s*<|using\s+\w)|::|\bpublic:", re.M)


def grammar_of(file: str, text: str = "") -> Grammar | None:
    """What reads a file of this name; None for one that is read by lines.

    A header is C++ where its text says so, and C otherwise.
    """
    ending = _ending(file)
    if ending == ".h":
        ending = ".hpp" if _CPP.search(text) else ".c"
    return _BY_ENDING.get(ending)


def by_lines(file: str) -> str:
    """The language of a file that no grammar reads; "text" where its name does not say it."""
    return BY_LINES.get(_ending(file), "text")


def _ending(file: str) -> str:
    name = file.rpartition("/")[2].lower()
    return f".{name.rpartition('.')[2]}" if "." in name else ""


@cache
def reader_of(grammar: Grammar) -> tuple[Language, Query]:
    """The language, and the query for what `outline` asks of a file in it."""
    from tree_sitter import Language, Query

    language = Language(getattr(import_module(grammar.module), grammar.made_by)())
    text = (_QUERIES / f"{grammar.language}.scm").read_text(encoding="utf-8")
    return language, Query(language, text)
