"""What a store holds and what built it: one small file, replaced as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol

import orjson

from core.convert import structure
from core.errors import StoreDamaged, StoreMismatch
from core.index.disk.files import Files
from core.index.disk.homes import homes
from core.model import Api
from core.sources.files import Files as SpecFiles
from core.sources.files import Home

FORMAT = 1
FIRST = "openapi"  # the kind of all files, where a version without kinds wrote a store
NAME = "manifest.json"
COPY = "manifest.copy.json"  # the same again: it is all that says which document is which file
MENDABLE = "`specloupe store check` puts its copy back."
NOT_MENDABLE = (
    "move the store away and ingest again. Its folder `specs` still has every original, compressed."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file in the store."""

    file: str  # with extension; what its ids begin with
    file_id: str  # what its chunks carry as `source_file`
    root: str  # the ingest root that it came from
    prefix: str  # that was put before its name, "" mostly
    original: str  # sha256 of its bytes, and the name they are kept under
    size: int  # bytes
    chunker: str  # version of the chunker that cut it, which counts for its kind alone
    state: str  # digest of its chunks with their references
    facts: str  # name under which its catalogue entry and report are kept
    chunks: int
    version: str  # "3.1.0", "2.0"; "" when it is no API description
    api: Api  # its title and version, which its rows leave out
    counts: Mapping[str, int]
    unresolved: int  # references that lead nowhere
    links: tuple[str, ...] = ()  # files that it refers to, whether they exist or not
    vectors: float | None = None  # `whole.weighed`; None where an older version wrote it
    kind: str = FIRST  # name of the `SourceKind` that read it

    @property
    def made_by(self) -> str:
        """What made its chunks, as stamps name it: those of the first kind are without its name,
        as stores and read indexes that are older than kinds have them."""
        return self.chunker if self.kind == FIRST else f"{self.kind}-{self.chunker}"


@dataclass(frozen=True)
class Manifest:
    """One generation of a store. Entries are by file, in order."""

    embedder: str = ""  # fingerprint; "" while nothing was ever written
    dimensions: int = 0  # of the vectors
    entries: Mapping[str, Entry] = field(default_factory=dict)
    pace: int = 0  # texts a second of the second look, measured once; 0: not yet

    @property
    def collection(self) -> str:
        """Chroma's name of the rows: vectors of different embedders never share a collection."""
        return f"chunks-{sha256(self.embedder.encode()).hexdigest()[:8]}"

    @cached_property
    def generation(self) -> str:
        """A stamp of the content: equal content has an equal one, whatever its history."""
        digest = sha256(self.embedder.encode())
        for entry in self.entries.values():
            line = f"\n{entry.file}\0{entry.file_id}\0{entry.made_by}\0{entry.state}"
            if home := self.homes[entry.file]:
                line += f"\0{home}"
            digest.update(line.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]

    @cached_property
    def homes(self) -> Mapping[str, str]:
        """What each file is chosen with as a whole; "" where it is chosen by itself."""
        return homes(self.entries.values())

    @cached_property
    def made_by(self) -> frozenset[tuple[str, str]]:
        """Each kind of file with the version of its chunker: asked before every question."""
        return frozenset((entry.kind, entry.chunker) for entry in self.entries.values())

    def by_id(self, file_id: str) -> Entry | None:
        return self._by_id.get(file_id)

    @cached_property
    def _by_id(self) -> Mapping[str, Entry]:
        return {entry.file_id: entry for entry in self.entries.values()}

    @cached_property
    def files(self) -> SpecFiles:
        """Which file a reference means in another."""
        return files_of(self.entries.values())

    @cached_property
    def apis(self) -> Mapping[str, Api]:
        """Title and version by file id."""
        return {entry.file_id: entry.api for entry in self.entries.values()}

    def changed(self, *, put: Iterable[Entry] = (), drop: Collection[str] = ()) -> Manifest:
        """The manifest with entries put in and files dropped."""
        kept = {file: entry for file, entry in self.entries.items() if file not in drop}
        kept |= {entry.file: entry for entry in put}
        return replace(self, entries=dict(sorted(kept.items())))


class _Linked(Protocol):
    """What an entry and a file to be one say of where they came from."""

    @property
    def file(self) -> str: ...
    @property
    def root(self) -> str: ...
    @property
    def prefix(self) -> str: ...
    @property
    def links(self) -> tuple[str, ...]: ...


def files_of(entries: Collection[_Linked]) -> SpecFiles:
    """The files of a store, as those that refer to each other."""
    homes = {entry.file: Home(entry.root, _prefix(entry.prefix)) for entry in entries}
    return SpecFiles(homes, {entry.file: entry.links for entry in entries})


def _prefix(prefix: str) -> str:
    """As it stands before the names of files."""
    return "/".join(step for step in prefix.split("/") if step not in ("", "."))


def read_manifest(files: Files) -> Manifest | None:
    """The manifest of a store; None when there is none yet.

    Raises StoreDamaged when it is broken, StoreMismatch when a newer version wrote it, and OSError.
    """
    data = files.read(NAME)
    if data is None:
        return None
    try:
        return _read(data, files.label(NAME))
    except StoreDamaged as error:
        advice = MENDABLE if read_copy(files) else NOT_MENDABLE
        raise StoreDamaged(f"{error}: {advice}") from error


def read_copy(files: Files) -> Manifest | None:
    """The copy that is written beside the manifest; None when it cannot stand for it."""
    data = files.read(COPY)
    try:
        return _read(data, files.label(COPY)) if data is not None else None
    except StoreDamaged:
        return None


def restore(files: Files) -> bool:
    """Put the copy in the place of a manifest that is damaged or missing; whether it was needed.

    Raises StoreDamaged when there is no copy that can stand for it, StoreMismatch and StoreError.
    """
    try:
        if read_manifest(files) is not None or read_copy(files) is None:
            return False
    except StoreDamaged:
        if read_copy(files) is None:
            raise
    files.write(NAME, files.read(COPY) or b"")
    return True


def _read(data: bytes, label: str) -> Manifest:
    try:
        values = orjson.loads(data)
        if values["format"] > FORMAT:
            raise StoreMismatch(f"{label} was written by a newer Specloupe: update this one.")
        said, seal = values["specs"], values.get("seal")
        if seal not in (None, _seal(said)):
            raise ValueError("it has changed since it was written")
        entries = [_sealed(item) if seal else structure(Entry, item) for item in said]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreDamaged(f"{label} is damaged") from error
    by_file = {entry.file: entry for entry in entries}
    pace = values.get("second_look_pace", 0)
    return Manifest(values["embedder"], values["dimensions"], by_file, pace)


def _sealed(item: Mapping[str, Any]) -> Entry:
    """What a seal says that we wrote needs no check, nor the import of what checks it: a twentieth
    of the first answer of a new process. What a newer version may have added is left out."""
    given = {name: item[name] for name in _FIELDS if name in item}
    title, version = item["api"]
    links = tuple(item.get("links", ()))
    return Entry(**{**given, "api": (title, version), "links": links})


_FIELDS = tuple(each.name for each in fields(Entry))


def write_manifest(files: Files, manifest: Manifest) -> None:
    entries = [asdict(entry) for entry in manifest.entries.values()]
    values = {
        "format": FORMAT,
        "embedder": manifest.embedder,
        "dimensions": manifest.dimensions,
        "generation": manifest.generation,
        "second_look_pace": manifest.pace,
        "seal": _seal(entries),
        "specs": entries,
    }
    data = orjson.dumps(values, option=orjson.OPT_INDENT_2)
    files.write(NAME, data)
    files.write(COPY, data)


def _seal(specs: Iterable[Mapping[str, Any]]) -> str:
    """A digest of what a manifest says of its files: nothing else in a store would contradict it.

    The embedder and the chunker stand apart: what is not this version's own is refused as that.
    """
    said = [{name: value for name, value in spec.items() if name != "chunker"} for spec in specs]
    return sha256(orjson.dumps(said)).hexdigest()[:16]
