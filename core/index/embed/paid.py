"""What a paid embedder answers is kept until it is stored, so that no text is paid for twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.index.disk.sqlite import Database
from core.index.embed.embedder import Embedder, Paid

NAME = "paid.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    key BLOB PRIMARY KEY, -- a hash of the embedder's fingerprint and a text
    vector BLOB NOT NULL -- float32
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;
"""
_BATCH = 256  # texts that are sent at once: all that a kill can cost

Vector = NDArray[np.float32]
Stored = Callable[[str], Vector | None]  # the vector of a text that a store has already


def nothing(text: str) -> None:
    """Of a store that has none."""


class PaidOnce:
    """The embedder that it is made of, whose vectors lie on the disk as soon as they are there.

    A run that is stopped, fails or is killed leaves them to the next one, which asks for the
    others alone; whoever has stored all of them `forget`s them. What a store has already is not
    asked for either. Raises StoreError beside what the embedder raises.
    """

    def __init__(self, of: Embedder, folder: Path, stored: Stored = nothing) -> None:
        """`of` is `Paid` as well; one run at a time uses a folder."""
        self._of, self._stored = of, stored
        self._database = Database(folder / NAME, SCHEMA, 1, "vectors that were paid for")

    @property
    def fingerprint(self) -> str:
        return self._of.fingerprint

    @property
    def dimensions(self) -> int:
        return self._of.dimensions

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        by_key = {self._key(text): text for text in texts}
        known = self._known(by_key)
        new = [key for key in by_key if key not in known]
        for start in range(0, len(new), _BATCH):
            keys = new[start : start + _BATCH]
            made = self._of.embed([by_key[key] for key in keys])
            known.update(zip(keys, made, strict=True))
            self._keep({key: known[key] for key in keys})
        vectors = [known[key] for key in map(self._key, texts)]
        return np.array(vectors, np.float32).reshape(len(texts), self.dimensions)

    def lacking(self, texts: Sequence[str]) -> Sequence[str]:
        """Those of them that it would be paid for, each once."""
        by_key = {self._key(text): text for text in texts}
        known = self._known(by_key)
        return [text for key, text in by_key.items() if key not in known]

    def cost(self, texts: int, tokens: int, /) -> str:
        assert isinstance(self._of, Paid)
        return self._of.cost(texts, tokens)

    def forget(self) -> None:
        """Remove what is kept: all of it is stored elsewhere by now."""
        path = self._database.path
        for file in (path, *(path.with_name(f"{path.name}-{end}") for end in ("wal", "shm"))):
            file.unlink(missing_ok=True)

    def _key(self, text: str) -> bytes:
        said = f"{self._of.fingerprint}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(said).digest()

    def _known(self, by_key: Mapping[bytes, str]) -> dict[bytes, Vector]:
        query = "SELECT vector FROM vectors WHERE key = ?"
        with self._database.open(writing=False) as db:
            kept = {key: db.execute(query, (key,)).fetchone() for key in by_key}
        found = {
            key: np.frombuffer(row[0], np.float32) if row else self._stored(by_key[key])
            for key, row in kept.items()
        }
        return {key: vector for key, vector in found.items() if vector is not None}

    def _keep(self, made: Mapping[bytes, Vector]) -> None:
        rows = [(key, vector.astype(np.float32).tobytes()) for key, vector in made.items()]
        with self._database.open() as db, db:
            db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
