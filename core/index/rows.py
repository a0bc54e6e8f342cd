"""A chunk as a row of Chroma, and back: few keys to filter by, the rest one short JSON value."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import orjson
from numpy.typing import NDArray

from core.model import WHERE_KEYS, Chunk, ChunkType, Level
from core.specs.names import decode, file_of, origin

Api: TypeAlias = tuple[str, str]  # title and version, which all chunks of a file share
Metadata: TypeAlias = Mapping[str, str | bool]

DATA = "data"
NO_VECTORS: NDArray[np.float32] = np.empty((0, 0), np.float32)
# What most rows would say under a key, and therefore do not.
UNSAID: Mapping[str, str | bool] = {"method": "", "component_kind": "", "deprecated": False}

_LEVELS = tuple(Level)
_LONG = 300  # bytes
_PLAIN = (("e", "element"), ("g", "origin"), ("p", "path"), ("n", "name"))
_SHORT = (("//", ":components/schemas/"), ("/", ":components/"), (":", ":"), ("#", "#"))


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

        Raises ValueError, TypeError, KeyError or AttributeError when a row is not ours.
        """
        rows = zip(self.ids, self.texts, self.metadata, strict=True)
        return [chunk_of(id, text, metadata, apis) for id, text, metadata in rows]


def rows_of(chunks: Sequence[Chunk], api: Api, vectors: NDArray[np.float32] = NO_VECTORS) -> Rows:
    ids, texts = [chunk.id for chunk in chunks], [chunk.text for chunk in chunks]
    return Rows(ids, texts, [metadata_of(chunk, api) for chunk in chunks], vectors)


def metadata_of(chunk: Chunk, api: Api) -> Metadata:
    """What stands beside id, text and vector.

    Chroma stores each value and indexes it, so every byte costs two: what is empty, or follows
    from the rest, is left out.
    """
    own = chunk.id.partition(":")[0]
    usual = _usual(chunk.id, chunk.type, chunk.component_kind, chunk.method, chunk.part)
    data: dict[str, Any] = {
        key: getattr(chunk, field) for key, field in _PLAIN if getattr(chunk, field) != usual[key]
    }
    if (chunk.api_title, chunk.api_version) != api:
        data["a"] = (chunk.api_title, chunk.api_version)
    data |= {
        "o": chunk.operation_id,
        "h": chunk.content_hash,
        "t": chunk.tags,
        "c": [chunk.token_count.get(level, -1) for level in _LEVELS],
        "r": {_short(id, own): used for id, used in chunk.ref_ids.items()},
        "b": [_short(id, own) for id in chunk.referenced_by],
    }
    said = {key: value for key, value in data.items() if value or key in usual}
    keys = {key: getattr(chunk, key) for key in WHERE_KEYS if not _goes_without_saying(chunk, key)}
    return {**keys, "type": chunk.type.value, DATA: _packed(orjson.dumps(said))}


def _goes_without_saying(chunk: Chunk, key: str) -> bool:
    """Whether a key may be left out, in a way that `filters` can ask for."""
    usual = {
        "method": chunk.type not in (ChunkType.OPERATION, ChunkType.WEBHOOK),
        "component_kind": chunk.type is not ChunkType.COMPONENT,
        "deprecated": True,
    }
    return usual.get(key, False) and getattr(chunk, key) == UNSAID[key]


def chunk_of(id: str, text: str, metadata: Metadata, apis: Mapping[str, Api]) -> Chunk:
    """The inverse of `metadata_of`."""
    own = id.partition(":")[0]
    keys: dict[str, Any] = {key: metadata.get(key, UNSAID.get(key)) for key in WHERE_KEYS}
    data = _unpacked(str(metadata[DATA]))
    usual = _usual(id, keys["type"], keys["component_kind"], keys["method"], keys["part"])
    title, version = data.get("a") or apis[keys["source_file"]]
    counts = zip(_LEVELS, data["c"], strict=True)
    return Chunk(
        **{**keys, "type": ChunkType(keys["type"])},
        **{field: data.get(key, usual[key]) for key, field in _PLAIN},
        id=id,
        text=text,
        api_title=title,
        api_version=version,
        operation_id=data.get("o", ""),
        content_hash=data.get("h", ""),
        tags=tuple(data.get("t", ())),
        token_count={level: count for level, count in counts if count >= 0},
        ref_ids={_long(i, own): tuple(used) for i, used in data.get("r", {}).items()},
        referenced_by=tuple(_long(i, own) for i in data.get("b", ())),
    )


def _packed(data: bytes) -> str:
    """A JSON value as text; a long one, which mostly says where many ids refer, is compressed."""
    if len(data) > _LONG:
        data = orjson.dumps({"z": b85encode(zlib.compress(data)).decode()})
    return data.decode()


def _unpacked(packed: str) -> dict[str, Any]:
    data: dict[str, Any] = orjson.loads(packed)
    if "z" in data:
        data = orjson.loads(zlib.decompress(b85decode(data["z"])))
    return data


def _usual(id: str, type: str, kind: str, method: str, part: str) -> dict[str, str]:
    """Element, origin, path and name, as they mostly follow from the rest."""
    element = id.removesuffix(f":{part}") if part else id
    group, _, rest = element.partition(":")[2].partition("/")
    file, path, name = file_of(id), "", decode(rest.rpartition("/")[2])
    keys: tuple[str, ...] = (group,)
    if type == ChunkType.COMPONENT:
        keys = ("components", kind, name)
    elif type == ChunkType.OPERATION:
        path, name = "/" + decode(rest.rpartition("/")[0]), ""
        keys = (group, path, method.lower())
    return {"e": element, "g": origin(file, keys), "p": path, "n": name}


def _short(id: str, own: str) -> str:
    """An id without what the ids of its own file begin with; no whole one begins as these do."""
    rest = id.removeprefix(own)
    for mark, start in _SHORT if rest != id else ():
        if rest.startswith(start) and _long(short := mark + rest.removeprefix(start), own) == id:
            return short
    return id


def _long(id: str, own: str) -> str:
    for mark, start in _SHORT:
        if id.startswith(mark):
            return own + start + id.removeprefix(mark)
    return id
