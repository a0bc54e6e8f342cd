"""The written questions of a store, by the text that they were written for; kept as they come."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import orjson

from core.index.disk.sqlite import Database

NAME = "questions.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS questions (
    key TEXT PRIMARY KEY, -- of the text that they were written for, 16 hexadecimal digits
    model TEXT NOT NULL,
    said TEXT NOT NULL -- JSON: the questions, in their order
) STRICT;
PRAGMA user_version = 1;
"""


class Questions:
    """By the key of a text (`snapshot.text_keys`), whatever element of whatever API has it.

    Every call may raise StoreError; what is put is on the disk when the call returns.
    """

    def __init__(self, folder: Path) -> None:
        self._database = Database(folder / NAME, SCHEMA, 1, "written questions")

    def all(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Key and questions of every text, in the order of the keys."""
        with self._database.open(writing=False) as db:
            found = db.execute("SELECT key, said FROM questions ORDER BY key").fetchall()
        return ((int(key, 16), tuple(orjson.loads(said))) for key, said in found)

    def keys(self) -> frozenset[int]:
        """Of the texts that have questions."""
        with self._database.open(writing=False) as db:
            found = db.execute("SELECT key FROM questions").fetchall()
        return frozenset(int(key, 16) for (key,) in found)

    def of(self, key: int) -> Sequence[str]:
        """Of one text; none where nothing was written for it."""
        with self._database.open(writing=False) as db:
            query = "SELECT said FROM questions WHERE key = ?"
            found = db.execute(query, (_name(key),)).fetchone()
        return tuple(orjson.loads(found[0])) if found else ()

    def put(self, written: Mapping[int, Sequence[str]], model: str) -> None:
        rows = [(_name(key), model, orjson.dumps(said).decode()) for key, said in written.items()]
        with self._database.open() as db, db:
            db.executemany("INSERT OR REPLACE INTO questions VALUES (?, ?, ?)", rows)

    def forget(self, keys: Collection[int]) -> None:
        names = [(_name(key),) for key in keys]
        with self._database.open() as db, db:
            db.executemany("DELETE FROM questions WHERE key = ?", names)


def _name(key: int) -> str:
    return f"{key:016x}"
