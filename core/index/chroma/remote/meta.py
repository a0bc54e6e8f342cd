"""What a store on a server keeps beside its rows: records of the collection `specloupe-meta`."""

from __future__ import annotations

from base64 import b85decode, b85encode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import methodcaller
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import zstandard

from core.errors import StoreDamaged, StoreError
from core.index.chroma.client import Chroma, is_missing
from core.index.disk.documents import unpacked

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

T = TypeVar("T")
Record = Mapping[str, str | int | float]

NAME = "specloupe-meta"

# Chroma Cloud takes values of 4,096 bytes, and 32 of them in a record. Data is in values and not
# in documents, because those are indexed for search: ten times slower, and five times larger.
_PIECE, _PIECES = 4_000, 24
_VECTOR = [1.0]  # a record needs one
_MOST = 100_000  # parts of a file: nine gigabytes
_ATTEMPTS = 5  # to read what is being replaced


class Records:
    """The records, each an id and some scalars. Before the first is put, there is no collection."""

    def __init__(self, chroma: Chroma) -> None:
        self._chroma = chroma
        self._opening = Lock()
        self._opened: Any = None
        self._client: ClientAPI | None = None  # that opened it

    def get(self, ids: Collection[str]) -> dict[str, Record]:
        found: dict[str, Record] = {}
        for batch in _batches(list(ids), self._chroma.reads):
            found |= self._get(ids=batch)
        return found

    def of_kind(self, kind: str) -> dict[str, Record]:
        return self._get(where={"kind": kind})

    def all_of_kind(self, kind: str) -> dict[str, Record]:
        """The same, page by page: of a kind of which there may be many."""
        return {id: record for page in self._pages(kind) for id, record in page.items()}

    def ids(self, kind: str) -> Iterator[str]:
        for page in self._pages(kind):
            yield from page

    def _pages(self, kind: str) -> Iterator[dict[str, Record]]:
        seen: set[str] = set()
        most = self._chroma.reads
        while found := self._get(where={"kind": kind}, limit=most, offset=len(seen)):
            if not seen.isdisjoint(found):
                raise StoreError(f"{NAME} keeps returning the same records.")
            yield found
            seen |= found.keys()

    def add(self, records: Mapping[str, Record]) -> None:
        """Add those whose ids are not there yet, and leave the others as they are."""
        self._send("add", records)

    def put(self, records: Mapping[str, Record]) -> None:
        """Add or change; a key that is not mentioned stays."""
        self._send("upsert", records)

    def delete(self, ids: Collection[str]) -> None:
        for batch in _batches(list(ids), self._chroma.adds):
            self._ask(methodcaller("delete", ids=batch), None)

    def delete_where(self, where: Mapping[str, Any]) -> None:
        self._ask(methodcaller("delete", where=where), None)

    def _get(self, **query: Any) -> dict[str, Record]:
        return self._ask(lambda rows: _records(rows.get(include=["metadatas"], **query)), {})

    def _send(self, how: str, records: Mapping[str, Record]) -> None:
        for batch in _batches(list(records), self._chroma.adds):
            values = {
                "ids": batch,
                "metadatas": [dict(records[id]) for id in batch],
                "embeddings": [_VECTOR for _ in batch],
            }
            self._ask(methodcaller(how, **values), None, create=True)

    def _ask(self, ask: Callable[[Any], T], nothing: T, *, create: bool = False) -> T:
        """The collection's answer; `nothing` where there is no collection."""

        def asked(client: ClientAPI) -> T:
            try:
                return ask(self._collection(client, create))
            except Exception as error:
                if not is_missing(error):
                    raise
            self._opened = None
            try:  # it may have been made again, by another process
                return ask(self._collection(client, create))
            except Exception as error:
                if not is_missing(error):
                    raise
                return nothing

        return self._chroma(asked)

    def _collection(self, client: ClientAPI, create: bool) -> Any:
        with self._opening:
            if self._opened is None or self._client is not client:
                find = client.get_or_create_collection if create else client.get_collection
                self._opened, self._client = find(NAME, embedding_function=None), client
            return self._opened


class RecordFiles:
    """Files in records: a short one in the record of its name, a long one in others.

    The record of the name is written last, and tells the version: so a file changes as a whole.
    """

    def __init__(self, records: Records, label: str, guard: Callable[[], None]) -> None:
        """`guard` is asked before each change, and raises where it is not allowed."""
        self._records, self._label, self._guard = records, label, guard

    def label(self, name: str) -> str:
        return f"{name} in {NAME} on {self._label}"

    def read(self, name: str) -> bytes | None:
        return self.read_all([name]).get(name)

    def read_all(self, names: Collection[str]) -> Mapping[str, bytes]:
        found: dict[str, bytes] = {}
        left = set(names)
        for _ in range(_ATTEMPTS):
            heads = self._records.get(sorted(left))
            left &= heads.keys()
            wanted = {name: self._part_ids(name, head) for name, head in heads.items()}
            parts = self._records.get([id for ids in wanted.values() for id in ids])
            for name, ids in wanted.items():
                if parts.keys() >= set(ids):
                    records = [parts[id] for id in ids] or [heads[name]]
                    found[name] = self._joined(name, records)
                    left.discard(name)
            if not left:
                return found
        raise StoreDamaged(
            f"{self.label(min(left))} is incomplete. Ingest the original specifications again."
        )

    def write(self, name: str, data: bytes) -> None:
        self._guard()
        version = uuid4().hex
        records = list(cut(zstandard.ZstdCompressor().compress(data)))
        head: Record = {"kind": "file", "version": version, "parts": len(records)}
        if len(records) == 1 and records[0]["count"] == 1:
            head, records = {**head, **records[0], "parts": 0}, []
        own = {"kind": "part", "file": name, "version": version}
        parts = {id: {**own, **r} for id, r in zip(_part_ids(name, head), records, strict=True)}
        self._records.add(parts)
        self._guard()
        self._records.put({name: head})
        others = [{"kind": "part"}, {"file": name}, {"version": {"$ne": version}}]
        self._records.delete_where({"$and": others})

    def remove(self, *names: str) -> None:
        self._guard()
        self._records.delete(names)
        for name in names:
            self._records.delete_where({"$and": [{"kind": "part"}, {"file": name}]})

    def names(self, folder: str) -> Iterable[str]:
        return [id for id in self._records.ids("file") if id.startswith(f"{folder}/")]

    def stamp(self, *names: str) -> tuple[str, ...]:
        heads = self._records.get(names)
        return tuple(str(heads[name].get("version", "")) if name in heads else "" for name in names)

    def _part_ids(self, name: str, head: Record) -> list[str]:
        try:
            if not 0 <= int(head["parts"]) <= _MOST:
                raise ValueError("more parts than any file has")
            return _part_ids(name, head)
        except (ValueError, TypeError, KeyError) as error:
            raise self._damaged(name) from error

    def _damaged(self, name: str) -> StoreDamaged:
        return StoreDamaged(
            f"{self.label(name)} is damaged. Ingest the original specifications again."
        )

    def _joined(self, name: str, records: Sequence[Record]) -> bytes:
        try:
            texts = [str(record[str(n)]) for record in records for n in range(int(record["count"]))]
            return unpacked(b85decode("".join(texts)))
        except (ValueError, TypeError, KeyError, zstandard.ZstdError) as error:
            raise self._damaged(name) from error


def cut(data: bytes) -> Iterator[dict[str, str | int]]:
    """Records that hold the data as text, piece by piece."""
    pieces = _batches(b85encode(data).decode(), _PIECE)
    for group in _batches(list(pieces), _PIECES):
        yield {"count": len(group), **{str(n): piece for n, piece in enumerate(group)}}


def _part_ids(name: str, head: Record) -> list[str]:
    return [f"{name}:{head['version']}:{n}" for n in range(int(head["parts"]))]


Cut = TypeVar("Cut", str, list[str])


def _batches(whole: Cut, size: int) -> Iterator[Cut]:
    for start in range(0, len(whole), size):
        yield whole[start : start + size]


def _records(got: Any) -> dict[str, Record]:
    """Raises what the client's caller makes one error of."""
    return {str(id): dict(one) for id, one in zip(got["ids"], got["metadatas"], strict=True)}
