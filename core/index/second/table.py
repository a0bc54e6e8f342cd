"""The second vectors of a store's texts, mapped from the disk and found by the texts' keys.

Vectors belong to texts and not to rows: a new generation finds those that it shares with the last.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreDamaged
from core.index.disk.files import names_folder, unreadable, unwritable, write_whole
from core.index.second.records import Keys
from core.index.snapshot.arrays import ArrayWriter, Opening, open_arrays
from core.index.snapshot.products import Quantised

POINTER = "current"  # the file that names the folder to read
_ATTEMPTS = 5  # to follow the pointer while it is being moved


@dataclass(frozen=True)
class Table:
    """One vector for each of many texts, in the order of their keys."""

    name: str  # of its folder; another table has another
    embedder: str  # fingerprint of the model
    keys: Keys  # ascending, each once
    vectors: Quantised
    texts: Keys  # keys of what was embedded; the same, where that is the texts themselves

    def find(self, keys: Keys) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Where each of some texts stands, and whether it is there at all."""
        if not len(self.keys):
            return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return at, self.keys[at] == keys

    @cached_property
    def size(self) -> int:
        """Bytes on the disk, and in memory once all is read."""
        return self.keys.nbytes + self.vectors.rows.nbytes + self.vectors.scales.nbytes


def pointed(folder: Path) -> str:
    """What names the table to read; "" when there is none. Raises StoreError."""
    try:
        return (folder / POINTER).read_bytes().decode(errors="replace").strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise unreadable(folder / POINTER, error) from error


def open_table(folder: Path, embedder: str = "", *, opening: Opening = open_arrays) -> Table | None:
    """The table of this model, or of any; None when there is none. Raises StoreDamaged."""
    for _ in range(_ATTEMPTS):
        name = pointed(folder)
        if not name:
            return None
        if not names_folder(name):
            raise StoreDamaged(f"{folder / POINTER} is damaged: it names no table.")
        try:
            arrays = opening(folder / name)
        except FileNotFoundError:
            continue  # replaced and removed between the two reads
        made_by = str(arrays.details.get("embedder"))
        if embedder not in ("", made_by):
            return None
        vectors = Quantised(arrays["vectors"], arrays["scales"])
        keys = arrays["keys"]
        return Table(name, made_by, keys, vectors, arrays.get("texts", keys))
    raise StoreDamaged(f"{folder}: the second vectors are incomplete.")


def forget(folder: Path) -> None:
    """Remove what is stored, but not what is being made."""
    with suppress(OSError):
        (folder / POINTER).unlink(missing_ok=True)
    for table in folder.glob("t-*"):
        shutil.rmtree(table, ignore_errors=True)


def write_table(
    folder: Path, embedder: str, keys: Keys, vectors: Quantised, texts: Keys | None = None
) -> None:
    """Put a new table in the place of the last, as a whole. Raises StoreError."""
    target = folder / f"t-{uuid4().hex[:8]}"
    order = np.argsort(keys, kind="stable")
    try:
        target.mkdir(parents=True)
        writer = ArrayWriter(target)
        writer.append("keys", keys[order])
        writer.append("vectors", vectors.rows[order])
        writer.append("scales", vectors.scales[order])
        if texts is not None:
            writer.append("texts", texts[order])
        writer.finish({"embedder": embedder})
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise unwritable(target, error) from error
    if (folder / POINTER).is_dir():  # damage, which a file cannot replace
        shutil.rmtree(folder / POINTER)
    write_whole(folder / POINTER, os.fsencode(target.name + "\n"))
    for other in folder.iterdir():  # what a reader has mapped lives on until it lets go
        if other.is_dir() and other != target:
            shutil.rmtree(other, ignore_errors=True)  # not where mapped files are locked: next time
