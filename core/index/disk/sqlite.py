"""A file of SQLite beside a store: crash-safe, shared by processes, refused in a sentence."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import StoreBusy, StoreDamaged, StoreError

STATISTICS = "statistics.sqlite"  # of retrievals, beside a store
ANSWERS = "answers.sqlite"  # of language models, beside a store
BUSY_S = 10
_AGAIN_S = 0.02


@dataclass(frozen=True, slots=True)
class Database:
    """Every use opens the file again, so threads may share an instance."""

    path: Path
    schema: str  # makes what is not there yet, and sets `user_version`
    version: int
    noun: str  # what it holds, in the plural
    synchronous: str = "FULL"  # NORMAL where the last words may be lost with the machine's power
    makes_folder: bool = True  # else a store that is gone is not made again

    @contextmanager
    def open(self, *, writing: bool = True, busy_s: float = BUSY_S) -> Iterator[sqlite3.Connection]:
        """A connection; raises StoreBusy, StoreDamaged and StoreError, also for what is done in it.

        Where nothing is there, or nothing can be written, there is still something to read.
        """
        try:
            if writing and self.makes_folder:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connected(writing, busy_s)) as db:
                yield db
        except (sqlite3.Error, OSError, UnicodeError) as error:
            raise self._store_error(error) from error

    def _connected(self, writing: bool, busy_s: float) -> sqlite3.Connection:
        writable = os.access(self.path.parent, os.W_OK)
        there = self.path.exists()
        if writing and not writable:
            raise StoreError(
                f"{self.path}: the store cannot be written, so it can keep no {self.noun}."
            )
        if writable and (writing or there):
            db = sqlite3.connect(self.path, timeout=busy_s)
        elif there:  # `immutable`, for even a reader of a WAL file makes files beside it
            return sqlite3.connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True)
        else:
            db = sqlite3.connect(":memory:")
        try:
            self._prepare(db, time.monotonic() + busy_s)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection, until: float) -> None:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > self.version:
            raise StoreError(
                f"{self.path}: these {self.noun} were written by a newer Specloupe: "
                "update this one."
            )
        db.execute(f"PRAGMA synchronous = {self.synchronous}")
        while not version:
            try:
                db.execute("PRAGMA journal_mode = WAL")
                db.executescript(self.schema)
                return
            except sqlite3.OperationalError as error:
                # who changes the journal does not wait for another process that does so as well
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(_AGAIN_S)

    def _store_error(self, error: Exception) -> StoreError:
        if "locked" in str(error):
            return StoreBusy(f"{self.path}: another process is writing {self.noun}; try again.")
        if isinstance(error, sqlite3.OperationalError | OSError) and not is_damage(error):
            return StoreError(f"{self.path}: the {self.noun} cannot be used: {error}.")
        return StoreDamaged(
            f"{self.path}: this file of {self.noun} is damaged ({error}). Nothing in it was "
            "changed; move it away to begin a new one."
        )


def is_damage(error: Exception) -> bool:
    """Whether a table is not what it was made as, or a text is not one: nothing that passes."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return not isinstance(error, OSError) and code == sqlite3.SQLITE_ERROR
