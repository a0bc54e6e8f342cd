"""Terms that the chosen APIs use for what the question says in other words.

A specification pairs words by itself: what an operation's summary or a property's description says,
its path or its schema's name says in a term of the API ("chargeback" in the text of
`/v1/disputes/{dispute}`). So a term is added when most of the chunks of an API that hold a word of
the question are named by it. The user's words stay, and count more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.index.snapshot.words import index_terms
from core.retrieve.evidence import ArrayReader
from core.retrieve.words_used import WordsUsed

MOST = 4  # added terms

_HOLDERS = 40  # rows of an API that hold a word; a word of more says little
_LEAST = 2  # rows that must agree
_SHARE = 0.5  # of the rows that hold the word


@dataclass(frozen=True, slots=True)
class Added:
    """A term, and what it was added for."""

    term: str
    word: str  # the term of the question
    source: str  # id of a chunk that pairs them
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
    terms = "; ".join(f"“{a.term}” for “{a.word}”, as in {a.source}" for a in added)
    return f"Searched for terms of the chosen APIs, too: {terms}."


def _paired(word: str, file: int, reader: ArrayReader, words: WordsUsed) -> Iterator[Added]:
    """What names most of the file's chunks that hold the word."""
    rows = words.rows(word, file)
    if not _LEAST <= len(rows) <= _HOLDERS:
        return
    rarity = float(np.log(1 + int(reader.bounds[file + 1] - reader.bounds[file]) / len(rows)))
    counts: Counter[str] = Counter()
    sources: dict[str, str] = {}
    for row in rows.tolist():
        id = reader.ids[row]
        for term in _naming(id):
            counts[term] += 1
            sources.setdefault(term, id)
    for term, count in counts.items():
        if count >= max(_LEAST, _SHARE * len(rows)):
            yield Added(term, word, sources[term], rarity * count / len(rows))


def _naming(id: str) -> frozenset[str]:
    """The terms of a schema's name, or of the words of an operation's path."""
    kind, _, rest = id.partition(":")[2].partition(":")[0].partition("/")
    if kind == "components":
        return frozenset(index_terms(rest.partition("/")[2]))
    if kind != "paths":
        return frozenset()
    segments = rest.rpartition("/")[0].split("/")
    return frozenset(term for s in segments if "{" not in s for term in index_terms(s))
