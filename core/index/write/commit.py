"""Put specifications into a store, all or nothing for each, while the next are being cut."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from core.errors import StoreError
from core.index.chroma.rows import NO_VECTORS, Rows
from core.index.chroma.writer import Writer
from core.index.disk.journal import Journal, clear_journal, write_journal
from core.index.disk.manifest import Entry, Manifest, write_manifest
from core.index.store import Store
from core.index.write.cut import Spec

T = TypeVar("T")

AHEAD = 20_000  # rows that may wait to be written while the next are being cut
_LARGE = 2_000_000  # bytes of documents from which on a second process pays for its start
_PAUSE = 0.5  # seconds between two words on how far it is


@dataclass(slots=True)
class Batch:
    """Specifications that are written together, and files that are dropped with them."""

    specs: list[Spec] = field(default_factory=list)
    drop: list[Entry] = field(default_factory=list)
    touched: Sequence[str] = ()  # file ids of which an interrupted run may have left rows

    @property
    def rows(self) -> int:
        return sum(len(spec.rows) for spec in self.specs if spec.rows)


@dataclass(frozen=True, slots=True)
class _Pending:
    batch: Batch
    manifest: Manifest  # of the store, once the batch is written
    journal: Journal
    written: Future[None]


class Committer:
    """Replaces specifications batch by batch, in the order that they come.

    A batch's journal is on disk before its first row is touched, and stays until its manifest is:
    the next start carries an interrupted batch through. A large run writes in another process,
    while the caller cuts the next batches.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pending: deque[_Pending] = deque()
        self._writer: Writer | None = None
        self._pool: ThreadPoolExecutor | None = None  # one thread, which talks to the process
        self.added = 0  # rows, whether committed or not
        self.written = 0  # rows

    @property
    def manifest(self) -> Manifest:
        """The store's, once everything that was begun is written."""
        return self._pending[-1].manifest if self._pending else self._store.manifest

    def expect(self, size: int) -> None:
        """So many bytes of documents are about to come."""
        if size > _LARGE and self._writer is None:
            self._pool = ThreadPoolExecutor(1)
            self._open(apart=True)  # starts while the first are being cut

    def begin(self, batch: Batch) -> None:
        """Write these after all others; `settle` tells when it is done."""
        for spec in batch.specs:
            self._store.documents.put(spec.facts)
        fresh = [spec for spec in batch.specs if spec.rows is not None]
        old = self._replaced(fresh, batch.drop) | set(batch.touched)
        gone = tuple(entry.file for entry in batch.drop)
        journal = Journal(
            put=tuple(spec.staged for spec in fresh),
            drop=gone,
            file_ids=tuple(sorted(old | {spec.entry.file_id for spec in fresh})),
        )
        manifest = self.manifest.changed(put=[spec.entry for spec in batch.specs], drop=gone)
        self._write_journal(journal)
        rows = _joined([spec.rows for spec in fresh if spec.rows])
        written = self._submit(
            lambda: self._replace(sorted(old), rows) if journal.file_ids else None
        )
        self._pending.append(_Pending(batch, manifest, journal, written))

    def _replaced(self, fresh: Sequence[Spec], drop: Sequence[Entry]) -> set[str]:
        """The file ids whose rows these files take the place of.

        An id may pass from one file to another, whose rows may have been written before the first
        file is dropped: these stay.
        """
        known = self.manifest.entries
        gone = {file: known[file] for spec in fresh if (file := spec.entry.file) in known}
        gone |= {entry.file: entry for entry in drop}
        stay = {entry.file_id for file, entry in known.items() if file not in gone}
        coming = {spec.entry.file_id for spec in fresh}
        return {entry.file_id for entry in gone.values()} - stay | (coming & stay)

    def settle(self, *, ahead: int = 0) -> Iterator[Batch | None]:
        """Make the store's state what is written, yielding those batches.

        Waits until at most `ahead` rows are still to be written; None is a pause in waiting.
        """
        while self._pending:
            first = self._pending[0].written
            if not first.done():
                if sum(pending.batch.rows for pending in self._pending) <= ahead:
                    return
                with suppress(TimeoutError):
                    first.exception(_PAUSE)
                yield None
                continue
            first.result()
            yield self._commit()

    def rows(self, file_id: str) -> Iterator[Rows]:
        """The rows of a file, once everything that was begun is written."""
        yield from self._submit(lambda: list(self._open().of_file(file_id))).result()

    def adopt(self, entry: Entry, rows: Rows) -> None:
        """Write the rows of a file that the store has; nothing may be waiting to be written.

        No journal could carry it through without the original. A kill leaves too few rows, which
        is noticed.
        """
        self._submit(lambda: self._replace([entry.file_id], rows)).result()
        self._store.manifest = self._store.manifest.changed(put=[entry])
        write_manifest(self._store.place.files, self._store.manifest)

    def keep_only(self, file_ids: Sequence[str]) -> None:
        """Delete the rows of all other files."""
        self._submit(lambda: self._open().keep_only(file_ids)).result()

    def close(self) -> None:
        """Bring what is being written to its end, and forget what waits behind it."""
        self._forget()
        with suppress(StoreError):  # it was raised before; the journal stays
            for _ in self.settle():
                pass
        if self._pool:
            self._pool.shutdown()
        if self._writer:
            self._writer.close()

    def _forget(self) -> None:
        while self._pending and not self._pending[-1].batch.touched:
            if not self._pending[-1].written.cancel():
                return
            self._pending.pop()
            if not self._pending:
                clear_journal(self._store.place.files)

    def _commit(self) -> Batch:
        pending = self._pending[0]
        write_manifest(self._store.place.files, pending.manifest)
        self._store.manifest = pending.manifest
        self._pending.popleft()
        self.written += pending.batch.rows
        if not self._pending:
            clear_journal(self._store.place.files)
        return pending.batch

    def _write_journal(self, last: Journal) -> None:
        journals = [*(pending.journal for pending in self._pending), last]
        together = Journal(
            put=tuple(staged for journal in journals for staged in journal.put),
            drop=tuple(file for journal in journals for file in journal.drop),
            file_ids=tuple(file_id for journal in journals for file_id in journal.file_ids),
        )
        if together.file_ids:
            write_journal(self._store.place.files, together)

    def _replace(self, file_ids: Sequence[str], rows: Rows) -> None:
        before = self.added
        for added in self._open().replace(file_ids, rows):
            self.added = before + added

    def _submit(self, call: Callable[[], T]) -> Future[T]:
        if self._pool:
            return self._pool.submit(call)
        done: Future[T] = Future()
        done.set_result(call())
        return done

    def _open(self, *, apart: bool = False) -> Writer:
        """What writes rows; opened when it is first wanted."""
        if self._writer is None:
            manifest = self._store.manifest
            name, embedder = manifest.collection, manifest.embedder
            self._writer = self._store.place.writer(name, embedder, apart=apart)
        return self._writer


def _joined(parts: Sequence[Rows]) -> Rows:
    if not parts:
        return Rows((), (), (), NO_VECTORS)
    if len(parts) == 1:
        return parts[0]
    return Rows(
        [id for part in parts for id in part.ids],
        [text for part in parts for text in part.texts],
        [metadata for part in parts for metadata in part.metadata],
        np.concatenate([part.vectors for part in parts]),
    )
