"""What a source file holds: its classes, functions and methods, whom they call, what it imports."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from core.sources.code.imports import Import, imports_of
from core.sources.code.languages import Grammar, by_lines, grammar_of, reader_of
from core.sources.code.nodes import (
    callee,
    declared,
    docstring,
    dotted,
    head_end,
    leading,
    marks_inside,
    opening,
    said,
    whole,
)
from core.text.requests import METHODS

if TYPE_CHECKING:
    from tree_sitter import Node

MODULE, CLASS, FUNCTION, METHOD = "module", "class", "function", "method"
_SCOPE = "scope"  # gives its name to what is in it, and is nothing itself
_KINDS = (CLASS, FUNCTION, METHOD, _SCOPE)
_OF_CLASSES = ("impl_item", "companion_object")  # scopes whose functions are a class's
_SIGNATURE = 300  # characters
_STRING = 200
_MARK = re.compile(r"[@\[(]")
_TAIL = re.compile(r"(?:\s?(?:; end|=>|[{:=;])){1,9}+$")


@dataclass(frozen=True, slots=True)
class Definition:
    """One element of a file; what it says leaves out what is said of the elements inside it."""

    kind: str  # module, class, function or method
    qualname: str  # `Cart.add`; "" for the module
    start: int  # line, from 1: of its comment or first decorator
    end: int  # inclusive
    signature: str = ""  # one line, without decorators; "" for the module
    doc: str = ""  # what its docstring or the comment before it says
    calls: tuple[str, ...] = ()  # as they are written, dotted: `self.save`, `Cart.add`
    bases: tuple[str, ...] = ()  # of a class
    marks: str = ""  # its decorators or annotations, as written
    strings: tuple[str, ...] = ()  # literals that may be a part of a request: paths and methods

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2]

    @property
    def named(self) -> Definition:
        """What other files need to know of it: where it is, and what it inherits from."""
        return Definition(self.kind, self.qualname, self.start, self.end, bases=self.bases)


@dataclass(frozen=True, slots=True)
class Outline:
    """A source file, read."""

    language: str
    kin: str  # of the languages that call each other
    text: str
    definitions: tuple[Definition, ...]  # the module first, then by where they begin
    imports: tuple[Import, ...] = ()
    self_names: tuple[str, ...] = ()
    error_lines: tuple[int, ...] = ()  # where the grammar could not follow

    @property
    def module(self) -> Definition:
        return self.definitions[0]

    @property
    def named(self) -> Outline:
        """What other files need to know of it: names, without a text."""
        names = tuple(one.named for one in self.definitions)
        return replace(self, text="", definitions=names, error_lines=())


@lru_cache(maxsize=16)  # every element of a file asks for them, one after the other
def lines_of(text: str) -> Sequence[str]:
    return text.split("\n")


def outline(file: str, text: str) -> Outline:
    """What a file of this name holds. One in a language without a grammar is a module alone."""
    grammar = grammar_of(file, text)
    lines = text.count("\n") + (not text.endswith("\n"))
    module = Definition(MODULE, "", 1, max(lines, 1), doc=opening(text))
    if grammar is None:
        return Outline(by_lines(file), by_lines(file), text, (module,))
    return _Reading(grammar, text).outline(module)


@dataclass(slots=True)
class _Open:
    """A definition that is being collected; places are in bytes."""

    kind: str
    name: str
    node: Node
    start: int  # with decorators and attributes
    end: int
    named: int  # where its name is: what is before that is about it
    comments: Sequence[Node] = ()
    qualname: str = ""
    calls: dict[str, None] = field(default_factory=dict)
    bases: dict[str, None] = field(default_factory=dict)
    strings: dict[str, None] = field(default_factory=dict)


class _Reading:
    """One file on its way from a tree to an outline."""

    def __init__(self, grammar: Grammar, text: str) -> None:
        from tree_sitter import Parser, QueryCursor

        self._grammar, self._text = grammar, text
        self._data = text.encode("utf-8", "replace")
        self._ends = [match.start() for match in re.finditer(b"\n", self._data)]  # of lines
        language, query = reader_of(grammar)
        self._root = Parser(language).parse(self._data).root_node
        self._noted: list[tuple[str, Node]] = []  # calls, bases, imports and strings
        self._defined: list[_Open] = []
        for _, captures in QueryCursor(query).matches(self._root):
            self._take({name: nodes[0] for name, nodes in captures.items()})

    def _take(self, captures: dict[str, Node]) -> None:
        for kind in _KINDS:
            if node := captures.get(kind):
                self._defined.append(self._opened(kind, node, captures))
                return
        self._noted += [(name, node) for name, node in captures.items() if name[0] != "_"]

    def _opened(self, kind: str, node: Node, captures: dict[str, Node]) -> _Open:
        at = captures.get("name")
        name = self._name(at) if at else ""
        if receiver := captures.get("receiver"):
            name = f"{_receiver(self._written(receiver))}.{name}"
        outer = whole(node)
        first, comments = leading(outer)
        named = at.start_byte if at else node.start_byte
        return _Open(kind, name, node, first.start_byte, outer.end_byte, named, comments)

    def _written(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _name(self, node: Node) -> str:
        name = self._written(declared(node)).strip()
        name = name.partition("<")[0] if name.endswith(">") else name
        return "".join(name.replace("::", ".").split()).strip("\"'.:")

    def outline(self, module: Definition) -> Outline:
        """`module` has its place and what its first comment says."""
        kept = list(self._nested())
        own = _Open(MODULE, "", self._root, 0, len(self._data) + 1, 0)
        self._hand_out(kept, own)
        self._give_bases(kept)
        if self._grammar.has_docstrings and (words := docstring(self._root, self._written)):
            module = replace(module, doc=words)
        module = replace(module, calls=tuple(own.calls), strings=tuple(own.strings))
        definitions = [self._definition(one) for one in kept if one.kind != _SCOPE]
        return Outline(
            self._grammar.language,
            self._grammar.kin,
            self._text,
            (module, *definitions),
            tuple(self._imports()),
            self._grammar.self_names,
            tuple(sorted(set(self._errors()))),
        )

    def _nested(self) -> Iterator[_Open]:
        """Definitions with their qualnames; what is inside a function belongs to it."""
        around: list[_Open] = []
        for one in sorted(self._defined, key=lambda one: (one.start, -one.end)):
            while around and around[-1].end <= one.start:
                around.pop()
            owner = around[-1] if around else None
            is_nameless = not one.name and one.kind != _SCOPE
            if is_nameless or (owner and owner.kind in (FUNCTION, METHOD)):
                continue
            one.qualname = ".".join(filter(None, (owner.qualname if owner else "", one.name)))
            if one.kind in (FUNCTION, METHOD):
                one.kind = METHOD if "." in one.name or _is_class(owner) else FUNCTION
            around.append(one)
            yield one

    def _hand_out(self, kept: Sequence[_Open], module: _Open) -> None:
        """Calls, bases and strings to the innermost definition that they are written in."""
        around, coming = [module], list(reversed(kept))
        for name, node in sorted(self._noted, key=lambda one: one[1].start_byte):
            while coming and coming[-1].start <= node.start_byte:
                around.append(coming.pop())
            while around[-1].end <= node.start_byte:
                around.pop()
            self._note(around[-1], name, node)

    def _note(self, inside: _Open, name: str, node: Node) -> None:
        if name == "call" and (called := callee(node, self._written)):
            inside.calls[called] = None
        elif name == "base" and (base := dotted(self._written(node))):
            inside.bases[base] = None
        elif name == "string" and node.end_byte - node.start_byte <= _STRING:
            text = self._written(node).lstrip("fFrRbBuU$@").strip("\"'`")
            if node.start_byte >= inside.named and ("/" in text or text.lower() in METHODS):
                inside.strings[text] = None

    def _give_bases(self, kept: Sequence[_Open]) -> None:
        """What `impl Trait for Cart` says, to the class."""
        classes = {one.qualname: one for one in kept if one.kind == CLASS}
        for scope in kept:
            if scope.kind == _SCOPE and (of := classes.get(scope.qualname)):
                of.bases.update(scope.bases)

    def _imports(self) -> Iterator[Import]:
        for name, node in self._noted:
            if name == "import":
                yield from imports_of(self._grammar.language, self._written(node))

    def _definition(self, one: _Open) -> Definition:
        first = min([one.start, *(comment.start_byte for comment in one.comments)])
        return Definition(
            one.kind,
            one.qualname,
            self._line(first),
            self._line(max(one.end - 1, one.start)),
            self._signature(one),
            self._doc(one),
            tuple(one.calls),
            tuple(one.bases),
            self._marks(one),
            tuple(one.strings),
        )

    def _marks(self, one: _Open) -> str:
        text = self._data[one.start : one.named].decode("utf-8", "replace")
        return " ".join(text.split())[:_SIGNATURE] if _MARK.search(text) else ""

    def _line(self, at: int) -> int:
        return bisect_left(self._ends, at) + 1

    def _signature(self, one: _Open) -> str:
        node = one.node
        text = self._data[node.start_byte : head_end(node)].decode("utf-8", "replace")
        for mark in marks_inside(node, self._written):
            text = text.replace(mark, "", 1)
        line = _TAIL.sub("", " ".join(text.split()))
        if one.name.rpartition(".")[2] not in line:  # `typedef struct { … } point`
            line += f" {one.name}"
        return line if len(line) <= _SIGNATURE else line[: _SIGNATURE - 1] + "…"

    def _doc(self, one: _Open) -> str:
        if self._grammar.has_docstrings:
            block = one.node.child_by_field_name("body")
            return docstring(block, self._written) if block else ""
        return said("\n".join(self._written(comment).rstrip("\n") for comment in one.comments))

    def _errors(self) -> Iterator[int]:
        left = [self._root] if self._root.has_error else []
        while left:
            node = left.pop()
            if node.type == "ERROR" or node.is_missing:
                yield node.start_point.row + 1
            else:
                left += [child for child in node.children if child.has_error]


def _is_class(owner: _Open | None) -> bool:
    return owner is not None and (owner.kind == CLASS or owner.node.type in _OF_CLASSES)


def _receiver(text: str) -> str:
    """`(c *Cart[T])` → `Cart`."""
    names: list[str] = re.findall(r"\w+", text.partition("[")[0])
    return names[-1] if names else ""
