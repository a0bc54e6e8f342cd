"""A document's text as a tree of headings: what stands under each, and the links in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_COMMENT = re.compile(r"\A\s*+<!--.*-->\s*+\Z", re.DOTALL)
_DROPPED = re.compile(r"[^\w\- ]")  # of a heading, in its anchor
_PLAIN = ("text", "code_inline")
_TAG = re.compile(r"<[A-Za-z/][^<>]*+>")
_NAMED = re.compile(r"""\s(?:id|name)\s*+=\s*+["']?+([^\s"'<>]++)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the text, as it is written there."""

    target: str
    line: int  # from 1


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, up to the next heading."""

    slug: str  # its anchor, as GitHub makes it; "" for what stands before the first heading
    title: str
    trail: tuple[str, ...]  # the headings above it, the outermost first
    blocks: tuple[str, ...]  # paragraphs, lists, tables, code, as written
    links: tuple[Link, ...]
    line: int  # of the heading
    end: int  # the last line
    anchors: tuple[str, ...] = ()  # what markup in it calls a place: `<a id="…">`

    @property
    def text(self) -> str:
        return "\n\n".join(self.blocks)


@dataclass(frozen=True, slots=True)
class Outline:
    """A text cut at its headings."""

    title: str  # its first heading, if that is one of the first order; else ""
    slug: str  # of the title
    opening: Section
    sections: tuple[Section, ...]


def outline(text: str, *, skip: int = 0, is_plain: bool = False) -> Outline:
    """Cut Markdown at its headings. The first `skip` lines are front matter.

    Of a plain text only underlined lines are headings. Comments are left out: nobody sees them.
    """
    lines = text.splitlines()
    body = "\n".join([*[""] * skip, *lines[skip:]])
    heads = list(_heads(_reader(is_plain).parse(body), lines))
    first, *others = heads
    titled = bool(others) and others[0].level == 1 and not first.blocks
    if titled:  # what stands under the title is the opening
        first, others = others[0], others[1:]
    ends = [*(head.line - 1 for head in others), len(lines)]
    slugs = _Slugs()
    slug = slugs.of(first.title) if titled else ""
    opening = first.section("", (), ends[0])
    trails = _trails(others)
    sections = tuple(
        head.section(slugs.of(head.title), trail, end)
        for head, trail, end in zip(others, trails, ends[1:], strict=True)
    )
    return Outline(first.title if titled else "", slug, opening, sections)


@dataclass(slots=True)
class _Head:
    """A section that is being read."""

    title: str
    level: int
    line: int
    blocks: list[str]
    links: list[Link]
    anchors: list[str]

    def section(self, slug: str, trail: tuple[str, ...], end: int) -> Section:
        said = tuple(self.blocks), tuple(self.links), self.line, end, tuple(self.anchors)
        return Section(slug, self.title, trail, *said)


@cache
def _reader(is_plain: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    if is_plain:
        return MarkdownIt("zero").enable("lheading")
    return MarkdownIt("commonmark").enable("table")


def _heads(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[_Head]:
    head = _Head("", 0, 1, [], [], [])
    waiting: list[str] = []  # anchors of lines that hold nothing else
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0:
            yield head
            start = token.map[0] if token.map else 0
            title, level = _said(tokens[at + 1]), int(token.tag[1:])
            head, waiting = _Head(title, level, start + 1, [], [], waiting), []
        elif token.level == 0 and token.nesting >= 0 and token.map:
            block = "\n".join(lines[slice(*token.map)]).rstrip()
            if block.strip() and not (token.type == "html_block" and _COMMENT.match(block)):
                head.blocks.append(block)
        if token.type == "inline":
            head.links += _links(token)
        if names := [*_anchors(token)]:
            waiting += names
        if token.content and not (names and _is_markup(token.content)):
            head.anchors += waiting
            waiting = []
    head.anchors += waiting
    yield head


def _is_markup(text: str) -> bool:
    """Whether nothing of it is seen; such a line in front of a heading belongs to that."""
    return not _TAG.sub("", text).strip()


def _anchors(token: Token) -> Iterator[str]:
    """What the markup of a token gives names to."""
    parts = [token] if token.type == "html_block" else token.children or ()
    for part in parts:
        if part.type in ("html_block", "html_inline"):
            for tag in _TAG.findall(part.content):
                yield from _NAMED.findall(tag)


def _said(inline: Token) -> str:
    """A heading without its markup."""
    parts = (
        child.content if child.type in _PLAIN else " " if "break" in child.type else ""
        for child in inline.children or ()
    )
    return " ".join("".join(parts).split())


def _links(inline: Token) -> Iterator[Link]:
    line = inline.map[0] + 1 if inline.map else 0
    for child in inline.children or ():
        if child.type == "link_open":
            yield Link(str(child.attrs.get("href", "")), line)
        line += child.type in ("softbreak", "hardbreak")


def _trails(heads: Iterable[_Head]) -> Iterator[tuple[str, ...]]:
    """Of each heading, those that it stands under."""
    above: list[_Head] = []
    for head in heads:
        while above and above[-1].level >= head.level:
            above.pop()
        yield tuple(each.title for each in above)
        above.append(head)


class _Slugs:
    """Anchors as GitHub makes them: the second of two equal ones ends in `-1`."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def of(self, title: str) -> str:
        base = slug = slug_of(title)
        while slug in self._used:
            self._used[base] += 1
            slug = f"{base}-{self._used[base]}"
        self._used[slug] = 0
        return slug


def slug_of(title: str) -> str:
    """The anchor of a heading; `section` where nothing of it is left."""
    return _DROPPED.sub("", title.lower()).replace(" ", "-") or "section"
