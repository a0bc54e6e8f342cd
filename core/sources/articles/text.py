"""The content of an article as plain text, and its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser

LONGEST = 2000  # characters of a part

# Elements that tell HTML from a text that puts a <name> in angle brackets. Of those whose names are
# words that stand in them as well, an end does.
_TAG = re.compile(
    r"</?(?:p|div|br|hr|h[1-6]|ul|ol|li|dl|d[td]|table|t(?:[rdh]|head|body|foot)|a|b|i|u|s|em|strong"
    r"|small|su[bp]|del|ins|span|font|center|section|article|main|nav|aside|figure|figcaption|pre"
    r"|code|kbd|samp|blockquote|img|svg|iframe|video|audio|script|style|html|head|body)\b[^<>]*>"
    r"|</(?:header|footer|details|summary|button|form|label|select|option|textarea|title|mark|cite"
    r"|address|caption|abbr|object|picture|template|noscript)\s*+>",
    re.IGNORECASE,
)
_BLOCKS = frozenset(
    (
        *("p", "div", "br", "hr", "ul", "ol", "table", "tr", "section", "article", "pre"),
        *("blockquote", "html", "body", "header", "footer", "main", "nav", "aside", "figure"),
        *("figcaption", "dl", "dt", "dd", "details", "summary", "form", "address", "center"),
        *("caption", "option"),
    )
)
_EMPTY = frozenset(("br", "hr"))
_DROPPED = frozenset(("script", "style", "template", "noscript"))
_OF_HEAD = frozenset(("html", "head", "title", "meta", "link", "base", *_DROPPED))
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n ?(?:\n ?)+")
_HEAD = re.compile("h[1-6]")
_HEADING = re.compile(r"(?m)^(?=#{1,6} )")
_PARAGRAPH = re.compile(r"\n\n+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"\s+")


def plain(content: str) -> str:
    """Without tags and scripts where there are any; headings and list items as in Markdown."""
    content = content.replace("\r\n", "\n").replace("\r", "\n")
    if _TAG.search(content) or "-->" in content.partition("<!--")[2]:
        reader = _Reader()
        reader.feed(_ended(content))
        reader.close()
        content = "".join(reader.said)
    content = _SPACES.sub(" ", content)
    return _LINES.sub("\n\n", content).replace(" \n", "\n").strip()


def _ended(html: str) -> str:
    """The same with every "<" as text that nothing ends: the parser would look for the end of each
    anew, up to the last character. It raises for marked sections, which no HTML has."""
    head, end, rest = html.rpartition(">")
    html = head + end + rest.replace("<", "&lt;")
    head, end, rest = html.rpartition("-->")
    html = head + end + rest.replace("<!--", "&lt;!--")
    return html.replace("<![", "<! [")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []
        self._dropped = 0  # how deep inside what is not shown
        self._inside = 0  # how deep inside blocks; between them stands Markdown, line by line
        self._kept = 0  # how deep inside what keeps its lines
        self._is_head = self._is_title = False  # a head need not be closed, nor its title shown

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._is_head = tag in ("html", "head") or (self._is_head and tag in _OF_HEAD)
        self._is_title |= tag == "title" and self._is_head
        self._dropped += tag in _DROPPED
        self._kept += tag == "pre"
        self._inside += _holds(tag)
        if tag in _BLOCKS:
            self.said.append("\n\n" if tag != "br" else "\n")
        elif tag == "li":
            self.said.append("\n- ")
        elif _HEAD.fullmatch(tag):
            self.said.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag in ("td", "th"):
            self.said.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._is_title &= tag != "title"
        self._kept = max(0, self._kept - (tag == "pre"))
        self._inside = max(0, self._inside - _holds(tag))
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif tag in _BLOCKS or _HEAD.fullmatch(tag):
            self.said.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._dropped or self._is_title:
            return
        is_line_by_line = self._kept or not self._inside
        self.said.append(data if is_line_by_line else " ".join(data.split("\n")))


def _holds(tag: str) -> bool:
    """Whether an element holds text that is wrapped anywhere."""
    return (tag in _BLOCKS and tag not in _EMPTY) or bool(_HEAD.fullmatch(tag))


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
