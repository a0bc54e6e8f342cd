"""Small things that a store keeps beside its specifications, whoever writes to it: `Items`, and how
a folder keeps them, in `labels.sqlite`."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from core.errors import StoreDamaged
from core.index.disk.sqlite import Database

NAME = "labels.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS items (
    kind TEXT NOT NULL, -- thumb, golden, set
    key TEXT NOT NULL, -- tells it from others of its kind
    value BLOB NOT NULL, -- deflated
    stamp TEXT NOT NULL, -- of the value: changes with it
    changed TEXT NOT NULL, -- ISO 8601, UTC
    PRIMARY KEY (kind, key)
) STRICT;
PRAGMA user_version = 1;
"""
VERSION = 1


class Items(Protocol):
    """Values by kind and key. Every call may raise StoreError; each change is on the disk, and
    seen by others, when the call returns."""

    def all(self, kind: str) -> Mapping[str, bytes]:
        """By key."""

    def stamps(self, kind: str) -> Mapping[str, str]:
        """What changes with each value, by key; cheaper than the values."""

    def get(self, kind: str, key: str) -> bytes | None: ...

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Add, or replace as a whole."""

    def delete(self, kind: str, key: str) -> None:
        """What is gone already is fine."""


class FileItems:
    """In a file of SQLite, which takes no part in the locks of an ingestion."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, SCHEMA, VERSION, "labels")

    def all(self, kind: str) -> Mapping[str, bytes]:
        query = "SELECT key, value FROM items WHERE kind = ? ORDER BY key"
        with self._database.open(writing=False) as db:
            found = db.execute(query, (kind,)).fetchall()
        return {key: self._inflated(kind, key, value) for key, value in found}

    def stamps(self, kind: str) -> Mapping[str, str]:
        query = "SELECT key, stamp FROM items WHERE kind = ? ORDER BY key"
        with self._database.open(writing=False) as db:
            return dict(db.execute(query, (kind,)).fetchall())

    def get(self, kind: str, key: str) -> bytes | None:
        query = "SELECT value FROM items WHERE kind = ? AND key = ?"
        with self._database.open(writing=False) as db:
            found = db.execute(query, (kind, key)).fetchone()
        return None if found is None else self._inflated(kind, key, found[0])

    def put(self, kind: str, key: str, value: bytes) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        row = (kind, key, zlib.compress(value), stamp_of(value), now)
        with self._database.open() as db, db:
            db.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?)", row)

    def delete(self, kind: str, key: str) -> None:
        with self._database.open() as db, db:
            db.execute("DELETE FROM items WHERE kind = ? AND key = ?", (kind, key))

    def _inflated(self, kind: str, key: str, value: bytes) -> bytes:
        try:
            return zlib.decompress(value)
        except zlib.error as error:
            raise StoreDamaged(
                f"{self._database.path}: the {kind} {key[:100]!r} is damaged ({error}). Nothing "
                "in the file was changed; move it away to begin a new one."
            ) from error


def stamp_of(value: bytes) -> str:
    return sha256(value).hexdigest()[:16]
