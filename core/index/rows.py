"""A chunk as a row of Chroma, and back: few keys to filter by, the rest one short JSON value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import orjson
from numpy.typing import NDArray

from core.model import WHERE_KEYS, Chunk, ChunkType, Level

Metadata: TypeAlias = Mapping[str, str | bool]

DATA = "data"
NO_VECTORS: NDArray[np.float32] = np.empty((0, 0), np.float32)
_PLAIN = ("api_title", "api_version", "path", "operation_id", "name", "content_hash")
_LEVELS = tuple(Level)


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

    def chunks(self) -> list[Chunk]:
        """The chunks; raises ValueError, TypeError or KeyError when a row is not ours."""
        return [
            chunk_of(id, text, metadata)
            for id, text, metadata in zip(self.ids, self.texts, self.metadata, strict=True)
        ]


def rows_of(chunks: Sequence[Chunk], vectors: NDArray[np.float32] = NO_VECTORS) -> Rows:
    ids, texts = [chunk.id for chunk in chunks], [chunk.text for chunk in chunks]
    return Rows(ids, texts, [metadata_of(chunk) for chunk in chunks], vectors)


def metadata_of(chunk: Chunk) -> Metadata:
    """What stands beside id, text and vector.

    Chroma stores and indexes each value, so a long one costs twice: what is empty is left out of
    the JSON, and ids of the chunk's own file lose its name.
    """
    own = chunk.id.partition(":")[0]
    data: dict[str, Any] = {key: getattr(chunk, key) for key in _PLAIN}
    data |= {
        "element": "" if chunk.element == chunk.id else _short(chunk.element, own),
        "origin": _short(chunk.origin, own),
        "tags": chunk.tags,
        "tokens": [chunk.token_count.get(level, -1) for level in _LEVELS],
        "refs": {_short(id, own): used for id, used in chunk.ref_ids.items()},
        "by": [_short(id, own) for id in chunk.referenced_by],
    }
    packed = orjson.dumps({key: value for key, value in data.items() if value}).decode()
    keys = {key: getattr(chunk, key) for key in WHERE_KEYS}
    return {**keys, "type": chunk.type.value, DATA: packed}


def chunk_of(id: str, text: str, metadata: Metadata) -> Chunk:
    """The inverse of `metadata_of`; raises ValueError, TypeError or KeyError on a foreign row."""
    own = id.partition(":")[0]
    data = orjson.loads(str(metadata[DATA]))
    keys: dict[str, Any] = {key: metadata[key] for key in WHERE_KEYS}
    keys |= {key: data.get(key, "") for key in _PLAIN}
    counts = zip(_LEVELS, data["tokens"], strict=True)
    return Chunk(
        **{**keys, "type": ChunkType(keys["type"])},
        id=id,
        element=_long(data.get("element", id), own),
        origin=_long(data.get("origin", ""), own),
        text=text,
        tags=tuple(data.get("tags", ())),
        token_count={level: count for level, count in counts if count >= 0},
        ref_ids={_long(i, own): tuple(used) for i, used in data.get("refs", {}).items()},
        referenced_by=tuple(_long(i, own) for i in data.get("by", ())),
    )


def _short(name: str, own: str) -> str:
    """An id or origin without its file, when that is `own`; no whole one begins so."""
    rest = name.removeprefix(own)
    return rest if rest != name and rest[:1] in (":", "#") else name


def _long(name: str, own: str) -> str:
    return own + name if name[:1] in (":", "#") else name
