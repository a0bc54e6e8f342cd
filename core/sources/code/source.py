"""Source code as a kind of source.

What reads and chunks it is imported when it is first asked for: a process that only searches a
store needs no grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from core.errors import SpecError, StoreDamaged
from core.ids import Id
from core.model import JSON, Chunk, Level
from core.read.document import ChunkedSpec, Document
from core.read.limits import Limits
from core.sources.code.languages import ENDINGS
from core.sources.files import TOGETHER, Files
from core.sources.kind import Changes, DocumentOf
from core.tokens import TokenCounter


class Code:
    """The `SourceKind` of source code."""

    name = "code"
    version = "1"
    endings = ENDINGS
    format = "code"
    is_stored_in_parts = True
    is_of_root = True
    heeds_gitignore = True

    def takes(self, file: str, data: bytes, /) -> bool:
        is_hidden = file.rpartition("/")[2].startswith(".")  # `.env.py` holds secrets
        return not is_hidden and file.lower().endswith(ENDINGS)

    def parse(self, data: bytes, file: str, *, limits: Limits) -> Document:
        from core.sources.code.read import parse

        return parse(data, file, limits=limits)

    def members(self, data: bytes, file: str, /) -> Iterator[tuple[str, bytes] | SpecError]:
        return iter(())

    def kept(self, data: bytes, file: str, /) -> bytes:
        from core.sources.code.read import kept

        return kept(data, file)

    def home(self, file: str, /) -> str:
        return ""

    def fits(self, parsed: Callable[[], Document | None], /) -> bool:
        """Equal files are nothing to ask about: many are empty."""
        return False

    def stranger(self, document: Document, mentioned_by: str, /) -> str:
        return "there is no code in it."

    def links(
        self, data: bytes, parsed: Callable[[], Document], prefix: str = ""
    ) -> tuple[str, ...]:
        """All code of a root is read together: anything may call anything."""
        return (f"{TOGETHER}code",)

    def chunk(
        self,
        group: Mapping[str, Document],
        *,
        tokens: TokenCounter,
        ids: Mapping[str, str],
        files: Files,
    ) -> Iterator[ChunkedSpec]:
        from core.sources.code.chunk import chunk_files

        return chunk_files(group, tokens=tokens, ids=ids)

    def body(self, chunk: Chunk, document_of: DocumentOf, files: Files) -> JSON:
        from core.sources.code.chunk import body_of

        return body_of(chunk, _document(chunk, document_of))

    def render(
        self,
        chunk: Chunk,
        body: JSON,
        levels: Sequence[Level],
        document_of: DocumentOf,
        files: Files,
    ) -> Mapping[Level, str]:
        from core.sources.code.chunk import rendered

        shown = rendered(chunk, _document(chunk, document_of))
        return {level: shown[level] for level in levels}

    def searched(self, compact: str, /) -> str:
        from core.sources.code.written import searched

        return searched(compact)

    def lines(self, data: bytes, file: str, /) -> Sequence[str]:
        from core.sources.code.read import lines_of

        return lines_of(data, file)

    def title(self, document: Document, /) -> str:
        """Files are known by their names: what is copied is no version of something."""
        return ""

    def is_same(self, one: Document, other: Document, /) -> bool:
        return False

    def changes(self, old: Document, new: Document, /) -> Changes:
        from core.sources.code.changes import changes

        return changes(old, new)


def _document(chunk: Chunk, document_of: DocumentOf) -> Document:
    document = document_of(Id.parse(chunk.id).document)
    if document is None:
        raise StoreDamaged(f"The store has lost the file of {chunk.id}: ingest it again.")
    return document
