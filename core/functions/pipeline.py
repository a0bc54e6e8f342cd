"""The pipeline of three stages by its own names: choose the APIs, expand the question, follow.

With a store these answer as `Workbench.retrieve` does; the two generators need none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import CallError, SpecError
from core.functions.opened import as_value_errors, asked
from core.model import JSON, ApiSelection, CatalogEntry, Chunk, Expansion
from core.read.document import ChunkedSpec
from core.read.files.find import discover
from core.read.limits import Limits
from core.read.names import file_ids
from core.retrieve.by_model.api_index import detailed
from core.retrieve.by_model.catalogue import compact
from core.sources.files import AnyFile
from core.sources.registry import kind_for
from core.workbench.workbench import Workbench


def select_apis(query: str, *, workbench: Workbench | None = None) -> ApiSelection:
    """Stage 1: the APIs that a question is about, why, and who chose them."""
    with as_value_errors():
        return asked(workbench).select_apis(query)


def expand_query_for(
    query: str, apis: Sequence[str], *, workbench: Workbench | None = None
) -> Expansion:
    """Stage 2: the question with terms that these APIs use."""
    with as_value_errors():
        return asked(workbench).expand_query_for(query, apis)


def resolve_all_refs(
    chunk_id: str, max_depth: int = 3, *, workbench: Workbench | None = None
) -> list[Chunk]:
    """A chunk and all that it refers to, breadth first, each once."""
    with as_value_errors():
        return list(asked(workbench).resolve_all_refs(chunk_id, max_depth))


def fallback_api_selection(query: str, *, workbench: Workbench | None = None) -> list[str]:
    """The APIs by keywords: what chooses when a model does not."""
    with as_value_errors():
        return list(asked(workbench).fallback_api_selection(query))


def generate_api_catalog(specs_directory: str | Path) -> list[dict[str, JSON]]:
    """The compact catalogue of the API descriptions in a folder, without a store.

    A file that is none, or cannot be read, is left out.
    """
    return [compact(entry) for entry in _entries(str(specs_directory))]


def generate_detailed_index(spec_file: str | Path) -> dict[str, JSON]:
    """One API's endpoints, schemas and domains, without a store; ValueError where it is none."""
    with as_value_errors():
        for chunked in _chunked(str(spec_file)):
            if chunked.catalog:
                ids = {c.label: c.operation_id for c in chunked.chunks if c.type.is_operation}
                return detailed(chunked.catalog, ids)
        raise CallError(f"{spec_file} is no API description that can be read.")


def _entries(folder: str) -> Iterator[CatalogEntry]:
    for chunked in _chunked(folder):
        if chunked.catalog:
            yield chunked.catalog


class _Uncounted:
    """Nobody asks how long these chunks are."""

    def count(self, text: str, /) -> int:
        return 0

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        return [0] * len(texts)


def _chunked(target: str) -> Iterator[ChunkedSpec]:
    """Each API description by itself, in the order of the files."""
    limits = Limits()
    found = [each for each in discover(target, limits=limits) if not isinstance(each, SpecError)]
    ids = file_ids(each.file for each in found)
    for each in found:
        try:
            data = each.read()
            kind = kind_for(each.file, data)
            document = kind.parse(data, each.file, limits=limits)
        except SpecError:  # refused by an ingest too, which says why
            continue
        if kind.format == "api":
            yield from kind.chunk(
                {each.file: document}, tokens=_Uncounted(), ids=ids, files=AnyFile()
            )
