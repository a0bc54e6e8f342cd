"""What an import statement brings into a file, whatever the language writes it like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

ALL = "*"


@dataclass(frozen=True, slots=True)
class Import:
    """One name that another file gives."""

    path: str  # of the file, with "/" and without ending: `shop/cart`, `./cart`, `../models`
    name: str = ""  # what is taken from it; "" for the file itself, "*" for all it has
    alias: str = ""  # what it is called here; "" where it is called as it is

    @property
    def local(self) -> str:
        """The name that this file uses."""
        return self.alias or self.name or self.path.rpartition("/")[2]


def imports_of(language: str, statement: str) -> Iterator[Import]:
    """The names that one statement brings in."""
    read = _READERS.get(language)
    return read(" ".join(statement.split())) if read else iter(())


def _named(text: str, mark: str = " as ") -> Iterator[tuple[str, str]]:
    """`a, b as c` → names and what they are called here."""
    for item in text.split(","):
        name, _, alias = item.strip().partition(mark)
        if name.strip():
            yield name.strip(), alias.strip()


# --- one reader a language

_FROM = re.compile(r"\Afrom (\.*+)([\w.]*+) import \(?([^()#]*+)\)?")


def _python(text: str) -> Iterator[Import]:
    if found := _FROM.match(text):
        dots, module, names = found.groups()
        path = _relative(dots) + module.replace(".", "/")
        yield from (Import(path, name, alias) for name, alias in _named(names))
    else:
        for name, alias in _named(text.removeprefix("import ")):
            yield Import(name.replace(".", "/"), "", alias or name)


def _relative(dots: str) -> str:
    return "" if not dots else "./" if len(dots) == 1 else "../" * (len(dots) - 1)


_SOURCE = re.compile(r"""(?:from|import|require\()\s*["'`]([^"'`]+)["'`]""")
_BRACES = re.compile(r"\{([^{}]*+)\}")
_STAR = re.compile(r"\*(?: as (\w+))?")


def _script(text: str) -> Iterator[Import]:
    found = _SOURCE.search(text)
    if not found:
        return
    path = re.sub(r"\.[mc]?[jt]sx?$", "", found[1])
    head = re.sub(r"^(?:import|export|const|let|var)\b(?: type\b)?", "", text[: found.start()])
    if "require(" in text:
        head, mark = head.partition("=")[0], ":"
    else:
        mark = " as "
    if braces := _BRACES.search(head):
        for name, alias in _named(re.sub(r"\btype ", "", braces[1]), mark):
            yield Import(path, name, alias)
    head = _BRACES.sub("", head)
    if star := _STAR.search(head):
        yield Import(path, "" if star[1] else ALL, star[1] or "")
    if default := re.match(r"\A\s*+(\w++)\s*+(?:,|$)", _STAR.sub("", head)):
        yield Import(path, "" if "require(" in text else "default", default[1])


def _jvm(text: str) -> Iterator[Import]:
    name, _, alias = text.removeprefix("import ").rstrip("; ").partition(" as ")
    name = name.removeprefix("static ").strip()
    path, _, last = name.replace(".", "/").rpartition("/")
    if last == ALL:
        yield Import(path, ALL)
    elif last[:1].isupper() and not path.rpartition("/")[2][:1].isupper():
        yield Import(f"{path}/{last}", last, alias)  # a class is in the file of its name
        yield Import(path, last, alias)  # or in another of its package
    else:
        yield Import(path, last, alias)


def _go(text: str) -> Iterator[Import]:
    alias, _, path = text.rpartition(" ")
    yield Import(path.strip('"`'), "", "" if alias in ("_", ".") else alias)


def _rust(text: str) -> Iterator[Import]:
    if found := re.search(r"\bmod (\w+)", text):
        yield Import(f"./{found[1]}", "", found[1])
        return
    for path, alias in _spread(re.sub(r"^(?:pub(?:\([^)]*\))? )?use ", "", text).rstrip("; ")):
        steps = [step for step in path.split("::") if step]
        base = {"self": "./", "super": "../"}.get(steps[0], "") if steps else ""
        steps = steps[1:] if base or steps[:1] == ["crate"] else steps
        if steps:
            yield Import(base + "/".join(steps[:-1]), steps[-1], alias)


def _spread(text: str) -> Iterator[tuple[str, str]]:
    """`a::{b, c as d}` → `a::b` and `a::c` called `d`."""
    head, brace, rest = text.partition("{")
    if not brace:
        name, _, alias = text.partition(" as ")
        yield name.strip().removesuffix("::self"), alias.strip()
        return
    for item in _apart(rest.rpartition("}")[0]):
        yield from ((head.strip() + name, alias) for name, alias in _spread(item.strip()))


def _apart(text: str) -> Iterator[str]:
    """At the commas that are in no braces."""
    depth, start = 0, 0
    for at, c in enumerate(text):
        depth += (c == "{") - (c == "}")
        if c == "," and not depth:
            yield text[start:at]
            start = at + 1
    if text[start:].strip():
        yield text[start:]


def _include(text: str) -> Iterator[Import]:
    if found := re.search(r'["<]([^"<>]++)[">]', text):
        path = re.sub(r"\.\w+$", "", found[1])
        yield Import(f"./{path}" if '"' in text else path, ALL)


def _csharp(text: str) -> Iterator[Import]:
    text = re.sub(r"^(?:global )?using (?:static )?", "", text).rstrip("; ")
    alias, equals, name = text.partition("=")
    path = (name if equals else text).strip().replace(".", "/")
    head, _, last = path.rpartition("/")
    yield Import(head, last, alias.strip()) if equals else Import(path, ALL)


def _ruby(text: str) -> Iterator[Import]:
    if found := re.search(r"""["']([^"']+)["']""", text):
        path = found[1].removesuffix(".rb")
        is_near = text.startswith("require_relative") and not path.startswith(".")
        yield Import(f"./{path}" if is_near else path, ALL)


def _php(text: str) -> Iterator[Import]:
    if found := re.search(r"""["']([^"']+)["']""", text):
        yield Import("./" + found[1].removesuffix(".php").lstrip("/"), ALL)
        return
    text = re.sub(r"^use (?:function |const )?", "", text).rstrip("; ").replace("\\", "::")
    for item in _apart(text):
        for path, alias in _spread(item.strip()):
            head, _, last = path.strip(":").replace("::", "/").rpartition("/")
            yield Import(f"{head}/{last}" if head else last, last, alias)


_READERS: Mapping[str, Callable[[str], Iterator[Import]]] = {
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "java": _jvm,
    "kotlin": _jvm,
    "go": _go,
    "rust": _rust,
    "c": _include,
    "cpp": _include,
    "csharp": _csharp,
    "ruby": _ruby,
    "php": _php,
}
