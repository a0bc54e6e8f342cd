"""Read specifications into a store, take them out of it, and mend what was interrupted."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from core.errors import NotSource, SpecError, StoreDamaged, UnknownId
from core.index.check import Loss, damaged_tables, loss, read_index, rows_in, source_of
from core.index.chroma.rows import rows_of
from core.index.chroma.whole import state_of, weighed
from core.index.disk.journal import Journal, Staged, clear_journal, read_journal
from core.index.disk.manifest import Entry, Manifest, read_copy, write_manifest
from core.index.embed.embedder import Embedder
from core.index.embed.paid import PaidOnce
from core.index.mirror.agreement import agreement, measure
from core.index.second.table import forget
from core.index.snapshot import build
from core.index.store import PARSED, Store
from core.index.write.clash import Clash, Clashes, OnClash, checked_prefix
from core.index.write.commit import Committer
from core.index.write.cut import Cutter
from core.index.write.formats import checked_formats, chosen_before, taken
from core.index.write.fresh import Fresh
from core.index.write.priced import once, priced, told
from core.index.write.report import IngestEvent, IngestReport, Phase, Refused
from core.index.write.staging import Found, Whole, gone, is_single, siblings, stage, vanished
from core.index.write.update import Change, Updater
from core.read.document import SpecReport
from core.read.files.find import discover
from core.read.limits import Limits
from core.read.names import file_ids
from core.sources import registry
from core.text.nearest import API, nearest
from core.tokens import TokenCounter

# a file, folder, archive or URL; what was found in one, or all that there is in one
Source = str | Path | Whole | Iterable[Found]
Progress = Iterator[IngestEvent | IngestReport]

__all__ = [
    "IngestEvent",
    "IngestReport",
    "Phase",
    "Refused",
    "ingest",
    "rechunk",
    "remove",
    "repair",
]


def ingest(
    store: Store,
    sources: Iterable[Source],
    *,
    embedder: Embedder,
    tokens: TokenCounter,
    limits: Limits | None = None,
    prefix: str = "",
    prune: bool = False,
    clash: OnClash = OnClash.TELL,
    only: Collection[str] = (),
    formats: Collection[str] = (),
    pace: Callable[[], int] | None = None,
) -> Progress:
    """Bring the store up to date with its sources; yields events, and the report last.

    `clash` says what becomes of what the store has already in a way, see `IngestReport.clashes`;
    `only` restricts a run to these files, as when some of them were asked about. `formats` are
    those that are read, `formats.taken` says which without a choice. `pace` measures how fast the
    second look is here, which the manifest keeps; it is asked once in a store's life.

    Where the embedder is paid for, an event says what it will cost before it is asked for anything:
    who closes the generator then pays nothing.

    Each specification is replaced as a whole or not at all: closing the generator finishes what is
    half written, and the next run mends what a kill has left. What cannot be taken is reported,
    and the rest goes on. Raises CallError for an unusable
    prefix or an unknown format, StoreError and EmbeddingError.
    """
    checked_prefix(prefix)
    kinds = checked_formats(formats)
    with _running(store, embedder, tokens, limits or Limits(), clash) as run:
        yield from run.mend()
        yield from run.take(list(sources), prefix, prune, frozenset(only), kinds)
        yield from run.finish(pace)


def remove(
    store: Store, file_ids: Collection[str], *, embedder: Embedder, tokens: TokenCounter
) -> Progress:
    """Take files out of the store; references of others to them do not resolve any more.

    Yields events, and the report last. Raises UnknownId before anything is removed.
    """
    with _running(store, embedder, tokens, Limits()) as run:
        wanted = run.named(file_ids)
        yield from run.mend()
        yield from run.remove(wanted)
        yield from run.finish()


def repair(
    store: Store, *, embedder: Embedder, tokens: TokenCounter, deep: bool = False
) -> Progress:
    """Carry through what an interrupted run has left half written, and mend what was lost.

    `deep` looks at every row and every document, as `check.check` does, and not at names and
    counts alone.
    """
    with _running(store, embedder, tokens, Limits()) as run:
        yield from run.mend(deep=deep)
        yield from run.finish()


def rechunk(store: Store, *, embedder: Embedder, tokens: TokenCounter) -> Progress:
    """Cut anew what another version's chunker cut, from the originals that the store keeps.

    Yields events, and the report last.
    """
    with _running(store, embedder, tokens, Limits()) as run:
        yield from run.mend()
        yield from run.rechunk()
        yield from run.finish()


@contextmanager
def _running(
    store: Store,
    embedder: Embedder,
    tokens: TokenCounter,
    limits: Limits,
    clash: OnClash = OnClash.TELL,
) -> Iterator[_Run]:
    """A run over the newest generation. `store` itself stays with the one that it reads."""
    store.check_present()
    with store.place.writing(), store.reopened() as newest:
        _prepare(newest, embedder)
        with closing(_Run(newest, once(newest, embedder), tokens, limits, clash)) as run:
            yield run


class _Run:
    """One run over a store, and what it has done so far."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        tokens: TokenCounter,
        limits: Limits,
        clash: OnClash,
    ) -> None:
        self._started = time.perf_counter()
        self._store, self._limits = store, limits
        self._embedder, self._tokens = embedder, tokens
        self._cutter = Cutter(store, embedder, tokens, limits)
        self._committer = Committer(store)
        self._updater = Updater(store, self._cutter, self._committer)
        self._generation = store.generation
        self._before = _documents(store)
        self._clashes = Clashes(store, clash)
        self._refused: list[Refused] = []
        self._skipped: list[str] = []
        self._vanished: list[str] = []
        self._left_out: list[str] = []  # for their format
        self._not_source: list[Refused] = []
        self._repaired: tuple[str, ...] = ()
        self._lost: frozenset[str] = frozenset()  # files that only their sources bring back

    def close(self) -> None:
        with closing(self._updater.kept):
            self._committer.close()

    def mend(self, *, deep: bool = False) -> Iterator[IngestEvent]:
        """Carry through what was interrupted, and make again what was lost."""
        store, place = self._store, self._store.place
        journal, readable = _journal(store)
        lost = loss(store, deep=deep or not readable)
        if lost.chroma:
            store.close()
            place.set_aside(store.manifest.collection)
        for file in sorted(lost.originals):
            if (data := source_of(store.manifest.entries[file])) is not None:
                store.documents.put(data)
        if journal:
            yield from self._carry_through(journal)
        yield from self._make_again(lost)
        for folder in damaged_tables(store) if deep else ():
            forget(folder)
        if not readable:
            clear_journal(place.files)
        if store.manifest.entries and read_copy(place.files) is None:
            write_manifest(place.files, store.manifest)
        if not self._lost:
            place.forget_aside()
        if not (journal or lost or place.is_sealed):  # every row was read, and nobody writes
            store.close()
            place.seal()

    def _carry_through(self, journal: Journal) -> Iterator[IngestEvent]:
        put = {s.file: s for s in journal.put if self._store.documents.holds(s.original)}
        self._repaired = tuple(sorted({*put, *journal.drop}))
        change = Change(
            put, journal.drop, touched=journal.file_ids, anew=True, total=len(self._repaired)
        )
        yield from self._carried_out(change)
        yield from self._updater.settle()
        clear_journal(self._store.place.files)  # of what has lost its original, nothing is left
        for file in self._repaired:
            yield IngestEvent(file, Phase.REPAIRED, change.total, change.total)

    def _make_again(self, lost: Loss) -> Iterator[IngestEvent]:
        entries = self._store.manifest.entries
        wanted = sorted(((lost.rows | lost.facts) - set(self._repaired)) & entries.keys())
        put = {f: Staged.of(entries[f]) for f in wanted if self._holds(entries[f])}
        if put:  # an empty change would cut what is outdated
            yield from self._carried_out(Change(put, lost=frozenset(put), total=len(wanted)))
            yield from self._updater.settle()
        refused = {one.file for one in self._updater.refused}
        adopted = [f for f in wanted if f in lost.rows and f not in put and self._adopt(f)]
        if lost.strange:
            self._committer.keep_only([e.file_id for e in self._store.manifest.entries.values()])
        mended = sorted({*(put.keys() - refused), *adopted})
        self._lost = frozenset(lost.facts | lost.rows) - set(mended) - set(self._repaired)
        self._repaired = tuple(sorted({*self._repaired, *mended}))
        for file in mended:
            yield IngestEvent(file, Phase.REPAIRED, len(mended), len(wanted))

    def _holds(self, entry: Entry) -> bool:
        return self._store.documents.holds(entry.original)

    def _adopt(self, file: str) -> bool:
        """Make the rows of a file from the read index, whose original is lost."""
        entry, snapshot = self._store.manifest.entries[file], read_index(self._store)
        found = snapshot and rows_in(snapshot, entry)
        if not (snapshot and found):
            return False
        chunks = [snapshot.chunk(row) for row in range(found.start, found.stop)]
        rows = rows_of(chunks, entry.api)
        if state_of([rows]) != entry.state:
            return False
        rows = replace(rows, vectors=self._cutter.embed(rows.texts))
        self._committer.adopt(replace(entry, vectors=weighed([rows])), rows)
        return True

    def take(
        self,
        sources: Sequence[Source],
        prefix: str,
        prune: bool,
        only: Collection[str],
        formats: Collection[str],
    ) -> Iterator[IngestEvent]:
        found: list[Found] = []
        for source in sources:
            if isinstance(source, str | Path):
                there = self._discovered(str(source), prefix)
                here = self._taken(list(there), formats, str(source))
                self._vanished += vanished(self._store, str(source), prefix, here)
                found += here
                if len(here) == 1 and is_single(here[0], str(source)):
                    found += siblings(here[0], prefix, self._limits)
            elif isinstance(source, Whole):
                here = list(source.found)
                self._vanished += gone(self._store, source.root, prefix, here)
                found += here
            else:
                found += self._taken(list(source), formats)
        found = list({(one.file, getattr(one, "root", "")): one for one in found}.values())
        if only:
            found = [one for one in found if one.file in only]
        drop = sorted(self._vanished) if prune else []
        total = len(found) + len(drop)
        put = yield from self._stage(found, prefix, total)
        if sum(staged.size for staged in put.values()) > PARSED:
            self._store.forget_parsed()  # the first to be cut are gone already
        change = Change(put, drop, done=len(found) - len(put), total=total, lost=self._lost)
        self._vanished = [] if prune else self._vanished
        yield from self._carried_out(change)
        yield from self._drop_replaced(put, total)

    def _priced(self, change: Change) -> Iterator[IngestEvent]:
        """Say what embedding costs where it is paid for; whoever hears of it may stop here."""
        if not isinstance(self._embedder, PaidOnce):
            return
        how = self._embedder, self._tokens, self._limits
        texts, tokens = priced(self._store, change, *how)
        if texts:
            yield told(self._embedder, texts, tokens, done=change.done, total=change.total)

    def _discovered(self, source: str, prefix: str) -> Iterator[Found]:
        return discover(source, prefix=prefix, limits=self._limits, endings=registry.endings())

    def _taken(
        self, found: Sequence[Found], formats: Collection[str], target: str = ""
    ) -> Sequence[Found]:
        before = chosen_before(self._store.manifest.entries.values(), target) if target else ()
        chosen = taken(found, formats or before, target)
        self._left_out += chosen.left_out
        return chosen.found

    def _drop_replaced(self, put: Mapping[str, Staged], total: int) -> Iterator[IngestEvent]:
        """What another has taken the place of goes when that is stored, and not before."""
        if not self._clashes.replaced:
            return
        yield from self._updater.settle()
        entries = self._store.manifest.entries
        stored = {
            file
            for file, staged in put.items()
            if file in entries and entries[file].original == staged.original
        }
        gone = [
            old for old, new in self._clashes.replaced.items() if old in entries and new in stored
        ]
        yield from self._carried_out(Change(drop=sorted(gone), done=total, total=total))

    def _stage(
        self, found: Sequence[Found], prefix: str, total: int
    ) -> Generator[IngestEvent, None, dict[str, Staged]]:
        """What is new or has changed."""
        put: dict[str, Staged] = {}
        done = 0
        for staged in stage(self._store, found, prefix, self._limits, self._clashes):
            if isinstance(staged, Clash):
                phase, reason = Phase.ASKED, ""
                if staged.taken is OnClash.SKIP:
                    self._skipped.append(staged.file)
                    phase = Phase.SKIPPED
            elif isinstance(staged, NotSource):
                self._not_source.append(Refused.of(staged))
                phase, reason = Phase.LEFT_OUT, staged.reason
            elif isinstance(staged, SpecError):
                self._refused.append(Refused.of(staged))
                phase, reason = Phase.REFUSED, staged.reason
            elif self._is_known(staged) and staged.file not in self._lost:
                self._skipped.append(staged.file)
                phase, reason = Phase.SKIPPED, ""
            else:
                put[staged.file] = staged
                phase, reason = Phase.READ, ""
            done += phase is not Phase.READ
            yield IngestEvent(staged.file, phase, done, total, reason=reason)
        return put

    def named(self, file_ids: Collection[str]) -> list[str]:
        """The files of these ids, with those that an interrupted run has begun to drop."""
        journal = read_journal(self._store.place.files)
        begun = {name: file for file in journal.drop for name in _names_of(file)} if journal else {}
        return sorted({begun.get(id) or _entry(self._store.manifest, id).file for id in file_ids})

    def remove(self, files: Collection[str]) -> Iterator[IngestEvent]:
        """Those that are gone by now, as an interrupted run was carried through, are told too."""
        drop = sorted(file for file in files if file in self._store.manifest.entries)
        gone = set(files) - {*drop, *self._updater.removed}
        self._updater.removed += gone
        yield from self._carried_out(Change(drop=drop, total=len(drop)))

    def rechunk(self) -> Iterator[IngestEvent]:
        outdated = {entry.file: Staged.of(entry) for entry in self._store.outdated()}
        yield from self._carried_out(Change(outdated, total=len(outdated)))

    def _carried_out(self, change: Change) -> Iterator[IngestEvent]:
        """A change, whose cost is told before."""
        yield from self._priced(change)
        yield from self._updater.carry_out(change)

    def finish(self, pace: Callable[[], int] | None = None) -> Progress:
        yield from self._index()
        if isinstance(self._embedder, PaidOnce):
            self._embedder.forget()
        if self._refused or self._not_source or self._updater.refused:
            # nothing is kept of these, which may be keys; who is reading may need what was
            _sweep(self._store, self._before)
        if pace and self._store.manifest.entries and not self._store.manifest.pace:
            self._store.manifest = replace(self._store.manifest, pace=pace())
            write_manifest(self._store.place.files, self._store.manifest)
        manifest = self._store.manifest
        yield IngestReport(
            specs=tuple(sorted(map(self._told, self._updater.reports), key=lambda r: r.file)),
            skipped=tuple(sorted(self._skipped)),
            refused=tuple(sorted(self._refused + self._updater.refused, key=lambda one: one.file)),
            removed=tuple(sorted(self._updater.removed)),
            vanished=tuple(sorted(self._vanished)),
            left_out=tuple(sorted(self._left_out)),
            not_source=tuple(sorted(self._not_source, key=lambda one: one.file)),
            clashes=tuple(sorted(self._clashes.found, key=lambda clash: clash.file)),
            repaired=self._repaired,
            generation=manifest.generation,
            chunks=sum(entry.chunks for entry in manifest.entries.values()),
            written=self._committer.written,
            embedded=self._cutter.embedded,
            seconds=time.perf_counter() - self._started,
        )

    def _told(self, report: SpecReport) -> SpecReport:
        """The report on a file with what is to be said of its clashes."""
        return replace(report, findings=(*report.findings, *self._clashes.of(report.file)))

    def _index(self) -> Iterator[IngestEvent]:
        """Bring the read index up to date, beside the last that is being written."""
        folder, settled = self._store.index, self._updater.settle()
        future = Store(self._store.place, self._committer.manifest)
        source = Fresh(future, self._updater.kept, self._committer.rows)
        if future.generation != self._generation:
            yield IngestEvent("", Phase.INDEX, 0, 0)
            self._cutter.forget()
            with build.building(folder, source):
                stored = list(settled)  # who hears of it may want to read: not under the lock
            yield from stored
        else:
            yield from settled
            if not future.is_empty:
                build.current(folder, source)
        if self._is_approximate() and agreement(self._store) is None:
            measure(self._store)

    def _is_approximate(self) -> bool:
        """Whether readers may be answered by Chroma, as they have no read index yet."""
        return self._store.place.is_shared and not self._store.is_empty

    def _is_known(self, staged: Staged) -> bool:
        entry = self._store.manifest.entries.get(staged.file)
        wanted = (staged.root, staged.original, registry.named(staged.kind).version)
        return entry is not None and (entry.root, entry.original, entry.chunker) == wanted


def _prepare(store: Store, embedder: Embedder) -> None:
    """Check that the embedder fits, and clear away what no generation needs any more."""
    fingerprint = embedder.fingerprint
    if not store.is_empty:
        store.check_embedder(fingerprint)
    elif store.embedder != fingerprint:
        store.manifest = Manifest(fingerprint, embedder.dimensions)
        write_manifest(store.place.files, store.manifest)
    _sweep(store)


def _sweep(store: Store, also: Collection[str] = ()) -> None:
    """Remove the documents that no file and no interrupted run needs, but for `also`."""
    journal, readable = _journal(store)
    if not readable:
        return  # what is no generation's may be that run's
    pending = {staged.original for staged in journal.put} if journal else set()
    store.documents.sweep(_documents(store) | pending | {*also})


def _documents(store: Store) -> frozenset[str]:
    entries = store.manifest.entries.values()
    return frozenset(name for entry in entries for name in (entry.original, entry.facts))


def _names_of(file: str) -> tuple[str, ...]:
    """What `specs rm` may call a file that is no longer in the manifest."""
    return file, *file_ids([file]).values()


def _journal(store: Store) -> tuple[Journal | None, bool]:
    """What was begun and not finished, and whether that could be read."""
    try:
        return read_journal(store.place.files), True
    except StoreDamaged:
        return None, False


def _entry(manifest: Manifest, file_id: str) -> Entry:
    entry = manifest.by_id(file_id) or manifest.entries.get(file_id)
    if entry is None:
        known = sorted({*manifest.entries, *(e.file_id for e in manifest.entries.values())})
        raise UnknownId("file", file_id, nearest(file_id, known, API, limit=3))
    return entry
