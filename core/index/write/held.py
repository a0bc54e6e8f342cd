"""The documents that are read together, so many of them in little memory."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import zstandard

from core.read.document import Document


class Held(Mapping[str, Document]):
    """Documents by file. The value of one that was put in packed takes a tenth of the memory, and
    is unpacked whenever it is asked for."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}
        self._packed: dict[str, bytes] = {}

    def put(self, file: str, document: Document, *, packed: bool) -> None:
        if packed:
            self._packed[file] = _pack(document.value)
            document = replace(document, value=None)
        self._documents[file] = document

    def drop(self, file: str) -> None:
        """No longer hold one; there may be none."""
        self._documents.pop(file, None)
        self._packed.pop(file, None)

    def among(self, files: Collection[str]) -> Held:
        """Those of these files."""
        part = Held()
        part._documents = {file: self._documents[file] for file in files}
        part._packed = {file: self._packed[file] for file in files if file in self._packed}
        return part

    def __getitem__(self, file: str) -> Document:
        document, packed = self._documents[file], self._packed.get(file)
        return document if packed is None else replace(document, value=_unpack(packed))

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)


def _pack(value: object) -> bytes:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return zstandard.ZstdCompressor(level=1).compress(data)


def _unpack(packed: bytes) -> Any:
    return pickle.loads(zstandard.ZstdDecompressor().decompress(packed))
