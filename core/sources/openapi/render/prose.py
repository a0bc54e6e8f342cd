"""Shorten descriptions: Markdown and HTML in, a plain sentence or two out."""

from __future__ import annotations

import re
from functools import lru_cache

_SAME = 8192  # descriptions that are remembered: a document says many of them again and again

_HTML = re.compile(
    r"</?(?:p|br|b|i|u|a|ul|ol|li|em|strong|code|pre|div|span|h[1-6]|table|thead|tbody|tr|td|th"
    r"|img|note|dl|dt|dd|sup|sub|hr|details|summary|important|blockquote)\b[^<>]*>",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_LEADING = frozenset(" \t\r#*>|-")
_END = re.compile(  # each way begins with a character: looking behind everywhere would be slow
    r"[.!?](?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bNo\.)(?=\s+[^a-z\s])"
    r"|\n(?=[^\S\n]*+(?:\n|[-*#|>]|\d++\.\s))"
)


def plain(text: str) -> str:
    """Without HTML tags, link targets and line breaks."""
    if "<" in text:
        text = _HTML.sub(" ", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    return " ".join(text.split())


@lru_cache(_SAME)
def first_sentence(text: str, limit: int) -> str:
    """The first sentence as plain text, at most `limit` characters, cut at a word."""
    if _is_marked(text):
        text = text.strip().lstrip("#*->| ")
        if "<" in text:
            text = _HTML.sub(" ", text).lstrip()
        if end := _END.search(text):
            text = text[: end.end()]
        text = plain(text)
    return clip(text.rstrip(), limit)


def _is_marked(text: str) -> bool:
    """Whether the text may be more than one plain sentence (faster than a pattern)."""
    several = ". " in text or "? " in text or "! " in text or "\n" in text
    return several or "<" in text or "](" in text or text[:1] in _LEADING


@lru_cache(_SAME)
def opening(text: str, limit: int) -> str:
    """The first sentences that fit into `limit` characters, as plain text."""
    text = plain(text[: limit * 4])
    if len(text) <= limit:
        return text
    ends = [end.end() for end in _END.finditer(text, 0, limit)]
    return text[: ends[-1]] if ends and ends[-1] > limit // 3 else clip(text, limit)


def clip(text: str, limit: int) -> str:
    """At most `limit` characters; what is cut off is marked by `…`."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return (head.rpartition(" ")[0] or head).rstrip(" ,;:") + "…"
