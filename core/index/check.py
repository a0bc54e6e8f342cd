"""Which parts of a store are intact, which are lost, and what they can be repaired from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from core.errors import StoreDamaged
from core.index.chroma.whole import whole
from core.index.disk.documents import digest
from core.index.disk.journal import read_journal
from core.index.disk.manifest import COPY, NAME, Entry, read_copy
from core.index.second.table import open_table
from core.index.snapshot.snapshot import Snapshot
from core.index.store import Store, stamped


class State(StrEnum):
    WHOLE = "whole"
    MENDABLE = "mendable"
    LOST = "lost"  # only the files that it was made from bring it back


class Part(StrEnum):
    MANIFEST = "manifest"
    RUN = "run"  # an interrupted one
    ORIGINAL = "original"
    FACTS = "facts"  # the catalogue entry and the report of a file
    ROWS = "rows"  # of a file, in Chroma
    INDEX = "read index"
    SECOND = "second vectors"
    WRITTEN = "written questions"


@dataclass(frozen=True, slots=True)
class Finding:
    """How one part of a store is; of those that are whole there is one a part, not one a file."""

    part: Part
    state: State
    file: str  # "" for what is no single file's
    said: str  # a sentence: what is wrong, and what it is mended from


@dataclass(frozen=True, slots=True)
class Loss:
    """What is not as the manifest says, by file."""

    originals: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    strange: bool = False  # rows of files that the manifest does not know
    chroma: str = ""  # why nothing can be read from Chroma
    indexed: frozenset[str] = field(default_factory=frozenset)  # of the rows, in the read index

    def __bool__(self) -> bool:
        return bool(self.originals or self.facts or self.rows or self.strange or self.chroma)


def check(store: Store) -> Iterator[Finding]:
    """Look at everything; yields what is found, part by part. Raises StoreError where something
    is missing to look at it (memory, permission): that is no damage."""
    yield from _manifest_and_copy(store)
    yield _run(store)
    lost = loss(store, deep=True)
    entries = store.manifest.entries
    yield from _documents(store, lost)
    yield from _rows(entries, lost)
    yield _index(store)
    yield from _second(store)
    yield from _written(store)


def loss(store: Store, *, deep: bool) -> Loss:
    """What is lost. Unless `deep`, what can be told from names and counts alone; Chroma's rows are
    read where its files are not as they were left."""
    entries = store.manifest.entries.values()
    kept = _kept(store, deep)
    rows, strange, chroma = _lost_rows(store, deep or not store.place.is_sealed)
    return Loss(
        frozenset(entry.file for entry in entries if entry.original not in kept),
        frozenset(entry.file for entry in entries if entry.facts not in kept),
        rows,
        strange,
        chroma,
        _indexed(store, rows) if rows else frozenset(),
    )


def _kept(store: Store, deep: bool) -> Collection[str]:
    """The documents that are there: whole ones if `deep`, and always as far as they are short."""
    names = store.documents.names()
    if store.place.is_shared and not deep:
        return names
    short = {entry.facts for entry in store.manifest.entries.values()}
    return {n for n in names if not (deep or n in short) or store.documents.holds(n)}


def _lost_rows(store: Store, deep: bool) -> tuple[frozenset[str], bool, str]:
    """The files whose rows are not whole, whether there are others, and why none can be read."""
    entries = store.manifest.entries.values()
    everything = frozenset(entry.file for entry in entries if entry.chunks)
    if not entries:
        return frozenset(), False, ""
    wanted = sum(entry.chunks for entry in entries)
    if not deep and store.place.counted(store.manifest.collection) == wanted:
        return frozenset(), False, ""
    try:
        count = store.count()
        if not deep and count == wanted:
            return frozenset(), False, ""
        counts = {entry.file: store.count_of(entry.file_id) for entry in entries}
        lost = {entry.file for entry in entries if counts[entry.file] != entry.chunks}
        if deep:
            lost |= set(_unlike(store, [entry for entry in entries if entry.file not in lost]))
        return frozenset(lost), count != sum(counts.values()), ""
    except StoreDamaged as error:
        return everything, False, str(error)


def _unlike(store: Store, entries: Collection[Entry]) -> Iterator[str]:
    """The files whose rows are not what was written; raises StoreDamaged when Chroma fails."""
    with closing(store.place.reader(store.manifest.collection, store.embedder)) as reader:
        for entry in entries:
            rows = list(reader.of_file(entry.file_id))
            try:
                for _ in whole(entry, iter(rows)):
                    pass
            except StoreDamaged:
                yield entry.file


def _indexed(store: Store, files: Collection[str]) -> frozenset[str]:
    snapshot = read_index(store)
    if snapshot is None:
        return frozenset()
    entries = [store.manifest.entries[file] for file in files]
    return frozenset(entry.file for entry in entries if rows_in(snapshot, entry))


def rows_in(snapshot: Snapshot, entry: Entry) -> slice | None:
    """Where the read index has the rows of a file as they are to be."""
    return snapshot.rows_of(*stamped(entry))


def read_index(store: Store) -> Snapshot | None:
    """The read index, if it is whole and of the store's embedder; of whatever generation."""
    with suppress(StoreDamaged):
        snapshot = Snapshot.open(store.index, rendering=store.rendering, whole=True)
        return snapshot if snapshot.embedder == store.embedder else None
    return None


def source_of(entry: Entry) -> bytes | None:
    """The original where it came from, if that is a folder of this machine that still has it."""
    path = original_path(entry)
    with suppress(OSError, ValueError):
        if path is None or path.stat().st_size != entry.size:
            return None
        data = path.read_bytes()
        return data if digest(data) == entry.original else None
    return None


def original_path(entry: Entry) -> Path | None:
    """Where it came from, if that is a folder of this machine that has a file of its name; of what
    came from an archive, a URL or an upload, None."""
    name = entry.file.removeprefix(f"{entry.prefix}/") if entry.prefix else entry.file
    with suppress(OSError, ValueError):
        path = Path(entry.root) / name
        return path if path.is_absolute() and path.is_file() else None
    return None


def _manifest_and_copy(store: Store) -> Iterator[Finding]:
    files = store.place.files
    if store.is_empty:
        yield Finding(Part.MANIFEST, State.WHOLE, "", "The store is empty.")
    elif read_copy(files) is None:
        yield Finding(
            Part.MANIFEST, State.MENDABLE, "", f"{files.label(COPY)} is written from {NAME}."
        )
    else:
        yield Finding(Part.MANIFEST, State.WHOLE, "", f"{len(store.manifest.entries)} files.")


def _run(store: Store) -> Finding:
    try:
        journal = read_journal(store.place.files)
    except StoreDamaged as error:
        return Finding(Part.RUN, State.MENDABLE, "", str(error))
    if journal is None:
        return Finding(Part.RUN, State.WHOLE, "", "No run was interrupted.")
    said = f"A run over {len(journal.put) + len(journal.drop)} files was interrupted"
    return Finding(Part.RUN, State.MENDABLE, "", f"{said}, or is still at work: it is completed.")


def _documents(store: Store, lost: Loss) -> Iterator[Finding]:
    entries = store.manifest.entries
    for file in sorted(lost.originals):
        found = source_of(entries[file]) is not None
        yield Finding(
            Part.ORIGINAL,
            State.MENDABLE if found else State.LOST,
            file,
            f"Its original is missing or damaged: {_from(entries[file], found)}",
        )
    for file in sorted(lost.facts):
        found = file not in lost.originals or source_of(entries[file]) is not None
        yield Finding(
            Part.FACTS,
            State.MENDABLE if found else State.LOST,
            file,
            "Its catalogue entry is missing or damaged: "
            + ("it is rebuilt from the original." if found else _again(entries[file])),
        )
    for part, missing in ((Part.ORIGINAL, lost.originals), (Part.FACTS, lost.facts)):
        if len(missing) < len(entries):
            yield Finding(part, State.WHOLE, "", _share(len(entries) - len(missing), len(entries)))


def _rows(entries: Mapping[str, Entry], lost: Loss) -> Iterator[Finding]:
    if lost.chroma:
        yield Finding(Part.ROWS, State.MENDABLE, "", lost.chroma)
    for file in sorted(lost.rows):
        yield _row(entries[file], lost)
    if lost.strange:
        said = "There are rows of files that are not in the store: they are deleted."
        yield Finding(Part.ROWS, State.MENDABLE, "", said)
    if len(lost.rows) < len(entries):
        said = _share(len(entries) - len(lost.rows), len(entries))
        yield Finding(Part.ROWS, State.WHOLE, "", said)


def _row(entry: Entry, lost: Loss) -> Finding:
    wrong = "Its rows are missing or damaged: "
    if entry.file not in lost.originals or source_of(entry) is not None:
        said, state = "they are rebuilt from the original.", State.MENDABLE
    elif entry.file in lost.indexed:
        said, state = "they are rebuilt from the read index.", State.MENDABLE
    else:
        said, state = _again(entry), State.LOST
    return Finding(Part.ROWS, state, entry.file, wrong + said)


def _index(store: Store) -> Finding:
    found = read_index(store)
    if store.is_empty or (found and found.generation == store.generation):
        return Finding(Part.INDEX, State.WHOLE, "", "It matches the store.")
    said = "It is older than the store" if found else "It is missing or damaged"
    return Finding(Part.INDEX, State.MENDABLE, "", f"{said}: it is rebuilt from the store.")


def _second(store: Store) -> Iterator[Finding]:
    mended = "They are removed; the app or `specloupe index second-look` makes them."
    return _vectors(Part.SECOND, store.second, "texts have one.", mended)


def _written(store: Store) -> Iterator[Finding]:
    mended = "Their vectors are removed; `specloupe index questions` makes them again."
    return _vectors(Part.WRITTEN, store.written, "questions have a vector.", mended)


def _vectors(part: Part, folder: Path, have: str, mended: str) -> Iterator[Finding]:
    """Nothing where none were ever stored."""
    try:
        table = open_table(folder)
    except StoreDamaged as error:
        yield Finding(part, State.MENDABLE, "", f"{error} {mended}")
    else:
        if table:
            yield Finding(part, State.WHOLE, "", f"{len(table.keys):,} {have}")


def damaged_tables(store: Store) -> Iterator[Path]:
    """The folders of the vectors that cannot be read and are made again by whoever made them."""
    looked = {store.second: _second(store), store.written: _written(store)}
    for folder, found in looked.items():
        if any(each.state is State.MENDABLE for each in found):
            yield folder


def _from(entry: Entry, found: bool) -> str:
    return f"it is restored from {entry.root}." if found else _again(entry)


def _again(entry: Entry) -> str:
    return f"ingest it again from {entry.root}."


def _share(whole_ones: int, of: int) -> str:
    return f"{whole_ones} of {of} files."
