"""What a kind of source does, so that a store of it can be written, searched and shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from core.errors import SpecError
from core.model import JSON, Chunk, Level
from core.read.document import ChunkedSpec, Document
from core.read.limits import Limits
from core.sources.files import Files
from core.tokens import TokenCounter

DocumentOf: TypeAlias = Callable[[str], Document | None]  # by file; None: there is no such file


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between two versions: elements, by their names within a file, in order."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class SourceKind(Protocol):
    """One kind of file. What it makes is all that `core.index` knows of it.

    It holds no state: documents, names and counters are handed to it. `registry.KINDS` lists the
    kinds that there are.
    """

    @property
    def name(self) -> str:
        """What a store calls it; never changed once a store was written."""

    @property
    def version(self) -> str:
        """Of its ids, texts, parts and renderings: what another made is chunked again."""

    @property
    def endings(self) -> tuple[str, ...]:
        """Of its files in a folder or an archive; a single file is asked whatever it is called."""

    @property
    def format(self) -> str:
        """What people call it: `--format api`."""

    @property
    def heeds_gitignore(self) -> bool:
        """Whether what a `.gitignore` of a folder names is passed by, as what is hidden is."""

    def takes(self, file: str, data: bytes, /) -> bool:
        """Whether it reads such a file: the first of `registry.KINDS` that does, has it."""

    def parse(self, data: bytes, file: str, *, limits: Limits) -> Document:
        """The file's values; raises SpecError."""

    def members(self, data: bytes, file: str, /) -> Iterator[tuple[str, bytes] | SpecError]:
        """The files that one stands for, each with its name and bytes, as an archive's members;
        none where it is read as it is. An item that cannot be read comes as its error."""

    def kept(self, data: bytes, file: str, /) -> bytes:
        """What a store keeps of a file: all but secrets. Raises SpecError for one that is left
        out, and of which nothing is kept."""

    def home(self, file: str, /) -> str:
        """The base that is chosen as a whole and a file is a part of; "" for none."""

    @property
    def is_of_root(self) -> bool:
        """Whether all files that a root gives are chosen as a whole; else each is by itself, or
        its `home` is."""

    @property
    def is_stored_in_parts(self) -> bool:
        """Whether files that are read together may be stored some after others, each as soon as it
        is made: there may be thousands. Such a kind asks for one document at a time, and its
        files have no leads."""

    def fits(self, parsed: Callable[[], Document | None], /) -> bool:
        """Whether a file stands for itself, so that a second copy of it is worth a question.

        `parsed` gives its document, None where it cannot be read; most kinds need none to tell.
        """

    def stranger(self, document: Document, mentioned_by: str, /) -> str:
        """Why nothing is made of a document that could be read; `mentioned_by` is a file or ""."""

    # Files that belong together

    def links(
        self, data: bytes, parsed: Callable[[], Document], prefix: str = ""
    ) -> tuple[str, ...]:
        """The names of the files that one refers to, and what it declares, for `files.Files`.

        `parsed` gives its document; most kinds can tell by the bytes that there is none. `prefix`
        stands before the names of its root's files.
        """

    # Chunks and what is shown of them

    def chunk(
        self,
        group: Mapping[str, Document],
        *,
        tokens: TokenCounter,
        ids: Mapping[str, str],
        files: Files,
    ) -> Iterator[ChunkedSpec]:
        """The chunks of documents that belong together, each file with its catalogue entry and
        report. `ids` are the file ids, `files` are those of the whole store."""

    def body(self, chunk: Chunk, document_of: DocumentOf, files: Files) -> JSON:
        """All that a chunk holds, taken from the original documents."""

    def render(
        self,
        chunk: Chunk,
        body: JSON,
        levels: Sequence[Level],
        document_of: DocumentOf,
        files: Files,
    ) -> Mapping[Level, str]:
        """A chunk at each of these levels; `body` is what the method of this name gives."""

    def searched(self, compact: str, /) -> str:
        """What keywords find of a chunk's compact form."""

    def lines(self, data: bytes, file: str, /) -> Sequence[str]:
        """The lines of a file, as the places in it are counted."""

    # Versions and copies

    def title(self, document: Document, /) -> str:
        """What it calls itself, in the form in which titles are compared; "" for nothing."""

    def is_same(self, one: Document, other: Document, /) -> bool:
        """Whether two files are versions of one thing."""

    def changes(self, old: Document, new: Document, /) -> Changes:
        """What the new version adds, removes and changes."""
