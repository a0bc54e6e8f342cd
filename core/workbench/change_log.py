"""Who changed what in a store, and when: lines of JSON beside it, the oldest dropped in time."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from core.convert import structure
from core.errors import StoreError

LARGEST = 1_000_000  # bytes; then the older half is dropped
LONGEST = 500  # characters of what a line says
WAIT_S = 10  # for another process that is writing
UNREADABLE = "a line that cannot be read"


@dataclass(frozen=True, slots=True)
class Entry:
    """One change."""

    at: str  # ISO 8601, UTC
    who: str  # an address, or a user of the machine; "" where nobody had to say
    what: str  # `ingested`
    of: str = ""  # the files, set, run or profile that it was about
    came: str = ""  # to what, for what takes long: `begun`, `done`, `stopped` or `failed`

    @classmethod
    def now(cls, who: str, what: str, of: str = "", came: str = "") -> Entry:
        short = of if len(of) <= LONGEST else f"{of[:LONGEST]} …"
        return cls(datetime.now(UTC).isoformat(timespec="seconds"), who, what, short, came)


class ChangeLog:
    """Of one store. Every call opens the file again, so threads and processes may share it."""

    def __init__(self, path: Path, *, largest: int = LARGEST) -> None:
        self.path, self._largest = path, largest

    def add(self, entry: Entry) -> None:
        """Raises StoreError where it cannot be written."""
        from filelock import FileLock  # not for readers: it imports asyncio

        line = json.dumps(asdict(entry), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self.path}.lock", timeout=WAIT_S):
                with self.path.open("ab+") as file:
                    file.write(line if _ends_whole(file) else b"\n" + line)
                if self.path.stat().st_size > self._largest:
                    self._drop_older_half()
        except OSError as error:  # a lock that is never free is one too
            raise StoreError(f"{self.path} cannot be written: {error}.") from error

    def newest(self, limit: int = 200) -> Sequence[Entry]:
        """The newest first; a line that a crash cut says so. Raises StoreError."""
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error}.") from error
        return tuple(map(_entry, reversed(lines[-limit:])))

    def _drop_older_half(self) -> None:
        lines = self.path.read_bytes().splitlines(keepends=True)
        fresh = self.path.with_name(f"{self.path.name}.{uuid4().hex}")
        fresh.write_bytes(b"".join(lines[len(lines) // 2 :]))
        os.replace(fresh, self.path)


def _ends_whole(file: BinaryIO) -> bool:
    """Whether the last line was written to its end; the place in the file is its end again."""
    if not file.seek(0, os.SEEK_END):
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _entry(line: bytes) -> Entry:
    try:
        return structure(Entry, json.loads(line))
    except ValueError:
        return Entry("", "", UNREADABLE)
