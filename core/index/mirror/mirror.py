"""The read index of a store on a server: kept on this machine, and renewed in the background."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock, Thread
from typing import TypeVar

from core.errors import StoreBusy, StoreDamaged, StoreError
from core.index.chroma.place import Place
from core.index.mirror.generations import Generations
from core.index.snapshot import build
from core.index.snapshot.arrays import Opening, open_arrays
from core.index.snapshot.snapshot import POINTER, Snapshot
from core.index.store import Store
from core.model import Chunk, Level

T = TypeVar("T")

_LOG = logging.getLogger("specloupe.index")
_AGAIN_S = 5.0  # between two attempts to build
_ATTEMPTS, _PAUSE_S = 8, 0.25  # to catch the server between two changes


class Mirror:
    """The newest read index that is complete, for one place; shared by all threads.

    Another process builds the next, so that questions are answered as fast as ever meanwhile; it
    goes on when this one ends.
    """

    def __init__(self, place: Place, opening: Opening = open_arrays) -> None:
        self._place, self._opening = place, opening
        self._lock = Lock()
        self._pointed = ""  # where the pointer led when the read index was opened
        self._found: Snapshot | None = None
        self._builder: Thread | None = None  # waits for the other process
        self._next = 0.0  # not before this time

    def reader(self, store: Store) -> Snapshot | None:
        """The store's read index, or the last before it; None while there is none that fits.

        Whenever it is not that of the store's generation, one is on its way.
        """
        found = self._opened(store)
        if found is None or found.generation != store.generation:
            self._renew()
        return found if found and found.embedder == store.embedder else None

    def newest(self, store: Store) -> Snapshot:
        """The store's read index, built now when it is not there.

        While somebody writes, the last one; StoreBusy is raised when there is none.
        """
        found = self._opened(store)
        if found and found.generation == store.generation:
            return found
        try:
            renew(store, self._opening)
        except StoreBusy:
            if found is None or found.embedder != store.embedder:
                raise
        renewed = self._opened(store)
        assert renewed  # it was opened a moment ago
        return renewed

    def _opened(self, store: Store) -> Snapshot | None:
        with self._lock:
            pointed = _pointer(store.index)
            if pointed and (pointed != self._pointed or self._found is None):
                found = _opened(store, self._opening) or self._found
                self._pointed, self._found = pointed, found
            return self._found

    def _renew(self) -> None:
        with self._lock:
            if (self._builder and self._builder.is_alive()) or time.monotonic() < self._next:
                return
            self._next = time.monotonic() + _AGAIN_S
            if not self._place.is_written():
                self._builder = Thread(target=self._build, name="read-index", daemon=True)
                self._builder.start()

    def _build(self) -> None:
        builder = self._started()
        if builder.wait():
            _LOG.warning("The read index was not built: %s", _last_words(self._log))

    def _started(self) -> subprocess.Popen[bytes]:
        root = str(Path(__file__).parents[3])
        paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, self._place.name],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": paths},
                start_new_session=True,  # an interrupt from the keyboard does not end it
            )

    @property
    def _log(self) -> Path:
        return self._place.local / "build.log"


def renew(store: Store, opening: Opening = open_arrays) -> Snapshot:
    """Bring the read index of this machine up to date with its store; raises StoreError."""
    snapshot = build.current(store.index, store, opening)
    if snapshot.generation != store.generation:
        raise store.busy()
    generations = Generations(store)
    generations.keep(store.manifest)
    generations.sweep()
    return snapshot


def on_server(newest: Callable[[], Store], ask: Callable[[Store], T]) -> T:
    """An answer from rows of one generation as a whole; raises StoreBusy when there is none."""
    for _ in range(_ATTEMPTS):
        store = newest()
        try:
            if store.is_settled():
                answer = ask(store)
                if store.is_settled():
                    return answer
        except StoreDamaged:  # what it read may have gone with the generation
            if store.is_current():
                raise
        time.sleep(_PAUSE_S)
    raise StoreBusy(
        f"The store {newest().name} is being written to, and this machine has no read index of it "
        "yet: try again when that is done. If nobody writes, a run was interrupted: "
        "`specloupe ingest` completes it."
    )


def _opened(store: Store, opening: Opening) -> Snapshot | None:
    """The read index with the manifest that it was made from, which full documents are found by."""
    source: Store | None = store

    def rendering(chunk: Chunk, level: Level) -> str:
        assert source
        return source.rendering(chunk, level)

    try:
        snapshot = Snapshot.open(store.index, rendering=rendering, opening=opening)
    except StoreDamaged:
        return None  # whatever is wrong, building it again mends it
    if snapshot.generation == store.generation:
        Generations(store).keep(store.manifest)
    else:
        source = Generations(store).store(snapshot.generation)
    return snapshot if source else None


def _pointer(folder: Path) -> str:
    try:
        return (folder / POINTER).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _last_words(log: Path) -> str:
    try:
        return (log.read_text(encoding="utf-8", errors="replace").splitlines() or [""])[-1]
    except OSError:
        return ""


def main() -> None:
    try:
        with Store.open(sys.argv[1]) as store:
            renew(store)
    except StoreError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
