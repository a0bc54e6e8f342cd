"""Which APIs a question is about: those it names, then those whose chunks fit it best."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import UnknownId
from core.ids import INFO, element_id
from core.model import CatalogEntry, Where
from core.retrieve.reader import Reader
from core.retrieve.search.lists_ranker import Ranker

NAMED = 1.0  # what a name in the question adds to the score of an API's best chunk

_LOOKED_UP = 4  # times the candidates
_WORD = re.compile(r"[a-z0-9]+")
_GENERIC = frozenset(
    ("api", "apis", "com", "net", "org", "www", "rest", "http", "https", "the", "and", "for")
)
_ENDINGS = ("", ".json", ".yaml", ".yml")
_RARE = 3  # a word that more APIs than this share names none of them


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen APIs, best first, with what speaks for each."""

    scores: Mapping[str, float]  # by file id, in this order
    named: tuple[str, ...] = ()  # those that the question names

    @property
    def file_ids(self) -> tuple[str, ...]:
        return tuple(self.scores)

    def note(self) -> str:
        chosen = (f"{file_id} ({score:.2f})" for file_id, score in self.scores.items())
        return f"Chosen APIs: {', '.join(chosen)}."


def resolve(apis: Sequence[str], reader: Reader) -> tuple[str, ...]:
    """File ids for what a caller names: a file id, a file or a title, in any case.

    Raises UnknownId with the nearest file ids.
    """
    found = _by_info(apis, reader)
    if any(api not in found for api in apis):
        found |= _by_catalog([api for api in apis if api not in found], reader.catalog())
    return tuple(dict.fromkeys(found[api] for api in apis))


def _by_info(apis: Sequence[str], reader: Reader) -> dict[str, str]:
    """Those written as file ids or files, found by what every API has: its `info`.

    This spares reading the catalogue, which knows every API in detail.
    """
    ids = {element_id(api + ending, INFO): api for api in apis for ending in _ENDINGS}
    chunks = reader.chunks(list(ids)) if ids else {}
    return {
        ids[id]: chunk.source_file
        for id, chunk in chunks.items()
        if ids[id] == chunk.source_file or id == element_id(ids[id], INFO)
    }


def _by_catalog(apis: Sequence[str], catalog: Sequence[CatalogEntry]) -> dict[str, str]:
    known: dict[str, str] = {}
    for name in ("name", "file", "file_id"):  # the last one wins: a file id means itself
        known |= {getattr(entry, name).casefold(): entry.file_id for entry in catalog}
    return {api: _known(api, known) for api in apis}


def _known(api: str, known: Mapping[str, str]) -> str:
    if api.casefold() not in known:
        near = difflib.get_close_matches(api.casefold(), known, n=2)
        raise UnknownId("API", api, tuple(dict.fromkeys(known[name] for name in near)))
    return known[api.casefold()]


def choose(ranker: Ranker, catalog: Sequence[CatalogEntry], where: Where | None) -> Choice | None:
    """The `api_selection_max` best APIs for the ranker's question; None when nothing speaks."""
    named = named_in(ranker.query, catalog)
    scores = _best_chunks(ranker, where)
    for file_id in named:
        scores[file_id] = scores.get(file_id, 0.0) + NAMED
    best = sorted(scores, key=lambda file_id: (-scores[file_id], file_id))
    kept = best[: ranker.settings.api_selection_max]
    return Choice({file_id: scores[file_id] for file_id in kept}, named) if kept else None


def named_in(query: str, catalog: Sequence[CatalogEntry]) -> tuple[str, ...]:
    """File ids of the APIs that the question names by a word that few others have."""
    names = {entry.file_id: _words(entry.file_id, entry.name) for entry in catalog}
    shared = Counter(word for words in names.values() for word in words)
    asked = {word for word in _words(query) if 0 < shared[word] <= _RARE}
    return tuple(sorted(file_id for file_id, words in names.items() if words & asked))


def _words(*texts: str) -> frozenset[str]:
    words: Iterable[str] = _WORD.findall(" ".join(texts).lower())
    return frozenset(word for word in words if len(word) > 2 and word not in _GENERIC)


def _best_chunks(ranker: Ranker, where: Where | None) -> dict[str, float]:
    """Each API's best score among the first candidates."""
    candidates = ranker.rank(where, {})[: ranker.limit * _LOOKED_UP]
    chunks = ranker.reader.chunks([candidate.chunk_id for candidate in candidates])
    best: dict[str, float] = {}
    for candidate in candidates:
        if chunk := chunks.get(candidate.chunk_id):
            best[chunk.source_file] = max(best.get(chunk.source_file, 0.0), candidate.score)
    return best
