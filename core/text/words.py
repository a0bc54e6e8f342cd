"""Split text into the words that the lexical index and its queries share."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from Stemmer import Stemmer  # type: ignore[import-not-found] # it ships no types

# Braces, slashes, dots and blanks end a run. Listed letters and runs that are never given back take
# two thirds of the time, and most texts are ASCII.
_RUN = re.compile(r"[A-Za-z0-9]++(?:[_-]++[A-Za-z0-9]++)*+")
# Vowel signs are no letters to a regular expression, but stand inside words.
_SIGNS = (
    "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31-\u0e4e\u0eb1-\u0ece"
)
_MARKED_RUN = re.compile(
    rf"[^\W_][{_SIGNS}]*+(?:[^\W_]|[{_SIGNS}])*+(?:[_-]+[^\W_](?:[^\W_]|[{_SIGNS}])*+)*"
)
# Scripts without blanks between words, and Korean, whose blanks stand where nobody asks for them:
# kana, Chinese, Hangul, Thai, Lao, Burmese, Khmer.
_UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U000323af"
)
_STRETCH = re.compile(f"([{_UNSPACED}]+)")
_SEAM = re.compile(
    r"[_-]+"
    r"|(?<=[a-z0-9])(?=[A-Z])"  # getUser
    r"|(?<=[A-Z])(?=[A-Z][a-z])"  # HTTPServer
    r"|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])"  # oauth2
)

# "me", "all", "any", "not" and "no" are left out on purpose: paths and schemas are named so.
STOP_WORDS = frozenset(  # a list literal would take a page
    """an and are as at be been being but by can could did do does doing don for from had has have
    having he her here him his how if in into is it its itself may might must my of on onto or our
    ours she should so some such than that the their theirs them then there these they this those
    through to too was we were what when where which while who whom whose why will with would you
    your yours""".split()  # noqa: SIM905
)

_FILLERS = re.compile(
    r"\b(?:"
    r"how (?:do|can|could|would|should|might) (?:i|we|you|one)"
    r"|how to"
    r"|(?:what|which)(?: is| are)? (?:the )?(?:(?:rest|http|api) )?"
    r"(?:endpoints?|operations?|routes?|apis?(?! (?:key|token)s?)(?: (?:call|request|method)s?)?)"
    r"(?: (?:do|can|should|must) (?:i|we|you)(?: (?:use|call|need|send))?| lets? (?:me|us|you))?"
    r"|(?:i|we)(?:'d| would)? (?:want|need|like|wish|have) to"
    r"|(?:can|could|may) (?:i|we|you)"
    r"|is (?:there|it) (?:possible|an?|any)(?: (?:way|endpoint|operation|api|call))?(?: to)?"
    r"|(?:show|tell|give|let) (?:me|us)"
    r"|(?:i am|i'm|we are|we're) (?:looking for|trying to)"
    r"|please|thanks|thank you"
    r")\b",
    re.IGNORECASE,
)


def runs(text: str) -> list[str]:
    """The raw words of a text, as written: `GET /users/{userId}` → GET, users, userId."""
    if text.isascii():
        return _RUN.findall(text)
    return _MARKED_RUN.findall(unicodedata.normalize("NFKC", text))


@lru_cache(1 << 14)
def terms(run: str) -> tuple[str, ...]:
    """What one raw word is indexed as: the stems of its parts, and of the whole.

    `userId` → user, id, userid; stop words and single characters give nothing. Where a script has
    no blanks between words, each character and each pair of neighbours is a term.
    """
    if not run.isascii() and len(stretches := _STRETCH.split(run)) > 1:
        return tuple(dict.fromkeys(term for s in stretches for term in _of_stretch(s)))
    words = parts(run)
    words = [*words, "".join(words)] if len(words) > 1 else words
    return tuple(dict.fromkeys(term for word in words if (term := _term(word))))


def parts(run: str) -> list[str]:
    """The words that a raw word is made of: `userId` → user, Id."""
    return [part for part in _SEAM.split(run) if part]


def _of_stretch(stretch: str) -> tuple[str, ...]:
    if not _STRETCH.match(stretch):
        return terms(stretch.strip("_-"))
    pairs = map("".join, pairwise(stretch))
    return tuple(each.casefold() for each in (*stretch, *pairs))


def _asked_terms(text: str) -> Iterator[str]:
    """The terms of a question: single characters only where they stand alone.

    A text holds most characters of a script somewhere; pairs of them are words.
    """
    for run in runs(text):
        if run.isascii() or not _STRETCH.search(run):
            yield from terms(run)
            continue
        for stretch in _STRETCH.split(run):
            found = _of_stretch(stretch)
            is_long = len(stretch) > 1 and _STRETCH.match(stretch)
            yield from found[len(stretch) :] if is_long else found


def index_terms(text: str) -> Iterator[str]:
    """Every term of a text, repeated as often as it occurs."""
    for run in runs(text):
        yield from terms(run)


@lru_cache(64)  # the parts of one question: each is looked at several times
def query_terms(query: str) -> tuple[str, ...]:
    """The distinct terms of a question, in order, without the phrases that only ask.

    A question of nothing but such phrases keeps its words.
    """
    asked = _FILLERS.sub(" ", query.replace("’", "'"))
    return tuple(dict.fromkeys(_asked_terms(asked))) or tuple(dict.fromkeys(_asked_terms(query)))


@lru_cache(1 << 16)
def _term(word: str) -> str:
    """The stem of a word; "" when it says nothing by itself."""
    folded = _fold(word)
    if folded in STOP_WORDS or (len(folded) == 1 and folded.isascii()):
        return ""
    return str(_stemmer().stemWord(folded))


def _fold(word: str) -> str:
    """Lower case, accents dropped, so that `Creación` meets `creacion`."""
    if word.isascii():
        return word.lower()
    marked = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in marked if not unicodedata.combining(letter)).casefold()


_local = threading.local()


def _stemmer() -> Stemmer:
    """This thread's own: a stemmer must not be shared. Its cache is off, `_term` has one."""
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer("english", 0)
    return _local.stemmer
