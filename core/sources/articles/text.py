"""The content of an article as plain text, and its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser

LONGEST = 2000  # characters of a part

_TAG = re.compile(
    r"</?(?:p|div|br|hr|h[1-6]|ul|ol|li|table|t[rdh]|a|b|i|strong|em|span|section|article|pre|code"
    r"|blockquote|img|script|style|html|body)\b[^<>]*>",
    re.IGNORECASE,
)
_BLOCKS = frozenset(
    (
        *("p", "div", "br", "hr", "ul", "ol", "table", "tr", "section", "article", "pre"),
        *("blockquote", "html", "body", "header", "footer"),
    )
)
_DROPPED = frozenset(("script", "style", "head", "template", "noscript"))
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n ?(?:\n ?)+")
_HEADING = re.compile(r"(?m)^(?=#{1,6} )")
_PARAGRAPH = re.compile(r"\n\n+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"\s+")


def plain(content: str) -> str:
    """Without tags and scripts where there are any; headings and list items as in Markdown."""
    if _TAG.search(content):
        reader = _Reader()
        reader.feed(content)
        reader.close()
        content = "".join(reader.said)
    content = _SPACES.sub(" ", content.replace("\r\n", "\n").replace("\r", "\n"))
    return _LINES.sub("\n\n", content).replace(" \n", "\n").strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []
        self._dropped = 0  # how deep inside what is not shown

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._dropped += tag in _DROPPED
        if tag in _BLOCKS:
            self.said.append("\n\n" if tag != "br" else "\n")
        elif tag == "li":
            self.said.append("\n- ")
        elif re.fullmatch("h[1-6]", tag):
            self.said.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag in ("td", "th"):
            self.said.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif tag in _BLOCKS or re.fullmatch("h[1-6]", tag):
            self.said.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self.said.append(" ".join(data.split("\n")))


def parts(text: str) -> Sequence[str]:
    """The text in pieces of at most `LONGEST` characters, in order: cut at headings, what is longer
    at paragraphs, what is still longer at sentences, at last at words."""
    return tuple(_packed(_cut(text, (_HEADING, _PARAGRAPH, _SENTENCE, _WORD))))


def _cut(text: str, at: Sequence[re.Pattern[str]]) -> Iterator[tuple[str, str]]:
    """Pieces that fit, each with what stood before it."""
    if len(text) <= LONGEST:
        yield "", text
        return
    if not at:
        yield from (("", text[start : start + LONGEST]) for start in range(0, len(text), LONGEST))
        return
    first, *rest = at
    between = "\n\n" if first in (_HEADING, _PARAGRAPH) else " "
    for piece in first.split(text):
        if piece.strip():
            for number, (before, small) in enumerate(_cut(piece.strip(), rest)):
                yield before if number else between, small


def _packed(pieces: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Neighbours together, as many as fit."""
    held = ""
    for between, piece in pieces:
        if held and len(held) + len(between) + len(piece) > LONGEST:
            yield held
            held = ""
        held = f"{held}{between}{piece}" if held else piece
    if held:
        yield held
