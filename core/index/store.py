"""A store on disk: the rows in Chroma, the originals, and a manifest that says what is there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import CallError, StoreBusy, StoreDamaged, StoreError, StoreMismatch
from core.ids import Id, encode
from core.index.chroma.collection import ChunkCollection
from core.index.chroma.filters import to_chroma
from core.index.chroma.kept import KeptChunks
from core.index.chroma.place import Place, place_of
from core.index.chroma.rows import Rows
from core.index.chroma.whole import whole, whole_texts
from core.index.disk.documents import Documents, ParsedDocuments
from core.index.disk.facts import Facts, unpack_facts
from core.index.disk.journal import read_journal
from core.index.disk.manifest import NAME as MANIFEST
from core.index.disk.manifest import Entry, Manifest, read_manifest
from core.model import JSON, CatalogEntry, Chunk, Level
from core.read.document import Document
from core.read.limits import Limits
from core.sources import registry
from core.sources.kind import SourceKind
from core.where import Given, parse

if TYPE_CHECKING:
    from core.index.chroma.writer import Reader
    from core.index.snapshot.writer import FileRows, Row

T = TypeVar("T")
Stamp = tuple[str, ...]

# The originals passed the user's bounds when they came in; they must stay readable if those change.
KEPT = Limits(max_file_mb=2000, max_nodes=100_000_000, parse_seconds=3600)
PARSED = 24_000_000  # bytes of originals whose parsed form is held in memory
_IDS = 10_000  # in one look-up


class Store:
    """One generation of a store; implements `Reader` (as `chroma`) and `Source`.

    Opening one reads the manifest and nothing else: Chroma is imported when rows are asked for,
    and what reads specifications when an original is.
    """

    kind = "chroma"

    def __init__(self, place: Place, manifest: Manifest, stamp: Stamp = ()) -> None:
        """`stamp` is that of the manifest, if it was read from there."""
        self.place, self.manifest, self._stamp = place, manifest, stamp
        self.name = place.name
        self.documents = Documents(place.files)
        self._catalog: tuple[str, tuple[CatalogEntry, ...]] = ("", ())  # and its generation
        self._parsed = ParsedDocuments(size=PARSED)
        self._kept = KeptChunks()
        self._opening = Lock()
        self._opened: ChunkCollection | None = None
        self._reading: Reader | None = None  # what also reads vectors, perhaps another process

    @classmethod
    def open(cls, store: str | Path | Place) -> Store:
        """The store at this place; an empty or missing folder is an empty store.

        Raises CallError for a wrong address, StoreDamaged when the place holds something else, or
        a manifest that cannot be read, and StoreMismatch when a newer version of Specloupe wrote
        it.
        """
        place = place_of(store) if isinstance(store, str | Path) else store
        stamp = place.files.stamp(MANIFEST)  # first: what is read then is as new, or newer
        manifest = _manifest(place)
        return cls(place, manifest or Manifest(), stamp if manifest else ())

    def reopened(self) -> Store:
        """The store as its place holds it now; raises StoreError when it held one and holds none
        now, and otherwise as `open`."""
        found = Store.open(self.place)
        if any(self._stamp) and not any(found._stamp):
            raise self._gone()
        return found

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of Chroma; the next look-up opens it again."""
        with self._opening:
            for opened in (self._opened, self._reading):
                if opened is not None:
                    opened.close()
            self._opened = self._reading = None

    @property
    def index(self) -> Path:
        """The folder of the read index."""
        return self.place.local / "index"

    @property
    def second(self) -> Path:
        """The folder of the second vectors."""
        return self.place.local / "second"

    @property
    def written(self) -> Path:
        """The folder of the questions that a model wrote."""
        return self.place.local / "written"

    @property
    def generation(self) -> str:
        return self.manifest.generation

    @property
    def embedder(self) -> str:
        return self.manifest.embedder

    @property
    def dimensions(self) -> int:
        return self.manifest.dimensions

    @property
    def is_empty(self) -> bool:
        return not self.manifest.entries

    def is_current(self) -> bool:
        """Whether the place still holds this generation."""
        return self.is_as_opened() or self._holds_its_generation()

    def is_as_opened(self) -> bool:
        """Whether the place holds the very manifest that was read: of a store that was replaced by
        an equal one, what Chroma has open is not there any more."""
        return any(self._stamp) and self._stamp == self.place.files.stamp(MANIFEST)

    def _holds_its_generation(self) -> bool:
        manifest = _manifest(self.place) or Manifest()
        return manifest.generation == self.generation

    def check_present(self) -> None:
        """Raise StoreError when the place held a store and holds none now: nothing is written
        where it was, and nothing is answered as if it were empty."""
        if any(self._stamp) and not any(self.place.files.stamp(MANIFEST)):
            _manifest(self.place)  # says what is wrong when it is there and cannot be reached
            raise self._gone()

    def _gone(self) -> StoreError:
        return StoreError(
            f"The store {self.name} is not there any more: it was moved or removed while it "
            "was open. Put it back, or open it where it is now with --store."
        )

    @property
    def is_whole(self) -> bool:
        """Whether no run was interrupted, or is at work; `ingest.repair` completes what was."""
        return read_journal(self.place.files) is None

    def is_settled(self) -> bool:
        """Whether the rows are those of this generation, and no run is changing them."""
        return self.is_whole and self.is_current()

    def busy(self) -> StoreBusy:
        """What to say when somebody's writing keeps a reader from one generation."""
        return StoreBusy(f"The store {self.name} is being written to: try again when that is done.")

    def check(self, embedder: str) -> None:
        """Raise StoreMismatch unless this embedder and this version's chunkers built the store."""
        self.check_embedder(embedder)
        made_by = self.manifest.made_by
        versions = {(kind, registry.named(kind).version) for kind, _ in made_by}
        if not made_by <= versions:
            raise StoreMismatch(
                f"The store {self.name} was chunked by another version of Specloupe. "
                "`specloupe index rebuild` re-chunks it from the stored originals."
            )

    def check_embedder(self, embedder: str) -> None:
        """Raise StoreMismatch unless this embedder built the store."""
        if not self.is_empty and embedder != self.embedder:
            asked = embedder.partition(":")[0]
            raise StoreMismatch(
                f"The store {self.name} was built with the embedder {self.embedder}, not with "
                f"{embedder}. Set EMBEDDER={self.embedder.partition(':')[0]}, or convert it with "
                f"`specloupe reembed --embedder {asked}`."
            )

    def outdated(self) -> tuple[Entry, ...]:
        """The files that another version of their kind's chunker cut.

        Of a kind that this version does not have, nothing can be said.
        """
        entries = self.manifest.entries.values()
        return tuple(
            entry
            for entry in entries
            if (kind := registry.known(entry.kind)) and kind.version != entry.chunker
        )

    # Reading rows

    def semantic(
        self, vector: NDArray[np.float32], /, *, limit: int, where: Given | None
    ) -> Sequence[tuple[str, float]]:
        """The nearest chunks by cosine, from Chroma's approximate index."""
        if limit < 1:
            raise CallError(f"A search for {limit} results finds nothing: ask for one or more.")
        wanted = None if where is None else to_chroma(parse(where))
        return () if self.is_empty else self._rows.nearest(vector, limit=limit, where=wanted)

    @property
    def arrays(self) -> None:
        """Chroma gives the nearest chunks, not the scores of all."""

    @property
    def file_ids(self) -> Collection[str]:
        return [entry.file_id for entry in self.manifest.entries.values()]

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]:
        found = self._kept.of(ids)
        missing = (id for id in dict.fromkeys(ids) if id not in found)
        while batch := list(islice(missing, _IDS)):
            if not self.is_empty:
                read = {chunk.id: chunk for chunk in self._settled(self._read(batch))}
                self._kept.keep(read.values())
                found |= read
        return {id: found[id] for id in ids if id in found}

    def _read(self, ids: list[str]) -> Iterator[Chunk]:
        yield from self._chunks(self._rows.get(ids))

    def chunks_of(self, file_id: str) -> list[Chunk]:
        """Every chunk of a file, by id; none when there is no such file. Raises as `rows`."""
        chunks = chain.from_iterable(map(self._chunks, self.texts(file_id)))
        return sorted(chunks, key=lambda chunk: chunk.id)

    def files(self) -> Iterable[FileRows]:
        return files_of(self.manifest, self._of_file)

    def rows(self, file_id: str) -> Iterator[Rows]:
        """All rows of a file with their vectors, in batches, in no certain order.

        Raises StoreDamaged after them when they are not those of this generation, or StoreBusy
        when that is because somebody is changing them.
        """
        if entry := self.manifest.by_id(file_id):
            yield from self._settled(whole(entry, self._of_file(file_id)))

    def texts(self, file_id: str) -> Iterator[Rows]:
        """The same without their vectors, which a conversion to another embedder does not need."""
        if entry := self.manifest.by_id(file_id):
            read = whole_texts(entry, self._rows.of_file(file_id, vectors=False))
            yield from self._settled(read)

    def _settled(self, read: Iterator[T]) -> Iterator[T]:
        try:
            yield from read
        except StoreDamaged:
            if self.is_settled():
                raise
            raise self.busy() from None

    def _of_file(self, file_id: str) -> Iterator[Rows]:
        with self._opening:
            if self._reading is None:
                self._reading = self.place.reader(self.manifest.collection, self.embedder)
            return iter(list(self._reading.of_file(file_id)))  # one question at a time

    def has_original(self, name: str) -> bool:
        """Whether a document is there, and whole; on a server, as far as one list of names says."""
        return name in self._names if self.place.is_shared else self.documents.holds(name)

    @cached_property
    def _names(self) -> frozenset[str]:
        return self.documents.names()

    def count(self) -> int:
        """Rows in Chroma, whatever the manifest says."""
        return self._rows.count()

    def count_of(self, file_id: str) -> int:
        """The same of one file."""
        return self._rows.count_of(file_id)

    @property
    def _rows(self) -> ChunkCollection:
        with self._opening:
            if self._opened is None:
                self._opened = self.place.rows(self.manifest.collection, self.embedder)
            return self._opened

    def _chunks(self, rows: Rows) -> list[Chunk]:
        return rows.chunks(self.manifest.apis)

    # Reading documents

    def catalog(self) -> Sequence[CatalogEntry]:
        """The APIs by file."""
        if self._catalog[0] != self.generation:
            entries = self.manifest.entries.values()
            packed = self.documents.get_all([(entry.facts, entry.file) for entry in entries])
            facts = map(unpack_facts, packed)
            self._catalog = (self.generation, tuple(f.catalog for f in facts if f.catalog))
        return self._catalog[1]

    def facts(self, entry: Entry) -> Facts:
        """The catalogue entry and the report of a file."""
        return unpack_facts(self.documents.get(entry.facts, entry.file))

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        if level is Level.ID:
            return ""
        return self._rendered(chunk, (level,))[level]

    def renderings(self, chunk: Chunk, /) -> Mapping[Level, str]:
        """The compact form and the signature at once."""
        return self._rendered(chunk, (Level.COMPACT, Level.SIGNATURE))

    def _rendered(self, chunk: Chunk, levels: Sequence[Level]) -> Mapping[Level, str]:
        kind, _ = self._source_of(chunk)
        body, files = self.body(chunk), self.manifest.files
        return kind.render(chunk, body, levels, self.document, files)

    def body(self, chunk: Chunk) -> JSON:
        """The chunk's full JSON, read from the original; raises StoreDamaged when that is lost."""
        kind, _ = self._source_of(chunk)
        return kind.body(chunk, self.document, self.manifest.files)

    def _source_of(self, chunk: Chunk) -> tuple[SourceKind, Document]:
        """The kind of file that a chunk is of, and the document."""
        file = Id.parse(chunk.id).document
        document = self.document(file)
        if document is None:
            raise StoreDamaged(f"The store {self.name} has lost {file!r}: ingest it again.")
        return registry.named(self.manifest.entries[file].kind), document

    def document(self, file: str) -> Document | None:
        """An original, parsed, of which the last few are kept; None when there is no such file."""
        entry = self.manifest.entries.get(file)
        if entry is None:
            return None
        return self.original(file, entry.original, registry.named(entry.kind))

    def original(self, file: str, name: str, kind: SourceKind, limits: Limits = KEPT) -> Document:
        """The document kept under this name, parsed as this file, which is of this kind; raises
        SpecError as well."""
        return self._parsed.get(
            file, f"{kind.name}:{name}", lambda: self.parsed(file, name, kind, limits)
        )

    def taken(self, file: str, name: str, kind: SourceKind, limits: Limits) -> Document:
        """The same for whom it is wanted the last time: it is not kept."""
        return self._parsed.take(
            file, f"{kind.name}:{name}", lambda: self.parsed(file, name, kind, limits)
        )

    def forget_parsed(self) -> None:
        """Keep no parsed original in memory."""
        self._parsed.forget()

    def parsed(self, file: str, name: str, kind: SourceKind, limits: Limits) -> Document:
        """The same, parsed now and not kept."""
        return kind.parse(self.documents.get(name, file), file, limits=limits)


def files_of(manifest: Manifest, of_file: Callable[[str], Iterator[Rows]]) -> Iterator[FileRows]:
    """Each file's rows, to be read when they are wanted; StoreDamaged when they are not whole."""

    from core.index.snapshot.writer import FileRows

    def rows(entry: Entry) -> Iterator[Row]:
        for batch in whole(entry, of_file(entry.file_id)):
            yield from zip(batch.chunks(manifest.apis), batch.vectors, strict=True)

    for entry in manifest.entries.values():
        file, stamp = stamped(entry)
        kind = registry.named(entry.kind)
        home = manifest.homes[entry.file]
        yield FileRows(file, entry.file_id, stamp, partial(rows, entry), kind.searched, home)


def stamped(entry: Entry) -> tuple[str, str]:
    """A file's name in the read index, and what its rows there were made from."""
    return encode(entry.file), f"{entry.made_by}-{entry.state}"


def _manifest(place: Place) -> Manifest | None:
    try:
        found = read_manifest(place.files)
        if found is None:
            place.check_unused()
        return found
    except NotADirectoryError as error:
        raise StoreError(
            f"The store {place.name} is a file, not a folder: choose another with --store."
        ) from error
    except OSError as error:
        raise StoreError(
            f"The store {place.name} cannot be read: {error.strerror}. "
            "Check its permissions, or choose another with --store."
        ) from error
