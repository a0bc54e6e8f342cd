"""Put specifications into a store, all or nothing for each, while the next are being cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.errors import StoreError
from core.index.cut import Spec
from core.index.journal import Journal, clear_journal, write_journal
from core.index.manifest import Entry, Manifest, write_manifest
from core.index.rows import NO_VECTORS, Rows
from core.index.store import Store
from core.index.writer import Writer

_LARGE = 2_000_000  # bytes of documents from which on a second process pays for its start


class Committer:
    """Replaces specifications one group at a time.

    A group's journal is on disk before its first row is touched, and stays until its manifest is;
    the next start carries an interrupted group through. Rows are added while the caller cuts the
    next group: `finish` waits for them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._writer: Writer | None = None
        self._large = False
        self._next: Manifest | None = None  # of the group that is being written
        self._added = 0  # of its rows
        self.written = 0  # rows of all before

    def expect(self, size: int) -> None:
        """So many bytes of documents are about to come."""
        self._large = size > _LARGE
        if self._large:
            self.writer()  # starts while the first are being cut

    def begin(
        self, specs: Sequence[Spec], drop: Sequence[Entry], *, touched: Sequence[str] = ()
    ) -> None:
        """Start to write these specifications and to remove others; the last ones are finished.

        `touched` are file ids of which an interrupted run may have left rows.
        """
        assert self._next is None
        for spec in specs:
            self._store.documents.put(spec.facts)
        known = self._store.manifest.entries
        fresh = [spec for spec in specs if spec.rows is not None]
        replaced = [known[spec.entry.file] for spec in fresh if spec.entry.file in known]
        old = {entry.file_id for entry in (*replaced, *drop)} | set(touched)
        gone = tuple(entry.file for entry in drop)
        changed = self._store.manifest.changed(put=[s.entry for s in specs], drop=gone)
        if fresh or old:
            file_ids = tuple(sorted(old | {spec.entry.file_id for spec in fresh}))
            put = tuple(spec.staged for spec in fresh)
            write_journal(self._store.place.files, Journal(put, gone, file_ids))
            self.writer().begin(sorted(old), _joined([s.rows for s in fresh if s.rows]))
        self._next = changed

    def finish(self) -> Iterator[int]:
        """Wait for what was begun, yielding rows added so far, and make it the store's state.

        Whoever stops in between can call it again, to bring it to its end.
        """
        if self._next is None:
            return
        try:
            for added in self._writer.progress() if self._writer else ():
                self._added = added
                yield added
        except StoreError:
            self._next = None  # for the next start to mend
            raise
        write_manifest(self._store.place.files, self._next)
        self._store.manifest, self._next = self._next, None
        clear_journal(self._store.place.files)
        self.written, self._added = self.written + self._added, 0

    def close(self) -> None:
        if self._writer:
            self._writer.close()
            self._writer = None

    def writer(self) -> Writer:
        """What writes rows; opened when it is first wanted."""
        if self._writer is None:
            manifest = self._store.manifest
            name, embedder = manifest.collection, manifest.embedder
            self._writer = self._store.place.writer(name, embedder, apart=self._large)
        return self._writer


def _joined(parts: Sequence[Rows]) -> Rows:
    if not parts:
        return Rows((), (), (), NO_VECTORS)
    return Rows(
        [id for part in parts for id in part.ids],
        [text for part in parts for text in part.texts],
        [metadata for part in parts for metadata in part.metadata],
        np.concatenate([part.vectors for part in parts]),
    )
