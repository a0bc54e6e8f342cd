"""Answers of models, kept beside a store: asked once, never paid twice."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

import orjson

from core.errors import StoreError
from core.index.disk.sqlite import Database
from core.model import JSON

_LOG = logging.getLogger("specloupe.models")
KEEP = 100_000  # answers; the oldest go first
BUSY_S = 0.5
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE, -- a hash of endpoint, model, parameters and messages
    value TEXT NOT NULL -- JSON, of the wanted form
) STRICT;
PRAGMA user_version = 1;
"""


def key_of(*parts: JSON) -> str:
    """A hash: neither a question's text nor a key can be read out of it."""
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Answers:
    """A store that cannot be written keeps none, and nothing fails for that."""

    def __init__(self, path: Path) -> None:
        self._database = Database(
            path, SCHEMA, 1, "answers", synchronous="NORMAL", makes_folder=False
        )

    def get(self, key: str) -> JSON | None:
        try:
            with self._database.open(writing=False, busy_s=BUSY_S) as db:
                found = db.execute("SELECT value FROM answers WHERE key = ?", (key,)).fetchone()
                return orjson.loads(found[0]) if found else None
        except (StoreError, ValueError) as error:
            _LOG.debug("A kept answer cannot be read: %s", error)
            return None

    def put(self, key: str, value: JSON) -> None:
        try:
            with self._database.open(busy_s=BUSY_S) as db, db:
                row = key, orjson.dumps(value).decode()
                db.execute("INSERT OR REPLACE INTO answers (key, value) VALUES (?, ?)", row)
                last = db.execute("SELECT max(number) FROM answers").fetchone()[0]
                db.execute("DELETE FROM answers WHERE number <= ?", (last - KEEP,))
        except StoreError as error:
            _LOG.debug("An answer cannot be kept: %s", error)
