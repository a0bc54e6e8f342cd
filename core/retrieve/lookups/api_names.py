"""How clearly a question names each API: by its provider, its service or its title."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import pairwise

import numpy as np

from core.ids import INFO, Id
from core.index.snapshot.snapshot import StoredFile
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.homes import Homes
from core.retrieve.reader import ArrayReader, FileScores
from core.text.words import index_terms, runs, terms

NAMED_FROM = 0.3  # a score from which on an API is named
_PROPER = 0.8  # how much a capitalised word is taken for a name, however common it is
_SURE = 2.0  # how much more such a name counts than one in lower case
_KEPT = 4096  # pairs of words

_TOP_LEVEL = re.compile(
    r"\.(?:com|org|net|io|local|dev|co|uk|ca|us|gov|de|cloud|app|tech)(?=__|$|/|\.)"
)
_CAPITALISED = re.compile(r"(?:(?<=[a-z,'’:0-9] )|(?<=\w/))[A-Z]\w+")  # inside a sentence
_WORD = re.compile(r"\w+")
_GENERIC = frozenset(
    index_terms("api apis service services rest http openapi swagger spec v1 v2 v3 0 1 2 3")
)

_Run = tuple[str, ...]  # the terms of one raw word, the joined one last


@dataclass(frozen=True, slots=True)
class _Weight:
    rarity: float  # of the word among the names
    own: float  # share of its use that is in the APIs of that name: 1 for a name, low for a word


class ApiNames:
    """The names of a snapshot's APIs."""

    def __init__(self, reader: ArrayReader) -> None:
        self._reader = reader
        self._homes = derived(Homes, reader)
        named = dict(zip(self._homes.of_file.tolist(), reader.files, strict=True))
        self._names = [_names_of(reader, named[home]) for home in range(len(self._homes))]
        self._called: dict[str, list[int]] = defaultdict(list)  # homes
        for home, names in enumerate(self._names):
            for term in sorted(_terms(names)):
                self._called[term].append(home)
        self._weight = cache(self._weigh)

    def scores(self, query: str, asked: Collection[str]) -> FileScores:
        """By file: 0 for an API that is not named, up to 2 for one that surely is.

        `asked` are the question's terms, corrections included.
        """
        words = _WORD.findall(query)[:200]
        joined = (term for a, b in pairwise(words) for term in _joined(a + b))
        proper = {terms(word)[-1] for word in _CAPITALISED.findall(query) if terms(word)}
        known = {*asked, *joined, *proper} & self._called.keys()
        scores = np.zeros(len(self._names), np.float32)
        if known:
            fit = cache(partial(self._fit, known=known, proper=proper))  # many have one provider
            for home in {home for term in known for home in self._called[term]}:
                scores[home] = max(map(fit, self._names[home]))
        return self._homes.each_file(scores)

    def _fit(
        self, name: tuple[_Run, ...], known: Collection[str], proper: AbstractSet[str]
    ) -> float:
        """The share of the name that is there, squared: half a title is hardly a name."""
        possible = found = 0.0
        sure = False
        for run in name:
            weight = self._weight(run[-1])
            possible += weight.rarity
            if run[-1] in proper or (len(run) > 2 and not proper.isdisjoint(run)):
                found += weight.rarity * max(weight.own, _PROPER)
                sure = True
            elif run[-1] in known or (len(run) > 1 and all(term in known for term in run[:-1])):
                found += weight.rarity * weight.own
        return (found / possible) ** 2 * (_SURE if sure else 1) if possible else 0.0

    def _weigh(self, term: str) -> _Weight:
        own = self._called[term]
        rarity = float(np.log1p(len(self._names) / len(own)))
        posted = self._reader.lexicon.postings(term)
        if posted is None:
            return _Weight(rarity, 0.0)
        held = self._homes.total(np.diff(np.searchsorted(posted.rows, self._reader.bounds)))
        return _Weight(rarity, float(held[own].sum() / held.sum()))


@lru_cache(_KEPT)  # what two words of a question make, two words of its part make, too
def _joined(words: str) -> tuple[str, ...]:
    return tuple(index_terms(words))


def _names_of(reader: ArrayReader, file: StoredFile) -> list[tuple[_Run, ...]]:
    """Of the file's home: what many files share has the name of a folder alone."""
    if file.home:
        name, _, kind = file.home.partition(":")  # `samples:code`
        return [*_names(name, ""), *_names(kind, "")]
    return _names(file.source_file, _title(reader, file))


def _names(source_file: str, title: str) -> list[tuple[_Run, ...]]:
    provider, _, service = source_file.partition("__")
    written = (_TOP_LEVEL.sub(" ", provider).rpartition("/")[2], service, title)
    return [name for text in written if (name := tuple(_runs(text)))]


def _runs(text: str) -> Iterable[_Run]:
    found = (terms(run) for run in runs(text))
    return (run for run in found if run and _GENERIC.isdisjoint(run))


def _terms(names: Iterable[Iterable[_Run]]) -> set[str]:
    return {term for name in names for run in name for term in run}


def _title(reader: ArrayReader, file: StoredFile) -> str:
    row = reader.row(str(Id(file.file, INFO)))
    return "" if row is None else reader.chunk(row).api_title
