"""Which generation of a store answers: the newest, as a whole, whoever wrote it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Lock, local
from typing import TYPE_CHECKING, TypeVar

from core.errors import StoreDamaged, StoreError
from core.model import KnowledgeContext

if TYPE_CHECKING:
    from pathlib import Path

    from core.index.mirror.mirror import Mirror
    from core.index.second.look import StoredLook
    from core.index.second.second import SecondModel
    from core.index.second.table import Table
    from core.index.snapshot.arrays import Opening
    from core.index.snapshot.copies import Copies
    from core.index.snapshot.snapshot import Snapshot
    from core.index.store import Store
    from core.index.written.look import WrittenLook

_LOG = logging.getLogger("specloupe.index")
_LOOK_S = 1.0  # between two looks at whether a store on a server has changed
_AGAIN = 5  # times, when another generation comes in between
_PAUSE_S = 0.05

T = TypeVar("T")


class _Held(local):
    """What this thread has read of the store for one answer."""

    asking = False
    store: Store | None = None
    reader: Snapshot | None = None

    def let_go(self) -> None:
        self.asking, self.store, self.reader = False, None, None

    def generations(self) -> set[str]:
        return {each.generation for each in (self.store, self.reader) if each}


class Newest:
    """A store that is opened again when another process has changed it; safe between threads.

    `fingerprint` is that of the embedder of the settings, which the store must have been built
    with to answer a question. With `copies`, what is mapped are they and not the store's files.
    """

    def __init__(
        self,
        store: Store,
        fingerprint: Callable[[], str],
        second: Callable[[], SecondModel | None] = lambda: None,
        copies: Copies | None = None,
    ) -> None:
        self.place, self._copies = store.place, copies
        self._second = second  # the model of the second look, where there is one
        self._looking: tuple[Snapshot, tuple[str, int, str], Snapshot] | None = None
        self._store = store
        self._fingerprint = fingerprint
        self._reader: Snapshot | None = None
        self._mirror: Mirror | None = None  # of a store on a server
        self._looked = 0.0  # when it was last current
        self._opening = Lock()
        self._held = _Held()

    def changed(self) -> None:
        """The store was written to: the next call looks at once."""
        self._looked = 0.0

    def let_go(self) -> None:
        """Open the read index again: the one that is open may be what was damaged."""
        self._reader = None

    @property
    def opening(self) -> Opening:
        """How a read index is opened."""
        from core.index.snapshot.arrays import open_arrays

        return self._copies.open if self._copies else open_arrays

    def check_present(self) -> None:
        """Raise StoreError when the store was moved away."""
        self._store.check_present()

    def close(self) -> None:
        self._store.close()
        self.place.close()

    def of_one_generation(self, ask: Callable[[], T]) -> T:
        """An answer that looks at the store several times, and always sees the same generation;
        asked again when what it saw has gone meanwhile.

        Raises StoreBusy while the store changes faster than it is read, and as `ask` does.
        """
        if self._held.asking:
            return ask()
        for _ in range(_AGAIN):
            self._held.asking = True
            try:
                return ask()
            except StoreError:
                self.changed()
                if self._held.generations() <= {self._current().generation}:
                    raise
            finally:
                self._held.let_go()
            time.sleep(_PAUSE_S)
        raise self._store.busy()

    def store(self) -> Store:
        """The store at its newest generation; raises StoreError."""
        held = self._held
        if not held.asking:
            return self._current()
        if held.store is None:
            held.store = self._current()
            self._check_held()
        return held.store

    def _check_held(self) -> None:
        if len(self._held.generations()) > 1:
            raise self._store.busy()

    def _current(self) -> Store:
        with self._opening:
            if self.place.is_shared and time.monotonic() < self._looked + _LOOK_S:
                return self._store
            if not self._is_newest():
                # Other threads may still read the old one, so it is let go of and not closed.
                self._store = self._store.reopened()
            self._looked = time.monotonic()
            return self._store

    def _is_newest(self) -> bool:
        store = self._store
        return store.is_current() if self.place.is_shared else store.is_as_opened()

    def reader(self) -> Snapshot:
        """The read index of the newest generation; raises StoreError, and StoreMismatch when the
        store was made with another embedder."""
        return self._reader_of(self._checked)

    def unchecked(self) -> Snapshot:
        """The same for what needs no vectors, whatever embedder the store was made with."""
        return self._reader_of(self._current)

    def _reader_of(self, newest: Callable[[], Store]) -> Snapshot:
        if self._held.reader:
            return self._held.reader
        for _ in range(_AGAIN):
            store = newest()
            reader = self._newest_reader(store)
            # an older one stays in use while somebody writes; a newer one needs its own store
            if reader.generation == store.generation or store.is_current():
                break
        return self._hold(reader)

    def _hold(self, reader: Snapshot) -> Snapshot:
        if self._held.asking:
            self._held.reader = reader
            self._check_held()
        return reader

    def _newest_reader(self, store: Store) -> Snapshot:
        if self.place.is_shared:
            return self._with_looks(self._mirror_of(store).newest(store), store)
        return self._with_looks(self._local_reader(store), store)

    def _local_reader(self, store: Store) -> Snapshot:
        from core.index.snapshot.build import current

        known = self._reader
        if known and known.generation == store.generation:
            return known
        found = current(store.index, store, self.opening)
        if known and known.generation == found.generation:
            return known  # full documents are read by the manifest that it was opened with
        if found.generation == store.generation:
            self._reader = found
        return found

    def answering(self) -> Snapshot | None:
        """The read index that questions are asked of; None while only the server can answer."""
        if not self.place.is_shared:
            return self.reader()
        store = self._checked()
        if self._held.reader:
            return self._held.reader
        reader = self._mirror_of(store).reader(store)
        return reader and self._hold(self._with_looks(reader, store))

    def _with_looks(self, reader: Snapshot, store: Store) -> Snapshot:
        """The read index with its second look and its written questions as they are stored now."""
        from core.index.second.table import pointed

        model, written = self._second(), pointed(store.written)
        if model is None and not written:
            return reader
        now = pointed(store.second) if model else "", store.manifest.pace, written
        known = self._looking
        if known is None or known[0] is not reader or known[1] != now:
            look = self._second_look(reader, store, model) if model else None
            with_looks = reader.with_looks(look, self._written(reader, store) if written else None)
            known = self._looking = reader, now, with_looks
        return known[2]

    def _second_look(self, reader: Snapshot, store: Store, model: SecondModel) -> StoredLook:
        from core.index.second.look import StoredLook

        table = self._table(store.second, model.fingerprint, "The second look is")
        return StoredLook(reader, table, model, pace=store.manifest.pace)

    def _written(self, reader: Snapshot, store: Store) -> WrittenLook | None:
        """None where the questions have vectors of another embedder than the store."""
        from core.index.written.look import WrittenLook

        table = self._table(store.written, store.embedder, "The written questions are")
        return WrittenLook(reader, table, store.written) if table and reader.has_text_keys else None

    def _table(self, folder: Path, fingerprint: str, what: str) -> Table | None:
        """What is damaged is as if it were not there: `health` says so, filling makes it again."""
        from core.index.second.table import open_table

        try:
            return open_table(folder, fingerprint, opening=self.opening)
        except StoreDamaged as error:
            _LOG.warning("%s left out: %s", what, error)
            return None

    def on_server(self, ask: Callable[..., KnowledgeContext]) -> KnowledgeContext:
        """The answer of the server, while the read index of this machine is being built."""
        from core.index.mirror.agreement import agreement
        from core.index.mirror.mirror import on_server
        from core.retrieve.explain.trace import approximate

        def answer(store: Store) -> KnowledgeContext:
            return approximate(ask(reader=store), agreement(store))

        return on_server(self.store, answer)

    def _checked(self) -> Store:
        store = self._held.store or self._current()
        store.check(self._fingerprint())
        return store

    def _mirror_of(self, store: Store) -> Mirror:
        from core.index.mirror.mirror import Mirror

        with self._opening:
            self._mirror = self._mirror or Mirror(store.place, self.opening)
            return self._mirror
