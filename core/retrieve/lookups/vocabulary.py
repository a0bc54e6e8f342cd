"""The words that the specifications use, and which of them is nearest to another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

import numpy as np

from core.retrieve.reader import ArrayReader
from core.text.nearest import slips
from core.text.words import terms

_LEAST = 4  # letters of a word that may be a slip
_LONG = 8  # from here on two slips are believed
_RARE = 2  # a word that so few chunks hold may still be a slip …
_COMMONER = 50  # … of one that so many times more hold
_SPREAD = 3  # chunks that must hold what a word is corrected to


class Vocabulary:
    """The terms of a snapshot, and how many rows hold each; read a letter at a time."""

    def __init__(self, reader: ArrayReader) -> None:
        self._terms = reader.lexicon.vocabulary
        self._find = reader.lexicon.find
        self._starts = reader.lexicon.table[2]
        self._by_letter: dict[str, dict[str, int]] = {}

    def _of_letter(self, letter: str) -> Mapping[str, int]:
        """Term → rows, of those that begin with a letter and may be meant by a slip."""
        if letter not in self._by_letter:
            first = bisect_left(self._terms, letter)
            last = bisect_left(self._terms, letter + "\uffff")
            spread = np.diff(self._starts[first : last + 1]).tolist()
            terms = (self._terms[index] for index in range(first, last))
            self._by_letter[letter] = {
                term: rows
                for term, rows in zip(terms, spread, strict=True)
                if rows >= _SPREAD and len(term) >= _LEAST - 1 and term.isalpha()
            }
        return self._by_letter[letter]

    def _spread(self, term: str) -> int:
        index = self._find(term)
        return int(self._starts[index + 1] - self._starts[index]) if index >= 0 else 0

    def __contains__(self, word: str) -> bool:
        return all(self._spread(term) for term in terms(word))

    def is_rare(self, word: str) -> bool:
        """Whether hardly a chunk holds the word, or none; a word of several parts is not."""
        stems = terms(word)
        return len(stems) == 1 and self._spread(stems[0]) <= _RARE

    def is_far_commoner(self, term: str, stem: str) -> bool:
        """Whether so many more chunks hold the term that the other may be a slip of it."""
        return self._spread(term) >= _SPREAD + _COMMONER * self._spread(stem)

    def nearest(self, stem: str) -> str:
        """The commonest of the nearest terms; "" when none is near."""
        known = self._of_letter(stem[0])
        believed = 2 if len(stem) >= _LONG else 1
        near = slips(stem, list(known), letters=believed, limit=20)
        enough = _SPREAD + _COMMONER * self._spread(stem)
        good = [(distance, -known[term], term) for term, distance in near if term != stem]
        return next((term for _, spread, term in sorted(good) if -spread >= enough), "")
