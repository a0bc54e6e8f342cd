"""The passage of an article that is shown: verbatim, and about what was asked."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.text.words import index_terms

_SENTENCE = re.compile(r"(?:(?<=[.!?])\s++|(?<!\n)\n++)(?=\S)")
_MARKS = re.compile(r"\A(?:#{1,6} |[-*] |\d+\. )+")
MORE = "…"
_LOOSE = " \n\t#*-"  # what no excerpt ends in before it is cut


def excerpt(text: str, terms: Collection[str], longest: int) -> str:
    """At most so many characters from the sentence on that holds most of the terms.

    A substring of the text, but for `…` where it is cut, which is at a word.
    """
    starts = [0, *(found.end() for found in _SENTENCE.finditer(text))]
    starts = [start + len(_marks(text, start)) for start in starts]
    ends = [*starts[1:], len(text)]
    best = max(
        range(len(starts)),
        key=lambda at: (
            _held(text[starts[at] : ends[at]], terms),
            not _is_heading(text, starts[at]),
            -at,
        ),
    )
    return cut(text[starts[best] :].strip(), longest)


def cut(text: str, longest: int) -> str:
    """The text, or its beginning up to a word with `…` behind it."""
    if len(text) <= longest:
        return text
    head = text[: longest - len(MORE)]
    if not text[len(head)].isspace():
        head = head.rpartition(" ")[0].rstrip() or head
    return head.rstrip(_LOOSE) + MORE


def _held(sentence: str, terms: Collection[str]) -> int:
    return len(set(index_terms(sentence)) & set(terms))


def _marks(text: str, start: int) -> str:
    found = _MARKS.match(text[start : start + 20])
    return found[0] if found else ""


def _is_heading(text: str, start: int) -> bool:
    return text[:start].endswith("# ")
