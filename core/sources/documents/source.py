"""Documents (Markdown, plain text) as a kind of source.

What reads and chunks them is imported when it is first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from core.errors import SpecError, StoreDamaged
from core.ids import Id
from core.model import JSON, Chunk, Level
from core.read.document import ChunkedSpec, Document
from core.read.limits import Limits
from core.sources.files import Files
from core.sources.kind import Changes, DocumentOf
from core.tokens import TokenCounter

_HEAD = 4_000  # bytes
_API = re.compile(rb"""(?m)^[{ \t]*+["']?(?:openapi|swagger)["']?\s*+:\s*+["']?\d""")


class Documents:
    """The `SourceKind` of documents: architecture, design, requirements, decisions, prose."""

    name = "document"
    version = "1"
    endings = (".md", ".markdown", ".txt")
    format = "document"
    is_stored_in_parts = False
    is_of_root = True
    heeds_gitignore = False

    def takes(self, file: str, data: bytes, /) -> bool:
        """By its name; an API description stays one, whatever it is called."""
        return file.lower().endswith(self.endings) and not _API.search(data[:_HEAD])

    def parse(self, data: bytes, file: str, *, limits: Limits) -> Document:
        from core.sources.documents.read import parse

        return parse(data, file, limits=limits)

    def members(self, data: bytes, file: str, /) -> Iterator[tuple[str, bytes] | SpecError]:
        return iter(())

    def kept(self, data: bytes, file: str, /) -> bytes:
        return data

    def home(self, file: str, /) -> str:
        return ""

    def fits(self, parsed: Callable[[], Document | None], /) -> bool:
        return True

    def stranger(self, document: Document, mentioned_by: str, /) -> str:
        return "there is no text in it."

    def links(
        self, data: bytes, parsed: Callable[[], Document], prefix: str = ""
    ) -> tuple[str, ...]:
        from core.sources.documents.targets import links

        try:
            document = parsed()
        except SpecError:
            return ()  # it is refused with this error when it is cut
        return tuple(sorted({*links(document, prefix)} - {"", document.file}))

    def chunk(
        self,
        group: Mapping[str, Document],
        *,
        tokens: TokenCounter,
        ids: Mapping[str, str],
        files: Files,
    ) -> Iterator[ChunkedSpec]:
        from core.sources.documents.chunk import chunk_documents

        return chunk_documents(group, tokens=tokens, ids=ids, files=files)

    def body(self, chunk: Chunk, document_of: DocumentOf, files: Files) -> JSON:
        from core.sources.documents.chunk import body_of

        return body_of(chunk, _document(chunk, document_of))

    def render(
        self,
        chunk: Chunk,
        body: JSON,
        levels: Sequence[Level],
        document_of: DocumentOf,
        files: Files,
    ) -> Mapping[Level, str]:
        from core.sources.documents.chunk import rendered

        full, signature = rendered(chunk, _document(chunk, document_of))
        shown = {Level.JSON: full, Level.COMPACT: full, Level.SIGNATURE: signature, Level.ID: ""}
        return {level: shown[level] for level in levels}

    def searched(self, compact: str, /) -> str:
        return compact

    def lines(self, data: bytes, file: str, /) -> Sequence[str]:
        from core.read.load import lines_of

        return lines_of(data, file)

    def title(self, document: Document, /) -> str:
        return str(document.value.title).casefold()

    def is_same(self, one: Document, other: Document, /) -> bool:
        return self.title(one) == self.title(other)

    def changes(self, old: Document, new: Document, /) -> Changes:
        from core.sources.documents.changes import changes

        return changes(old, new)


def _document(chunk: Chunk, document_of: DocumentOf) -> Document:
    document = document_of(Id.parse(chunk.id).document)
    if document is None:
        raise StoreDamaged(f"The store has lost the document of {chunk.id}: ingest it again.")
    return document
