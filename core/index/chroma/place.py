"""Where a store is: a folder of this machine, or a Chroma server."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.index.chroma.collection import ChunkCollection
from core.index.chroma.remote.address import is_address, parse_address
from core.index.disk.files import Files
from core.index.disk.items import Items

if TYPE_CHECKING:
    from core.index.chroma.writer import Reader, Writer


class Place(Protocol):
    """One place, shared by all threads. Every call may raise StoreError."""

    @property
    def name(self) -> str:
        """What `--store` calls it."""

    @property
    def local(self) -> Path:
        """The folder of this machine for the read index and the runs."""

    @property
    def is_shared(self) -> bool:
        """Whether other machines reach it as well, so that reading from it takes long."""

    @property
    def exists(self) -> bool: ...

    @property
    def files(self) -> Files: ...

    @property
    def items(self) -> Items:
        """What people keep in the store; to write them, nothing has to be held."""

    def is_written(self) -> bool:
        """Whether somebody is writing, as far as can be told without waiting."""

    def check_unused(self) -> None:
        """Raise StoreDamaged when what is there is not a store that has yet to be filled."""

    def rows(self, name: str, embedder: str, *, create: bool = False) -> ChunkCollection:
        """A collection, to be closed; to write to it, hold `writing(rows=True)`."""

    def reader(self, name: str, embedder: str) -> Reader:
        """What reads rows with their vectors; in another process where Chroma might crash."""

    @property
    def is_sealed(self) -> bool:
        """Whether what Chroma keeps is as the last writer left it."""

    def counted(self, name: str) -> int | None:
        """How many rows a collection has, if that can be told at once."""

    def seal(self) -> None:
        """Remember it as it is."""

    def set_aside(self, name: str) -> None:
        """Put away what Chroma has, which is damaged; a writer then begins with an empty one."""

    def forget_aside(self) -> None:
        """Remove what was set aside."""

    def writer(self, name: str, embedder: str, *, apart: bool) -> Writer:
        """What replaces rows, while `writing` is held; `apart` beside this process, if it can."""

    def writing(self, *, rows: bool = False) -> AbstractContextManager[None]:
        """Be the one who writes; raises StoreBusy when somebody else is.

        With `rows`, what is left of a writer that was killed has come to its end as well.
        """

    def close(self) -> None: ...


def place_of(store: str | Path) -> Place:
    """The place that `--store` names; nothing is opened yet. Raises CallError."""
    from core.index.chroma.folder import Folder

    if is_address(store):
        from core.index.chroma.remote.server import Server

        return Server(parse_address(str(store), os.environ))
    return Folder(store)
