"""The one speller: what a misspelt word of a question means.

The words that intent hangs on are recognised by a table, with one letter missing, doubled or
swapped. Other slips are put right by the words that the specifications use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from core.deadline import Deadline
from core.retrieve.lookups.english import is_english
from core.retrieve.lookups.vocabulary import Vocabulary
from core.text.words import terms

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
_ANY_WORD = re.compile(r"(?<![\w/{.])[^\W\d_]{4,24}(?![\w/}])")
_KEPT = 1 << 14  # words: each question has some that others had
_MOST = 30  # words of a question that are looked for: each takes a millisecond


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


@lru_cache(_KEPT)
def _corrected(word: str) -> str:
    if word in _KNOWN or word in _REAL or len(word) > _LONGEST:
        return word
    if word in _SLIPS:
        return _SLIPS[word]
    shorter = (word[:i] + word[i + 1 :] for i in range(1, len(word)) if len(word) > 5)
    doubled = (w for w in shorter if w in _KNOWN and not word.startswith(w))
    return next(doubled, word)


def meant(text: str, vocabulary: Vocabulary, deadline: Deadline | None = None) -> Mapping[str, str]:
    """Misspelt word, as written → the term that is meant; past the deadline, those so far."""
    words = dict.fromkeys(_ANY_WORD.findall(text)[: 10 * _MOST])
    unsure = [word for word in words if vocabulary.is_rare(word) and not is_english(word)]
    found: dict[str, str] = {}
    for word in unsure[:_MOST]:
        if deadline is not None and deadline.passed:
            break
        if term := _term(word, vocabulary):
            found[word] = term
    return found


def _term(word: str, vocabulary: Vocabulary) -> str:
    """What the table of slips says, where the specifications use it; else the nearest they use.

    A slip of a word that only asks, `wich`, means none of theirs.
    """
    stem, right = terms(word)[0], _corrected(word.lower())
    known = next(iter(terms(right)), "")
    if right != word.lower() and (not known or vocabulary.is_far_commoner(known, stem)):
        return known
    return vocabulary.nearest(stem)
