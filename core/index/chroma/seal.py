"""Whether Chroma's own files are as the last writer left them: it has no checksums, and may crash.

What is sealed is read in this process. What is not (a kill, a newer Chroma, damage) is read in
another, so that a file which makes Chroma crash costs a sentence and not the app.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import orjson

from core.index.disk.files import checksum, write_whole

NAME = "chroma.json"
FOLDER = "chroma"
_COUNT = (
    "select count(*) from embeddings join segments on segments.id = embeddings.segment_id "
    "join collections on collections.id = segments.collection where collections.name = ?"
)
_SAVED = "index_metadata.pickle"
_DATABASE = "chroma.sqlite3"  # which changes whenever Chroma opens it, so no checksum is kept
_UNREADABLE = (sqlite3.Error, UnicodeError)  # the second from a message that is no text


def seal(store: Path) -> None:
    """Remember Chroma's files as they are; nobody may be writing. Raises StoreError."""
    write_whole(store / NAME, orjson.dumps({"vectors": _state(store / FOLDER)}))


def is_sealed(store: Path) -> bool:
    """Whether they are as they were when they were sealed; where there are none, they are."""
    try:
        vectors = _state(store / FOLDER)
    except OSError:
        return False
    return vectors in ({}, _kept(store).get("vectors")) and _has_tables(store)


def counted(store: Path, collection: str) -> int | None:
    """How many rows a collection has, as SQLite tells without Chroma, which takes long to start.

    None where that cannot be told: Chroma then says what is wrong, or has other tables by now.
    """
    try:
        with _database(store) as database:
            (count,) = database.execute(_COUNT, (collection,)).fetchone()
            return int(count)
    except _UNREADABLE:
        return None


def _has_tables(store: Path) -> bool:
    """Whether all that the database says of its tables is text, or there is none yet.

    SQLite names them as they are in its errors; one whose name is no text makes Chroma abort.
    """
    if not (store / FOLDER / _DATABASE).exists():
        return True
    try:
        with _database(store) as database:
            return all(map(any, database.execute("select name, tbl_name, sql from sqlite_master")))
    except _UNREADABLE:
        return False


def _database(store: Path) -> closing[sqlite3.Connection]:
    path = (store / FOLDER / _DATABASE).absolute()
    return closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True))


def _kept(store: Path) -> Mapping[str, object]:
    try:
        values = orjson.loads((store / NAME).read_bytes())
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def _state(folder: Path) -> Mapping[str, list[int]]:
    """Size and checksum of each file of vectors; SQLite sees what is wrong with the rest.

    Before its first 1,000 rows are saved, Chroma makes these files again whenever it opens them.
    """
    saved = [path.parent for path in folder.glob(f"*/{_SAVED}")]
    files = sorted(path for one in saved for path in one.iterdir() if path.is_file())
    return {str(p.relative_to(folder)): [p.stat().st_size, checksum(p)] for p in files}
