"""A chunk as a row of Chroma, and back: few keys to filter by, the rest one short JSON value."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import orjson
from numpy.typing import NDArray

from core.errors import StoreDamaged
from core.ids import COMPONENTS, Id, decode, file_of
from core.model import WHERE_KEYS, Api, Chunk, ChunkType, Level
from core.read.places import pointer

Metadata: TypeAlias = Mapping[str, str | bool]

DATA = "data"
NO_VECTORS: NDArray[np.float32] = np.empty((0, 0), np.float32)
# What most rows would say under a key, and therefore do not.
UNSAID: Mapping[str, str | bool] = {
    "method": "",
    "component_kind": "",
    "deprecated": False,
    "status": "",
    "language": "",
}

_LEVELS = tuple(Level)
_LONG = 300  # bytes
_PLAIN = {
    "e": "element",
    "g": "origin",
    "p": "path",
    "n": "name",
    "o": "operation_id",
    "h": "content_hash",
}
_COMPONENTS, _SCHEMAS = f":{COMPONENTS}/", f":{COMPONENTS}/schemas/"


_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, zlib.error)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows as Chroma takes and gives them, column by column."""

    ids: Sequence[str]
    texts: Sequence[str]
    metadata: Sequence[Metadata]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.ids)

    def batches(self, size: int) -> Iterator[Rows]:
        for start in range(0, len(self), size):
            part = slice(start, start + size)
            yield Rows(self.ids[part], self.texts[part], self.metadata[part], self.vectors[part])

    def chunks(self, apis: Mapping[str, Api]) -> list[Chunk]:
        """The chunks, given the API of each file id.

        Raises StoreDamaged when a row is not ours, or not as this version writes it.
        """
        rows = zip(self.ids, self.texts, self.metadata, strict=True)
        try:
            return [chunk_of(id, text, metadata, apis) for id, text, metadata in rows]
        except _UNREADABLE as error:
            raise StoreDamaged(
                "The store holds rows that this version of Specloupe cannot read. "
                "Choose another with --store, or move it away and ingest again."
            ) from error


def rows_of(chunks: Sequence[Chunk], api: Api, vectors: NDArray[np.float32] = NO_VECTORS) -> Rows:
    ids, texts = [chunk.id for chunk in chunks], [chunk.text for chunk in chunks]
    return Rows(ids, texts, [metadata_of(chunk, api) for chunk in chunks], vectors)


def metadata_of(chunk: Chunk, api: Api) -> Metadata:
    """What stands beside id, text and vector.

    Chroma stores each value and indexes it, so every byte costs two: what is empty, or follows
    from the rest, is left out.
    """
    own = file_of(chunk.id)
    usual = _usual(chunk.id, chunk.type, chunk.component_kind, chunk.method, chunk.part)
    data: dict[str, Any] = {
        key: said
        for key, field in _PLAIN.items()
        if (said := getattr(chunk, field)) != usual.get(key, "")
    }
    if (chunk.api_title, chunk.api_version) != api:
        data["a"] = (chunk.api_title, chunk.api_version)
    data["c"] = [chunk.token_count.get(level, -1) for level in _LEVELS]
    if chunk.tags:
        data["t"] = chunk.tags
    if chunk.facts:
        data["f"] = chunk.facts
    if chunk.ref_ids:
        data["r"] = {_short(id, own): used for id, used in chunk.ref_ids.items()}
    if chunk.referenced_by:
        data["b"] = [_short(id, own) for id in chunk.referenced_by]
    return {**_keys(chunk), DATA: _packed(orjson.dumps(data))}


def _keys(chunk: Chunk) -> dict[str, str | bool]:
    """What a filter asks for; `filters` knows which keys go without saying."""
    keys: dict[str, str | bool] = {
        "type": chunk.type.value,
        "source_file": chunk.source_file,
        "part": chunk.part,
    }
    if chunk.method or chunk.type.is_operation:
        keys["method"] = chunk.method
    if chunk.component_kind or chunk.type is ChunkType.COMPONENT:
        keys["component_kind"] = chunk.component_kind
    if chunk.deprecated:
        keys["deprecated"] = True
    if chunk.status or chunk.type is ChunkType.DOCUMENT:
        keys["status"] = chunk.status
    if chunk.language or chunk.type is ChunkType.CODE:
        keys["language"] = chunk.language
    return keys


def chunk_of(id: str, text: str, metadata: Metadata, apis: Mapping[str, Api]) -> Chunk:
    """The inverse of `metadata_of`."""
    own = file_of(id)
    keys: dict[str, Any] = {key: metadata.get(key, UNSAID.get(key)) for key in WHERE_KEYS}
    data = _unpacked(str(metadata[DATA]))
    usual = _usual(id, keys["type"], keys["component_kind"], keys["method"], keys["part"])
    title, version = data.get("a") or apis[keys["source_file"]]
    counts = zip(_LEVELS, data["c"], strict=True)
    return Chunk(
        **{**keys, "type": ChunkType(keys["type"])},
        **{field: data.get(key, usual.get(key, "")) for key, field in _PLAIN.items()},
        id=id,
        text=text,
        api_title=title,
        api_version=version,
        tags=tuple(data.get("t", ())),
        facts=data.get("f", {}),
        token_count={level: count for level, count in counts if count >= 0},
        ref_ids={_long(i, own): tuple(used) for i, used in data.get("r", {}).items()},
        referenced_by=tuple(_long(i, own) for i in data.get("b", ())),
    )


def _packed(data: bytes) -> str:
    """A JSON value as text; a long one, which mostly says where many ids refer, is compressed."""
    if len(data) > _LONG:
        data = orjson.dumps({"z": b64encode(zlib.compress(data)).decode()})
    return data.decode()


def _unpacked(packed: str) -> dict[str, Any]:
    data: dict[str, Any] = orjson.loads(packed)
    if "z" in data:
        data = orjson.loads(zlib.decompress(b64decode(data["z"])))
    return data


def _usual(id: str, type: str, kind: str, method: str, part: str) -> dict[str, str]:
    """Element, origin, path and name, as they mostly follow from the rest."""
    element = id.removesuffix(f":{part}") if part else id
    named = Id.parse(element)
    usual = {"e": element}
    if type == ChunkType.COMPONENT:
        usual["n"] = decode(named.rest.rpartition("/")[2])
        keys: tuple[str, ...] = (COMPONENTS, kind, usual["n"])
    elif type == ChunkType.OPERATION:
        usual["p"] = "/" + decode(named.rest.rpartition("/")[0])
        keys = (named.kind, usual["p"], method.lower())
    else:
        keys = (named.kind,)
    usual["g"] = f"{named.file.replace('#', '%23')}#{pointer(keys)}"
    return usual


def _short(id: str, own: str) -> str:
    """An id without what the ids of its own file begin with."""
    rest = id.removeprefix(own)
    if rest == id or rest[:1] != ":":
        return id
    if rest.startswith(_SCHEMAS):
        return "//" + rest.removeprefix(_SCHEMAS)
    if rest.startswith(_COMPONENTS) and not rest.startswith(f"{_COMPONENTS}/"):
        return "/" + rest.removeprefix(_COMPONENTS)
    return rest


def _long(id: str, own: str) -> str:
    """The inverse: no whole id begins with a slash or a colon."""
    if id.startswith("//"):
        return own + _SCHEMAS + id[2:]
    if id.startswith("/"):
        return own + _COMPONENTS + id[1:]
    return own + id if id.startswith(":") else id
