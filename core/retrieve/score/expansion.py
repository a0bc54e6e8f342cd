"""Terms that the chosen APIs use for what the question says in other words.

A specification pairs words by itself: what an operation's summary or a property's description says,
its path or its schema's name says in a term of the API ("chargeback" in the text of
`/v1/disputes/{dispute}`). So a term is added when most of the chunks of an API that hold a word of
the question are named by it. The user's words stay, and count more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.ids import COMPONENTS, Id
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.reader import ArrayReader
from core.text.words import parts, runs, terms

MOST = 4  # added terms

_HOLDERS = 40  # rows of an API that hold a word; a word of more says little
_LEAST = 2  # rows that must agree
_SAYS_NOTHING = re.compile(r"(?i:apis?|rest|v?\d{1,9}(?:(?:alpha|beta)\d{0,9})?|v|alpha|beta|.)")
_SHARE = 0.5  # of the rows that hold the word


@dataclass(frozen=True, slots=True)
class Added:
    """A term, and what it was added for."""

    term: str
    word: str  # the term of the question; "" where a model added it
    source: str  # id of a chunk that pairs them
    said: str  # the whole word that the term is the stem of, as the API writes it
    strength: float  # how sure the pair is, times how rare the word is


def expand(
    terms: Sequence[str], files: Sequence[int], reader: ArrayReader, words: WordsUsed
) -> tuple[Added, ...]:
    """At most `MOST` terms from these files, strongest first; ties by term."""
    found: dict[str, Added] = {}
    for term in terms:
        for file in files:
            for added in _paired(term, file, reader, words):
                known = found.get(added.term)
                if added.term not in terms and (not known or known.strength < added.strength):
                    found[added.term] = added
    ranked = sorted(found.values(), key=lambda added: (-added.strength, added.term))
    return tuple(ranked[:MOST])


def told(added: Sequence[Added]) -> str:
    """What was added, in a sentence."""
    terms = "; ".join(
        f"“{a.said}” for “{a.word}”, as in {a.source}" if a.word else f"“{a.said}”" for a in added
    )
    return f"Also searched for terms used by the chosen APIs: {terms}."


def _paired(word: str, file: int, reader: ArrayReader, words: WordsUsed) -> Iterator[Added]:
    """What names most of the file's chunks that hold the word."""
    rows = words.rows(word, file)
    if not _LEAST <= len(rows) <= _HOLDERS:
        return
    rarity = float(np.log(1 + int(reader.bounds[file + 1] - reader.bounds[file]) / len(rows)))
    counts: Counter[str] = Counter()
    sources: dict[str, tuple[str, str]] = {}
    for row in rows.tolist():
        id = reader.ids[row]
        for term, said in _naming(id).items():
            counts[term] += 1
            sources.setdefault(term, (id, said))
    for term, count in counts.items():
        if count >= max(_LEAST, _SHARE * len(rows)):
            yield Added(term, word, *sources[term], rarity * count / len(rows))


def _naming(id: str) -> Mapping[str, str]:
    """Term → whole word, of a schema's name or of an operation's path; no `api`, no `v1`."""
    named = Id.parse(id)
    if named.kind == COMPONENTS:
        return _words([named.inner])
    if named.kind != "paths":
        return {}
    return _words(s for s in named.inner.split("/") if "{" not in s)


def _words(names: Iterable[str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for word in (word for name in names for run in runs(name) for word in parts(run)):
        if not _SAYS_NOTHING.fullmatch(word):
            for term in terms(word):
                found.setdefault(term, word.lower())
    return found
