"""What the nodes of a syntax tree say: bodies, comments, names and calls, in any language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tree_sitter import Node

Text: TypeAlias = "Callable[[Node], str]"  # what a node is written like

COMMENTS = frozenset(("comment", "line_comment", "block_comment"))
_WRAPPERS = frozenset(
    ("decorated_definition", "export_statement", "template_declaration", "expression_statement")
)
_MARKS = frozenset(("attribute_item", "decorator"))  # stand before what they are about
_BLOCKS = "class_body function_body enum_class_body body_statement field_declaration_list"
_BODIES = frozenset(_BLOCKS.split())
_HOLDERS = frozenset(("variable_declarator", "type_spec"))
_GIVEN = ("value", "right", "type")  # a function that is given a name


def whole(node: Node) -> Node:
    """A definition with what is written around it: decorators, `export`, `template`."""
    while node.parent and node.parent.type in _WRAPPERS:
        node = node.parent
    return node


def leading(node: Node) -> tuple[Node, list[Node]]:
    """The first decorator or attribute of a whole definition, and the comments before it."""
    first = node
    comments: list[Node] = []
    row, before = node.start_point.row, _before(node)
    while before is not None and row - last_row(before) <= 1 and not _is_behind_code(before):
        if before.type in _MARKS and not comments:
            first = before
        elif before.type in COMMENTS:
            comments.append(before)
        else:
            break
        row, before = before.start_point.row, before.prev_named_sibling
    return first, comments[::-1]


def _before(node: Node) -> Node | None:
    """Ruby has the comment of the first method before the body that the method is in."""
    is_first = node.prev_sibling is None and node.parent and node.parent.type == "body_statement"
    return node.parent.prev_named_sibling if is_first and node.parent else node.prev_named_sibling


def last_row(node: Node) -> int:
    """A line comment may hold the end of its line."""
    return node.end_point.row - (node.end_point.column == 0)


def _is_behind_code(node: Node) -> bool:
    before = node.prev_sibling
    return before is not None and last_row(before) == node.start_point.row


def body(node: Node) -> Node | None:
    """The block of a definition, or of the function that is given its name."""
    if found := node.child_by_field_name("body"):
        return found
    for child in node.named_children:
        if child.type in _BODIES:
            return child
        if child.type in _HOLDERS:
            return body(child)
    values = (node.child_by_field_name(name) for name in _GIVEN)
    return next((found for value in values if value and (found := body(value))), None)


def declared(node: Node) -> Node:
    """The name of a definition: of a C function it lies within its declarator."""
    while inner := node.child_by_field_name("declarator") or _referenced(node):
        node = inner
    return node


def _referenced(node: Node) -> Node | None:
    """C++ has no field for what `&f()` declares."""
    is_one = node.type in ("reference_declarator", "parenthesized_declarator")
    return next(iter(node.named_children), None) if is_one else None


def head_end(node: Node) -> int:
    """Where the signature of a definition ends, in bytes."""
    block = body(node)
    if block is None:
        return node.end_byte
    comments = (c.start_byte for c in node.named_children if c.type in COMMENTS)
    return min([block.start_byte, *(at for at in comments if at > node.start_byte)])


def marks_inside(node: Node, text: Text) -> Iterator[str]:
    """What is written into a definition about it and is no part of its signature."""
    for child in node.named_children:
        if child.type in ("attribute_list", "decorator"):
            yield text(child)
        elif child.type == "modifiers":
            yield from (text(one) for one in child.named_children if "annotation" in one.type)


# --- names

_TARGETS = ("function", "constructor", "type")
_OWNERS = ("object", "receiver", "scope")


def callee(node: Node, text: Text) -> str:
    """Whom a call calls, dotted; "" where that is no name."""
    for name in _TARGETS:
        if target := node.child_by_field_name(name):
            return dotted(text(target))
    method = node.child_by_field_name("method") or node.child_by_field_name("name")
    if method is None:
        return dotted(text(node.named_children[0])) if node.named_children else ""
    owners = (node.child_by_field_name(name) for name in _OWNERS)
    owner = next(filter(None, owners), None)
    return dotted(f"{text(owner)}.{text(method)}" if owner else text(method))


_ARROWS = re.compile(r"\?->|->|\?\.|::|!!\.")
_GENERIC = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_CALLED = re.compile(r"\([^()]*\)")
_MADE = re.compile(r"^(?:\(*new )?([A-Z]\w*)(?:\.new§?|§)\)*\.")  # an object that was just made
_NEW = re.compile(r"\(new (\w+)§?\)")  # `(new Cart()).add`
_NAME = re.compile(r"[\w$]+(?:\.[\w$]+)*")
_LONGEST = 80


def dotted(text: str) -> str:
    """A name as it would be in Python: `$this->cart->add` is `this.cart.add`.

    Of a call on something that has no name, the method alone is known: `?.add`.
    """
    if len(text) > 5 * _LONGEST:
        return ""
    while (shorter := _CALLED.sub("§", _NEW.sub(r"new \1§", _GENERIC.sub("", text)))) != text:
        text = shorter
    text = _ARROWS.sub(".", text).replace("super§", "super")
    text = _MADE.sub(r"\1.", re.sub(r"\s+", " ", text).strip("&*@ "))
    text = re.sub(r"\s|[$&*@?!]", "", text).removesuffix("§").replace("\\", ".").strip(".")
    if _NAME.fullmatch(text) and len(text) <= _LONGEST:
        return text
    last = text.rpartition(".")[2]
    return f"?.{last}" if "." in text and _NAME.fullmatch(last) else ""


# --- comments

_LINE_MARKS = re.compile(
    r"^[ \t]*+(?:/\*[*!]?|\*(?!/)|///?!?|//!|#+!?|--+|;+)\s?|(?:(?<!\s)\s++)?\*{1,200}+/\s*+$", re.M
)
_TAGS = re.compile(r"</?(?:summary|remarks|returns|param|example|value)\b[^<>]*>")
_GUARD = r"(?:#[ \t]*+pragma\b.*\n|#[ \t]*+ifndef\b.*\n\s*+#[ \t]*+define\b.*\n)"  # of a C header
_DIRECTIVE = r"(?:include|define|undef|ifn?def|if|pragma|error|import|region|nullable)\b"
_OPENING = re.compile(
    rf"\A(?:<\?php\s*+)?(?:#!.*\n)?\s*+{_GUARD}?\s*+"
    rf"((?:[ \t]*+(?:#(?!{_DIRECTIVE}|!\[)|//|--).*(?:\n|\Z))+|/\*[\s\S]*?\*/)"
)
_LEGAL = re.compile(r"copyright|licen[cs]e|all rights reserved|coding[:=]|eslint-|@ts-", re.I)
_LONGEST_DOC = 2_000


def said(comment: str) -> str:
    """The words of a comment or a docstring."""
    text = _TAGS.sub("", _LINE_MARKS.sub("", comment))
    return "\n".join(line.strip() for line in text.strip().split("\n")).strip()[:_LONGEST_DOC]


def opening(text: str) -> str:
    """What the comment at the top of a file says of it; "" for a licence."""
    found = _OPENING.match(text)
    words = said(found[1]) if found else ""
    return "" if _LEGAL.search(words) else words


def docstring(block: Node, text: Text) -> str:
    """The string that a Python block begins with."""
    first = next((c for c in block.named_children if c.type not in COMMENTS), None)
    if first is not None and first.type == "expression_statement" and first.named_children:
        first = first.named_children[0]
    if first is None or first.type != "string":
        return ""
    words = text(first).lstrip("rRbBuUfF").strip("\"'").strip()
    return "\n".join(line.strip() for line in words.split("\n"))[:_LONGEST_DOC]
