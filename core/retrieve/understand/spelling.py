"""The words that intent hangs on, recognised with one letter missing, doubled or swapped."""

from __future__ import annotations

import re

_WORDS = """
attribute attributes authenticate call cancel contain create definition delete describe download
endpoint endpoints error errors exception exceptions failed fails failing fetch field fields
forbidden format handle invalid method model object operation operations properties property refund
register rejected remove request required response responses retrieve return returned returns route
schema schemas search status structure unauthorized update upload values what which
""".split()  # noqa: SIM905 - a list of words reads better as words
_REAL = frozenset(  # words of their own, not slips
    """
    filed filled modal mode stats value require crate rote fail calls filter models form objects
    """.split()  # noqa: SIM905
)
_WORD = re.compile(r"[a-z]{4,}")
_LONGEST = max(map(len, _WORDS)) + 1  # with one letter too many


def _slips(word: str) -> set[str]:
    """The word with one letter left out, or two neighbours swapped; never its first letter."""
    missing = {word[:i] + word[i + 1 :] for i in range(1, len(word))}
    swapped = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    return missing | swapped


def _table() -> dict[str, str]:
    known = frozenset(_WORDS)
    return {
        slip: word
        for word in _WORDS
        if len(word) > 4
        for slip in sorted(_slips(word))
        if slip not in known and slip not in _REAL
    }


_SLIPS = _table()
_KNOWN = frozenset(_WORDS)


def corrected(text: str) -> str:
    """Lower-case text with slips in these words put right; every other word stays as it is."""
    return _WORD.sub(lambda match: _corrected(match.group()), text)


def _corrected(word: str) -> str:
    if word in _KNOWN or word in _REAL or len(word) > _LONGEST:
        return word
    if word in _SLIPS:
        return _SLIPS[word]
    shorter = (word[:i] + word[i + 1 :] for i in range(1, len(word)) if len(word) > 5)
    doubled = (w for w in shorter if w in _KNOWN and not word.startswith(w))
    return next(doubled, word)
