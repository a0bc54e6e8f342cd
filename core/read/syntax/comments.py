"""Take comments and trailing commas out of JSON: editors write both, and neither is JSON."""

from __future__ import annotations

import re

# A string, or what is not JSON outside of one. What does not end runs to the text's end; behind
# a colon stands a URL without quotes, which is YAML.
_TOKEN = re.compile(
    rb'"(?:[^"\\]|\\.)*+(?:"|\Z)|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|//(?<!://)[^\r\n]*+|,', re.DOTALL
)
_BLANK = re.compile(rb"[^\r\n]")
_CLOSED = re.compile(rb"(?<![ \t\r\n])[ \t\r\n]*+[\]}]")


def uncommented(text: bytes) -> bytes | None:
    """The text with blanks for its comments, so that every place stays; None without a comment.

    A comma before a closing bracket goes with them: whoever writes comments writes such commas.
    """
    plain = _TOKEN.sub(_without_comment, text)
    return _TOKEN.sub(_without_comma, plain) if plain != text else None


def first_comment(text: bytes) -> int:
    """Where the first comment begins; the text's length where there is none."""
    found = (token.start() for token in _TOKEN.finditer(text) if token[0][:1] == b"/")
    return next(found, len(text))


def _without_comment(token: re.Match[bytes]) -> bytes:
    return _BLANK.sub(b" ", token[0]) if token[0][:1] == b"/" else token[0]


def _without_comma(token: re.Match[bytes]) -> bytes:
    trails = token[0] == b"," and _CLOSED.match(token.string, token.end())
    return b" " if trails else token[0]
