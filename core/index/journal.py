"""What is being written right now, so that a kill in the middle is mended at the next start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from core.errors import StoreDamaged
from core.index.files import remove_file, write_whole
from core.index.manifest import Entry

NAME = "pending.json"


@dataclass(frozen=True, slots=True)
class Staged:
    """A file whose bytes are kept in the store, ready to be cut."""

    file: str
    root: str
    prefix: str
    original: str  # sha256 of the bytes
    size: int  # bytes
    links: tuple[str, ...] = ()  # files that it refers to

    @classmethod
    def of(cls, entry: Entry) -> Staged:
        return cls(entry.file, entry.root, entry.prefix, entry.original, entry.size, entry.links)


@dataclass(frozen=True, slots=True)
class Journal:
    """One replacement: it is either not begun, or carried through."""

    put: tuple[Staged, ...]  # their chunks are made again from their originals
    drop: tuple[str, ...]  # files
    file_ids: tuple[str, ...]  # whose rows may be there in part


def read_journal(folder: Path) -> Journal | None:
    """What was begun and not finished; None is the usual case. Raises StoreDamaged."""
    path = folder / NAME
    try:
        values = orjson.loads(path.read_bytes())
        put = tuple(_staged(item) for item in values["put"])
        return Journal(put, tuple(values["drop"]), tuple(values["file_ids"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreDamaged(
            f"{path} cannot be read. Remove it, and the specifications that `specloupe catalog` "
            "shows in part; then ingest again."
        ) from error


def write_journal(folder: Path, journal: Journal) -> None:
    write_whole(folder / NAME, orjson.dumps(asdict(journal)))


def clear_journal(folder: Path) -> None:
    remove_file(folder / NAME)


def _staged(values: Mapping[str, Any]) -> Staged:
    return Staged(**{**values, "links": tuple(values["links"])})
