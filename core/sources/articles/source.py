"""Knowledge articles as a kind of source: a base stands for its articles, as an archive does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from core.errors import SpecError
from core.ids import Id
from core.model import JSON, Chunk, Level
from core.read.document import ChunkedSpec, Document
from core.read.limits import Limits
from core.sources.files import Files
from core.sources.kind import Changes, DocumentOf
from core.tokens import TokenCounter


class Articles:
    """The `SourceKind` of knowledge articles."""

    name = "article"
    version = "2"
    endings = (".json",)
    format = "article"
    is_stored_in_parts = False
    is_of_root = False
    heeds_gitignore = False

    def takes(self, file: str, data: bytes, /) -> bool:
        from core.sources.articles.shape import is_base

        return is_base(data)

    def parse(self, data: bytes, file: str, *, limits: Limits) -> Document:
        from core.sources.articles.shape import parse

        return parse(data, file)

    def members(self, data: bytes, file: str, /) -> Iterator[tuple[str, bytes] | SpecError]:
        from core.sources.articles.shape import items, members

        return members(items(data, file), file)

    def kept(self, data: bytes, file: str, /) -> bytes:
        return data

    def home(self, file: str, /) -> str:
        return file.rpartition("/")[0]

    def fits(self, parsed: Callable[[], Document | None], /) -> bool:
        return True

    def stranger(self, document: Document, mentioned_by: str, /) -> str:
        return "the article has no content."

    def links(
        self, data: bytes, parsed: Callable[[], Document], prefix: str = ""
    ) -> tuple[str, ...]:
        return ()

    def chunk(
        self,
        group: Mapping[str, Document],
        *,
        tokens: TokenCounter,
        ids: Mapping[str, str],
        files: Files,
    ) -> Iterator[ChunkedSpec]:
        from core.sources.articles.chunk import chunked

        return (chunked(group[file], ids[file], tokens) for file in sorted(group))

    def body(self, chunk: Chunk, document_of: DocumentOf, files: Files) -> JSON:
        from core.sources.articles.chunk import body

        document = document_of(Id.parse(chunk.id).document)
        assert document is not None
        return body(chunk, document)

    def render(
        self,
        chunk: Chunk,
        body: JSON,
        levels: Sequence[Level],
        document_of: DocumentOf,
        files: Files,
    ) -> Mapping[Level, str]:
        from core.sources.articles.chunk import render

        return render(chunk, body, levels)

    def searched(self, compact: str, /) -> str:
        from core.sources.articles.chunk import searched

        return searched(compact)

    def lines(self, data: bytes, file: str, /) -> Sequence[str]:
        from core.read.load import lines_of

        return lines_of(data, file)

    def title(self, document: Document, /) -> str:
        return " ".join(str(document.value.get("title", "")).casefold().split())

    def is_same(self, one: Document, other: Document, /) -> bool:
        return bool(one.value.get("id") == other.value.get("id"))

    def changes(self, old: Document, new: Document, /) -> Changes:
        differs = old.value != new.value
        return Changes(changed=("article",) if differs else ())
