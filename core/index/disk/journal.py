"""What is being written right now, so that a kill in the middle is repaired at the next start."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import orjson

from core.convert import structure
from core.errors import StoreDamaged
from core.index.disk.files import Files, unreadable
from core.index.disk.manifest import FIRST, Entry

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
    kind: str = FIRST  # name of the `SourceKind` that reads it

    @classmethod
    def of(cls, entry: Entry) -> Staged:
        return cls(
            file=entry.file,
            root=entry.root,
            prefix=entry.prefix,
            original=entry.original,
            size=entry.size,
            links=entry.links,
            kind=entry.kind,
        )


@dataclass(frozen=True, slots=True)
class Journal:
    """One replacement: it is either not begun, or carried through."""

    put: tuple[Staged, ...]  # their chunks are made again from their originals
    drop: tuple[str, ...]  # files
    file_ids: tuple[str, ...]  # whose rows may be there in part


def read_journal(files: Files) -> Journal | None:
    """What was begun and not finished; None is the usual case. Raises StoreDamaged."""
    try:
        data = files.read(NAME)
        if data is None:
            return None
        return structure(Journal, orjson.loads(data))
    except OSError as error:
        raise unreadable(files.label(NAME), error) from error
    except ValueError as error:
        raise StoreDamaged(
            f"{files.label(NAME)} is damaged: it said what an interrupted run had left half done. "
            "`specloupe store check` checks every row and repairs what it finds."
        ) from error


def write_journal(files: Files, journal: Journal) -> None:
    files.write(NAME, orjson.dumps(asdict(journal)))


def clear_journal(files: Files) -> None:
    files.remove(NAME)
