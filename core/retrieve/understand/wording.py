"""The wording of a question: its words, and what its names look like instead of the names.

A name is `<operation>` or `<schema>`, whatever it is called, so that what is learned of one
question holds for another API.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.retrieve.understand.spelling import corrected
from core.retrieve.understand.verbs import is_verb
from core.text.requests import ENDS, METHODS
from core.text.words import parts

MOST = 200  # words that are read; a pasted log has no more to say
_PIECE = re.compile(r"\S+")
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?|[?:,;]")
_STATUS = re.compile(r"[45](?:\d\d|xx)", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.,%$€£]+")
_COMPOUND = re.compile(r"[a-z0-9][A-Z]|[A-Za-z]_[A-Za-z]|\w[./:]\w")
_DIVIDED = re.compile(r"[./:#=]")
_FAILURES = frozenset("error errors exception failed failure fault".split())  # noqa: SIM905
_SHAPES = frozenset(
    """config details enum info input object options output request response schema settings spec
    type""".split()  # noqa: SIM905
)
_CALLS = frozenset("batch describe is put".split())  # noqa: SIM905 - verbs of operationIds alone


class Word(NamedTuple):
    """One word, and where it stands in the question."""

    token: str  # lower case, slips put right; or what a name looks like: `<operation>`
    start: int
    end: int


def wording(text: str) -> tuple[Word, ...]:
    """The words of a question, its names masked, and the marks that part or ask."""
    found: list[Word] = []
    for piece in _PIECE.finditer(text):
        found += _words(piece.group(), piece.start())
        if len(found) >= MOST:
            break
    return tuple(found[:MOST])


def _words(piece: str, at: int) -> Iterator[Word]:
    if looks := _looks(piece.strip(ENDS + "()[]")):
        end = at + len(piece)
        yield Word(looks, at, end)
        if piece[-1] in "?:,;":
            yield Word(piece[-1], end - 1, end)
        return
    for word in _WORD.finditer(piece):
        token = corrected(word.group().lower().replace("’", "'"))
        yield Word(token, at + word.start(), at + word.end())


def _looks(name: str) -> str:
    """What a piece without blanks looks like; "" when it is a word."""
    if _STATUS.fullmatch(name):
        return "<status>"
    if _NUMBER.fullmatch(name):
        return "<number>"
    if name.isupper() and name.lower() in METHODS:
        return "<method>"
    if "://" in name:
        return "<url>"
    if (name.startswith("/") and len(name) > 1) or "{" in name:
        return "<path>"
    return _compound(name) if _COMPOUND.search(name) else ""


def _compound(name: str) -> str:
    """What a name of several words is, by its first word and by its last."""
    own = _DIVIDED.split(name)[-1] or name
    words = [part.lower() for part in parts(own)] or [""]
    if words[-1] in _FAILURES:
        return "<failure>"
    if words[-1] in _SHAPES:
        return "<schema>"
    is_grouped = "_" in own and own[0].isupper()  # `Registry_Rollback`: the verb comes second
    if any(is_verb(word) or word in _CALLS for word in (words if is_grouped else words[:1])):
        return "<operation>"
    if own[:1].isupper():
        return "<Name>"
    return "<name_of_several>" if "_" in own else "<name>"
