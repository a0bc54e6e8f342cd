"""What a person did with a store on a server, in its collection `specloupe-meta`: `Items`."""

from __future__ import annotations

import json
from base64 import b85decode
from collections.abc import Iterator, Mapping
from hashlib import sha256

import zstandard

from core.errors import StoreDamaged
from core.index.chroma.remote.meta import Record, Records, cut
from core.index.disk.items import stamp_of


class MetaItems:
    """Each in a record of its own, which is replaced as a whole, so that no lease is needed.

    One that is too long for a record is in others, named by its content, which are there before
    the record tells of them. Those are left when it is replaced: whoever reads it now, or another
    name with the same content, needs them.
    """

    def __init__(self, records: Records, label: str) -> None:
        self._records, self._label = records, label

    def all(self, kind: str) -> Mapping[str, bytes]:
        found = self._records.all_of_kind(f"label-{kind}").values()
        return dict(sorted(self._read(kind, head) for head in found))

    def stamps(self, kind: str) -> Mapping[str, str]:
        found = self._records.all_of_kind(f"label-{kind}").values()
        return dict(sorted((str(head["name"]), str(head["stamp"])) for head in found))

    def get(self, kind: str, key: str) -> bytes | None:
        id = _id(kind, key)
        head = self._records.get([id]).get(id)
        return None if head is None else self._read(kind, head)[1]

    def put(self, kind: str, key: str, value: bytes) -> None:
        packed = json.dumps([key, value.decode("latin-1")]).encode()
        pieces = list(cut(zstandard.ZstdCompressor().compress(packed)))
        stamp = stamp_of(value)
        own: Record = {"kind": f"label-{kind}", "name": key[:500], "stamp": stamp}
        if len(pieces) == 1:
            head: Record = {**own, **pieces[0], "parts": 0}
        else:
            head = {**own, "parts": len(pieces), "content": sha256(packed).hexdigest()}
            ids = _part_ids(head)
            self._records.add(
                {id: {"kind": "label-part", **p} for id, p in zip(ids, pieces, strict=True)}
            )
        self._records.put({_id(kind, key): head})

    def delete(self, kind: str, key: str) -> None:
        self._records.delete([_id(kind, key)])

    def _read(self, kind: str, head: Record) -> tuple[str, bytes]:
        try:
            texts = [text for record in self._parts(head) for text in _texts(record)]
            packed = zstandard.ZstdDecompressor().decompress(b85decode("".join(texts)))
            key, value = json.loads(packed)
            return str(key), value.encode("latin-1")
        except (ValueError, KeyError, TypeError, AttributeError, zstandard.ZstdError) as error:
            raise StoreDamaged(
                f"{self._label}: the {kind} {str(head.get('name'))[:100]!r} in specloupe-meta is "
                "damaged. Nothing in it was changed."
            ) from error

    def _parts(self, head: Record) -> list[Record]:
        if not int(head["parts"]):
            return [head]
        found = self._records.get(_part_ids(head))
        return [found[id] for id in _part_ids(head)]


def _texts(record: Record) -> Iterator[str]:
    return (str(record[str(number)]) for number in range(int(record["count"])))


def _part_ids(head: Record) -> list[str]:
    return [f"label-part:{head['content']}:{number}" for number in range(int(head["parts"]))]


def _id(kind: str, key: str) -> str:
    return f"label-{kind}:{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:40]}"
