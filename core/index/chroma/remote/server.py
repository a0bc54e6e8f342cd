"""A store on a Chroma server: `Place` for several machines, with a cache on this one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.index.chroma.client import ServerChroma, is_missing
from core.index.chroma.collection import ChunkCollection
from core.index.chroma.remote.address import Address
from core.index.chroma.remote.lease import Lease, is_leased
from core.index.chroma.remote.meta import RecordFiles, Records
from core.index.chroma.remote.meta_items import MetaItems
from core.index.chroma.remote.narrow import NarrowCollection
from core.index.chroma.rows import Rows
from core.index.disk.documents import FOLDER, is_whole
from core.index.disk.files import Files, FolderFiles
from core.index.disk.manifest import NAME as MANIFEST

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

READ_S = 20.0  # for one answer
WRITE_S = 120.0  # for one batch


class Server:
    """A database of a server. Nothing is asked of it before something is read."""

    is_shared = True
    is_sealed = True  # what is wrong with its files is for the server to see

    def __init__(self, address: Address) -> None:
        self.name, self.local = str(address), address.cache
        self._reading = ServerChroma(address, seconds=READ_S)
        self._writing = ServerChroma(address, seconds=WRITE_S)
        self._records = Records(self._reading)
        self._lease: Lease | None = None
        files = RecordFiles(self._records, self.name, self._check)
        self.items = MetaItems(self._records, self.name)
        self.files: Files = CachedFiles(files, FolderFiles(self.local))

    @property
    def exists(self) -> bool:
        return any(self.files.stamp(MANIFEST))

    def is_written(self) -> bool:
        """Whether somebody is writing, on this machine or another."""
        return is_leased(self._records)

    def check_unused(self) -> None:
        """What others keep there has other names."""

    def rows(self, name: str, embedder: str, *, create: bool = False) -> ChunkCollection:
        chroma = self._writing if create else self._reading
        return NarrowCollection(chroma, name, embedder=embedder, create=create)

    def reader(self, name: str, embedder: str) -> ChunkCollection:
        return self.rows(name, embedder)

    def counted(self, name: str) -> int | None:
        return None  # the server is asked

    def seal(self) -> None:
        """The server looks after its files."""

    def set_aside(self, name: str) -> None:
        self._check()
        self._writing(lambda client: _dropped(client, name))

    def forget_aside(self) -> None:
        """It was dropped."""

    def writer(self, name: str, embedder: str, *, apart: bool) -> ServerWriter:
        return ServerWriter(self, name, embedder)

    @contextmanager
    def writing(self, *, rows: bool = False) -> Iterator[None]:
        lease = Lease(self._records, self.name)
        lease.acquire()
        self._lease = lease
        try:
            yield
        finally:
            self._lease = None
            lease.release()

    def close(self) -> None:
        self._reading.close()
        self._writing.close()

    def _check(self) -> None:
        if self._lease is None:
            raise ValueError("a store on a server is written to under its lease only")
        self._lease.check()


class ServerWriter:
    """Adds rows while the lease holds."""

    def __init__(self, server: Server, name: str, embedder: str) -> None:
        self._check = server._check
        self._rows = server.rows(name, embedder, create=True)

    def replace(self, file_ids: Collection[str], rows: Rows) -> Iterator[int]:
        self._check()
        for added in self._rows.replace(file_ids, rows):
            yield added
            self._check()

    def keep_only(self, file_ids: Collection[str]) -> None:
        self._check()
        self._rows.delete_others(file_ids)

    def of_file(self, file_id: str) -> Iterator[Rows]:
        return self._rows.of_file(file_id)

    def close(self) -> None:
        self._rows.close()


class CachedFiles:
    """Files of a server, of which the originals, which never change, are kept here as well.

    `read` asks the server, which may have lost or removed what is still kept here.
    """

    def __init__(self, server: Files, here: Files) -> None:
        self._server, self._here = server, here
        self.label, self.write, self.remove = server.label, server.write, server.remove
        self.names, self.stamp, self.read = server.names, server.stamp, server.read

    def read_all(self, names: Collection[str]) -> Mapping[str, bytes]:
        lasting = [name for name in names if name.startswith(f"{FOLDER}/")]
        kept = self._here.read_all(lasting)
        found = {name: data for name, data in kept.items() if is_whole(name, data)}
        more = self._server.read_all([name for name in names if name not in found])
        for name in more.keys() & set(lasting):
            self._here.write(name, more[name])
        return {**found, **more}


def _dropped(client: ClientAPI, name: str) -> None:
    try:
        client.delete_collection(name)
    except Exception as error:
        if not is_missing(error):
            raise
