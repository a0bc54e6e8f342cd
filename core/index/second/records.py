"""Vectors as they are made, appended batch by batch: what a kill has left is used again."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.index.disk.files import unreadable, unwritable
from core.index.snapshot.products import Quantised

Keys = NDArray[np.uint64]
_CHECK = "check"


class Records:
    """A file of records of one length: the key of a text, its vector, and a checksum of both."""

    def __init__(self, path: Path, dimensions: int) -> None:
        self._path = path
        self._record = np.dtype(
            [("key", "<u8"), ("scale", "<f4"), ("row", "i1", (dimensions,)), (_CHECK, "<u4")]
        )

    def read(self) -> tuple[Keys, Quantised]:
        """The whole records; one that was cut short or damaged is passed over. Raises StoreError"""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            data = b""
        except OSError as error:
            raise unreadable(self._path, error) from error
        count = len(data) // self._record.itemsize
        found = np.frombuffer(data, self._record, count)
        found = found[self._checks(found) == found[_CHECK]]
        rows = np.ascontiguousarray(found["row"])
        return found["key"].astype(np.uint64), Quantised(rows, found["scale"].astype(np.float32))

    def append(self, keys: Sequence[int], made: Quantised) -> None:
        """Add a batch; it is on the disk when this returns. Raises StoreError."""
        batch = np.zeros(len(keys), self._record)
        batch["key"], batch["scale"], batch["row"] = keys, made.scales, made.rows
        batch[_CHECK] = self._checks(batch)
        try:
            with self._path.open("ab") as file:
                file.truncate(file.tell() - file.tell() % self._record.itemsize)  # a kill's rest
                file.write(batch.tobytes())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise unwritable(self._path, error) from error

    def _checks(self, records: NDArray[Any]) -> NDArray[np.uint32]:
        size = self._record.itemsize
        data = memoryview(np.ascontiguousarray(records).tobytes())
        ends = range(size, size * len(records) + 1, size)
        return np.array([zlib.crc32(data[end - size : end - 4]) for end in ends], np.uint32)
