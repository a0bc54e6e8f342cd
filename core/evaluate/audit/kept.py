"""The audits of APIs, kept in the store by the content that they are of."""

from __future__ import annotations

import zlib
from hashlib import blake2b
from pathlib import Path

import orjson

from core.errors import StoreDamaged
from core.evaluate.audit.results import ApiSeen
from core.index.disk.sqlite import Database

_SCHEMA = """
CREATE TABLE audits (
    api TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    seen BLOB NOT NULL
);
CREATE INDEX audits_key ON audits (key);
PRAGMA user_version = 1;
"""


class KeptAudits:
    """The last audit of each API; another key replaces it. Threads may share this."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _SCHEMA, 1, "audits", synchronous="NORMAL")

    def get(self, key: str) -> ApiSeen | None:
        """None where the API has changed since, or was never audited."""
        with self._database.open(writing=False) as db:
            row = db.execute("SELECT seen FROM audits WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        try:
            return ApiSeen.from_dict(orjson.loads(zlib.decompress(row[0])))
        except (zlib.error, ValueError) as error:
            raise StoreDamaged(
                "The kept audit cannot be read; `--fresh` makes a new one."
            ) from error

    @property
    def state(self) -> str:
        """Differs whenever an audit was added or replaced."""
        with self._database.open(writing=False) as db:
            keys = [key for (key,) in db.execute("SELECT key FROM audits ORDER BY api")]
        return blake2b("".join(keys).encode(), digest_size=16).hexdigest()

    def put(self, key: str, seen: ApiSeen) -> None:
        """Keep the audit of an API in place of an earlier one."""
        blob = zlib.compress(orjson.dumps(seen.to_dict()), 1)
        with self._database.open() as db, db:
            db.execute("REPLACE INTO audits VALUES (?, ?, ?)", (seen.api, key, blob))
