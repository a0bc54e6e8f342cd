"""API descriptions (OpenAPI, Swagger 2.0) as a kind of source.

What reads and chunks them is imported when it is first asked for: a process that only searches a
store needs none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from core.errors import SpecError
from core.ids import Id
from core.model import JSON, Chunk, Level
from core.read.document import ChunkedSpec, Document
from core.read.files.filenames import ENDINGS
from core.read.limits import Limits
from core.sources.files import Files
from core.sources.kind import Changes, DocumentOf
from core.tokens import TokenCounter


class OpenApi:
    """The `SourceKind` of API descriptions, and of the files that hold parts of them."""

    name = "openapi"
    version = "6"  # of ids, texts, parts and renderings; what another made is chunked again
    endings = ENDINGS
    format = "api"
    is_stored_in_parts = False
    is_of_root = False
    heeds_gitignore = False

    def takes(self, file: str, data: bytes, /) -> bool:
        """Any: what it is instead is told in the report, or when it is refused."""
        return True

    def members(self, data: bytes, file: str, /) -> Iterator[tuple[str, bytes] | SpecError]:
        return iter(())

    def kept(self, data: bytes, file: str, /) -> bytes:
        return data

    def home(self, file: str, /) -> str:
        return ""

    def parse(self, data: bytes, file: str, *, limits: Limits) -> Document:
        from core.sources.openapi.read import parse

        return parse(data, file, limits=limits)

    def fits(self, parsed: Callable[[], Document | None], /) -> bool:
        document = parsed()
        return document is not None and document.is_api

    def stranger(self, document: Document, mentioned_by: str, /) -> str:
        from core.read.files.looks import looks_like

        used = (
            "no API description refers to it. If others in the store should, ingest it together "
            "with them, or after them."
        )
        if mentioned_by:
            used = (
                f"nothing in it is used: {mentioned_by} mentions it, but refers to something that "
                "it does not contain, or from a place where references are not followed."
            )
        return f"it looks like {looks_like(document)}, not like an API description, and {used}"

    def links(
        self, data: bytes, parsed: Callable[[], Document], prefix: str = ""
    ) -> tuple[str, ...]:
        from core.sources.openapi.refs.links import links

        return links(data, parsed, prefix)

    def chunk(
        self,
        group: Mapping[str, Document],
        *,
        tokens: TokenCounter,
        ids: Mapping[str, str],
        files: Files,
    ) -> Iterator[ChunkedSpec]:
        from core.sources.openapi.chunk import chunk_specs

        return chunk_specs(group, tokens=tokens, ids=ids, files=files)

    def body(self, chunk: Chunk, document_of: DocumentOf, files: Files) -> JSON:
        from core.sources.openapi.chunk import body

        return body(chunk, document_of, files)

    def render(
        self,
        chunk: Chunk,
        body: JSON,
        levels: Sequence[Level],
        document_of: DocumentOf,
        files: Files,
    ) -> Mapping[Level, str]:
        from core.sources.openapi.chunk import around
        from core.sources.openapi.render.levels import render

        about = around(document_of(Id.parse(chunk.id).document), document_of, files)
        return {level: render(chunk, body, level, about) for level in levels}

    def searched(self, compact: str, /) -> str:
        from core.sources.openapi.render.security import searched

        return searched(compact)

    def lines(self, data: bytes, file: str, /) -> Sequence[str]:
        from core.read.load import lines_of

        return lines_of(data, file)

    def title(self, document: Document, /) -> str:
        from core.sources.openapi.changes import title_of

        return title_of(document)

    def is_same(self, one: Document, other: Document, /) -> bool:
        from core.sources.openapi.changes import is_same_api

        return is_same_api(one, other)

    def changes(self, old: Document, new: Document, /) -> Changes:
        from core.sources.openapi.changes import changes

        return changes(old, new)
