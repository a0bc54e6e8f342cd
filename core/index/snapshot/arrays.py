"""A folder of memory-mapped arrays with checksums: plain numbers, nothing to unpickle."""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol
from weakref import finalize

import numpy as np
import orjson
from numpy.typing import DTypeLike, NDArray

from core.errors import StoreDamaged
from core.index.disk.files import checksum, unreadable
from core.index.snapshot.checked import note, noted, stamp
from core.model import JSON

Array = NDArray[Any]

FORMAT = 3  # raise it whenever the meaning of an array changes: older folders are then rebuilt
_MAGIC = "specloupe-index"
_HEADER = "header.json"
_LARGE = 32_000_000  # bytes; of fewer, all may stay in memory


@dataclass(frozen=True, slots=True)
class Arrays:
    """An opened folder: its arrays, read-only, and what the writer said about them."""

    folder: Path
    details: Mapping[str, JSON]
    _arrays: Mapping[str, Array]
    _files: Mapping[str, _File]  # of those that are large

    def __getitem__(self, name: str) -> Array:
        if name not in self._arrays:
            raise StoreDamaged(f"{self.folder}: the array {name!r} is missing.")
        return self._arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self._arrays

    def rows(self, name: str, rows: Array) -> Array:
        """Copies of some rows. Those of a large array are read from its file: of a mapped one, each
        takes 64 KB of memory with its neighbours, and longer.

        Raises StoreDamaged when the file was cut short.
        """
        array = self[name]
        if name not in self._files:
            return array[rows]
        size, file = array[:1].nbytes, self._files[name]
        found = b"".join([file.part(start, size) for start in (rows * size).tolist()])
        return np.frombuffer(found, array.dtype).reshape(len(rows), *array.shape[1:])

    def part(self, name: str, start: int, stop: int) -> bytes:
        """The same of an array of bytes that lie together."""
        if name in self._files:
            return self._files[name].part(start, stop - start)
        return bytes(self[name].data[start:stop])

    def get(self, name: str, instead: Array) -> Array:
        """One that not every folder has."""
        return self._arrays.get(name, instead)

    @property
    def size(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self._arrays.values())


class _File:
    """What is read in parts as long as it is held, whatever becomes of its name."""

    def __init__(self, path: Path) -> None:
        self._path, self._opened = path, os.open(path, os.O_RDONLY)
        finalize(self, os.close, self._opened)

    def part(self, start: int, size: int) -> bytes:
        found = os.pread(self._opened, size, start)
        if len(found) < size:
            raise StoreDamaged(f"{self._path} was cut short.")
        return found


class Opening(Protocol):
    """`open_arrays`, or the same of a copy."""

    def __call__(self, folder: Path, *, whole: bool = False) -> Arrays: ...


class ArrayWriter:
    """Fill a new folder array by array; it can be opened only once `finish` has returned."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: dict[str, BinaryIO] = {}
        self._shapes: dict[str, tuple[str, int, tuple[int, ...]]] = {}  # dtype, rows, row shape

    def append(self, name: str, values: Array) -> None:
        """Add rows; the first call fixes the type and the shape of a row."""
        dtype, rows, row = self._shapes.get(name, (values.dtype.str, 0, values.shape[1:]))
        if (values.dtype.str, values.shape[1:]) != (dtype, row):
            raise ValueError(f"{name}: {values.dtype}{values.shape} after {dtype}{row}")
        if name not in self._files:
            self._files[name] = (self.folder / f"{name}.bin").open("wb")
        self._files[name].write(np.ascontiguousarray(values).data.cast("B") if values.size else b"")
        self._shapes[name] = (dtype, rows + len(values), row)

    def create(self, name: str, length: int, dtype: DTypeLike) -> Array:
        """A new array of one dimension on disk, to be filled in any order."""
        array_type = np.dtype(dtype)
        path = self.folder / f"{name}.bin"
        self._shapes[name] = (array_type.str, length, ())
        if not length:
            path.touch()
            return np.empty(0, array_type)
        return np.memmap(path, array_type, "w+", shape=(length,))

    def finish(self, details: Mapping[str, JSON]) -> None:
        """Write the header, which makes the folder complete."""
        self.close()
        described = {
            name: {
                "dtype": dtype,
                "shape": [rows, *row],
                "crc32": checksum(self.folder / f"{name}.bin"),
            }
            for name, (dtype, rows, row) in self._shapes.items()
        }
        header = {"magic": _MAGIC, "format": FORMAT, "details": details, "arrays": described}
        body = json.dumps(header, ensure_ascii=False, sort_keys=True).encode()
        (self.folder / _HEADER).write_bytes(body + b"\n%08x\n" % zlib.crc32(body))

    def close(self) -> None:
        for file in self._files.values():
            file.close()


def open_arrays(folder: Path, *, whole: bool = False) -> Arrays:
    """Map every array of a finished folder. What has been read through, and not been touched since,
    is taken to be right; with `whole` everything is read.

    Raises StoreDamaged when a file cannot be read, is cut short or changed, and FileNotFoundError
    when one is missing: then the folder is unfinished, or was removed.
    """
    try:
        header = _read_header(folder)
        known = {} if whole else noted(folder)
        stamps = {name: stamp(folder / f"{name}.bin") for name in header["arrays"]}
        files = {
            name: _File(folder / f"{name}.bin")
            for name, (size, *_) in stamps.items()
            if size > _LARGE and hasattr(os, "pread")
        }
        arrays = {
            name: _checked(folder / f"{name}.bin", one, is_right=known.get(name) == stamps[name])
            for name, one in header["arrays"].items()
        }
        if known != stamps:
            note(folder, stamps)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise unreadable(error.filename or folder, error) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # not as we write it
        raise StoreDamaged(f"{folder / _HEADER} is damaged.") from error
    return Arrays(folder, header["details"], arrays, files)


def _read_header(folder: Path) -> JSON:
    path = folder / _HEADER
    body, _, seal = path.read_bytes().rstrip(b"\n").rpartition(b"\n")
    if seal != b"%08x" % zlib.crc32(body):
        raise StoreDamaged(f"{path} is damaged.")
    header = orjson.loads(body)
    if header["magic"] != _MAGIC or header["format"] != FORMAT:
        raise StoreDamaged(f"{path} has a format that this version cannot read.")
    return header


def _checked(path: Path, said: JSON, *, is_right: bool) -> Array:
    """What the header says of a file; compared with its bytes unless it is known to be right."""
    mapped = _map(path, said["dtype"], tuple(said["shape"]))
    if not is_right and checksum(path) != said["crc32"]:
        raise StoreDamaged(f"{path} is damaged: its checksum differs.")
    return mapped


def _map(path: Path, dtype: str, shape: tuple[int, ...]) -> Array:
    size = int(np.dtype(dtype).itemsize * np.prod(shape, dtype=np.int64))
    with path.open("rb") as file:
        found = path.stat().st_size
        if found != size:
            raise StoreDamaged(f"{path} is damaged: it has {found} bytes instead of {size}.")
        if not size:
            return np.empty(shape, dtype)
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(mapped, dtype).reshape(shape)
