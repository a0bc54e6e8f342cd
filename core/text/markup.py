"""HTML from Python values: whatever is not `Markup` is escaped, so it stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import unescape
from urllib.parse import urlsplit

from core.text.safe import html

# Nothing that loads, links or runs: what comes from a specification may end up in a value.
_OF_HTML = "class style title role aria-label open tabindex data-head"
_OF_DRAWINGS = "viewBox width height x y d text-anchor rx cx cy r"
_TAG = re.compile(r"<[^<>]*>")
ATTRIBUTES = frozenset(f"{_OF_HTML} {_OF_DRAWINGS}".split())


class Markup(str):
    """HTML that was made here, as opposed to text that is shown."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: str | bool) -> Markup:
    """One element; children that are not `Markup` are escaped. `class_` means `class`."""
    opening = name + "".join(_attribute(key, value) for key, value in attributes.items())
    return Markup(f"<{opening}>{join(children)}</{name}>")


def link(url: str, text: str) -> Markup:
    """A link to a page elsewhere, which opens beside this one; the text alone, unless it is a whole
    address of http or https."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return join([text])
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        return join([text])
    about = 'target="_blank" rel="noopener noreferrer"'
    return Markup(f'<a href="{html(url)}" {about}>{join([text])}</a>')


def join(children: Iterable[str]) -> Markup:
    """Several pieces, one after the other."""
    return Markup("".join(c if isinstance(c, Markup) else html(c) for c in children))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """A table with a heading a column; a cell is text or `Markup`."""
    titles = tag("tr", *(tag("th", title) for title in head))
    # On a phone each cell is a row of its own, with its own heading.
    body = join(
        tag("tr", *(_cell(cell, title) for cell, title in zip(row, head, strict=True)))
        for row in rows
    )
    return tag("table", tag("thead", titles), tag("tbody", body), class_="sl-table")


def _cell(cell: str, title: str) -> Markup:
    return tag("td", cell, data_head=_plain(title)) if cell and title else tag("td", cell)


def _plain(text: str) -> str:
    """Its words alone: an attribute shows markup as it is written."""
    return unescape(_TAG.sub("", text)) if isinstance(text, Markup) else text


def unquoted(text: str) -> str:
    """Without the backticks of Markdown, for text that is shown as it is."""
    return text.replace("`", "")


def figure(number: str, what: str) -> Markup:
    """A number that is looked at first, with its noun."""
    return tag("span", tag("b", number), tag("span", what), class_="sl-figures")


def _attribute(key: str, value: str | bool) -> str:
    name = key.rstrip("_").replace("_", "-")
    if name not in ATTRIBUTES:
        raise ValueError(f"{name!r} is not an allowed attribute")
    if isinstance(value, bool):
        return f" {name}" if value else ""
    return f' {name}="{html(value)}"'


def marked(text: str, words: Iterable[str]) -> Markup:
    """The text with every occurrence of the words highlighted, upper or lower case."""
    wanted = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    if not wanted:
        return join([text])
    pieces = re.split(f"({wanted})", text, flags=re.IGNORECASE)
    return join(tag("mark", p) if i % 2 else p for i, p in enumerate(pieces))
