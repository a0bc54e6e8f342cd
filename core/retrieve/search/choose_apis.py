"""Which APIs a question is about, and which ones a caller means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import UnknownId
from core.ids import INFO, element_id
from core.model import CatalogEntry
from core.retrieve.reader import Reader
from core.retrieve.search.evidence import Choice, Evidence
from core.retrieve.understand.question import Question
from core.text.nearest import API, nearest

_ENDINGS = ("", ".json", ".yaml", ".yml")


def choose(question: Question, evidence: Evidence) -> Choice | None:
    """The stage: the APIs that most speaks for; None when nothing speaks for any."""
    choice = evidence.apis(question.settings.api_selection_max)
    return choice if choice.scores else None


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
        near = nearest(api.casefold(), known, API, limit=2)
        raise UnknownId("API", api, tuple(dict.fromkeys(known[name] for name in near)))
    return known[api.casefold()]
