"""Which APIs a question is about, and which ones a caller means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import UnknownId
from core.ids import INFO, element_id
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.homes import Homes
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
    """File ids for what a caller names, in any case: a file id, a file or a title, or a home, which
    is all of its files (a base of articles, a root of documents or of code). `samples` means all of
    `samples:code` and `samples:document`.

    Raises UnknownId with the nearest names.
    """
    found: dict[str, tuple[str, ...]] = {
        api: (file_id,) for api, file_id in _by_info(apis, reader).items()
    }
    if any(api not in found for api in apis):
        known = _known(reader)
        found |= {api: _named(api, known) for api in apis if api not in found}
    return tuple(dict.fromkeys(file_id for api in apis for file_id in found[api]))


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


def _known(reader: Reader) -> Mapping[str, tuple[str, ...]]:
    """File ids by what names them; the last one wins, so that a file id means itself."""
    homes = derived(Homes, reader.arrays).of_many if reader.arrays else {}
    known: dict[str, tuple[str, ...]] = {}
    for home, files in homes.items():
        for name in {home.casefold(), home.partition(":")[0].casefold()}:
            known[name] = (*known.get(name, ()), *files)
    catalog = reader.catalog()
    for name in ("name", "file", "file_id"):
        known |= {getattr(entry, name).casefold(): (entry.file_id,) for entry in catalog}
    return known | {file_id.casefold(): (file_id,) for file_id in reader.file_ids}


def _named(api: str, known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if api.casefold() not in known:
        near = nearest(api.casefold(), known, API, limit=2)
        named = (known[name][0] if len(known[name]) == 1 else name for name in near)
        raise UnknownId("API", api, tuple(dict.fromkeys(named)))
    return known[api.casefold()]
