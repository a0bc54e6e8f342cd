"""What people usually build first: fixed windows over the document, and raw JSON of operations.

Both rank by the cosine of the embedded default, and give elements that the same labels score.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.ids import encode
from core.index.embed.embedder import Embedder
from core.read.document import SourceFile
from core.read.files.find import discover
from core.read.limits import Limits
from core.sources.openapi.read import parse

WINDOW = 1000  # characters, about 256 tokens of JSON
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass(frozen=True, slots=True)
class Piece:
    """A text and the elements that it belongs to."""

    text: str
    elements: tuple[str, ...]


class NaiveSearch:
    """Pieces ranked by cosine alone."""

    def __init__(self, pieces: Sequence[Piece], embedder: Embedder) -> None:
        self._pieces, self._embedder = pieces, embedder
        self._vectors: NDArray[np.float32] = embedder.embed([piece.text for piece in pieces])

    def ranked(self, query: str) -> list[str]:
        """Elements, best first."""
        scores = self._vectors @ self._embedder.embed([query])[0]
        order = np.argsort(-scores, kind="stable")[:100].tolist()
        return list(dict.fromkeys(e for at in order for e in self._pieces[at].elements))


def operations(specs: Path) -> Iterator[Piece]:
    """Each operation's JSON as it stands."""
    limits = Limits()
    for source in discover(str(specs), limits=limits):
        if isinstance(source, SourceFile):
            document = parse(source.read(), source.file, limits=limits)
            for path, item in document.value.get("paths", {}).items():
                for method in METHODS:
                    if method in item:
                        element = f"{source.file}:paths/{encode(path.removeprefix('/'))}/{method}"
                        text = json.dumps({path: {method: item[method]}}, ensure_ascii=False)
                        yield Piece(text, (element,))


def windows(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The same JSON end to end, cut every `WINDOW` characters wherever that is."""
    text = "".join(piece.text for piece in pieces)
    ends = np.cumsum([len(piece.text) for piece in pieces])
    for start in range(0, len(text), WINDOW):
        first = int(np.searchsorted(ends, start, side="right"))
        last = int(np.searchsorted(ends, min(start + WINDOW, len(text)) - 1, side="right"))
        elements = tuple(e for piece in pieces[first : last + 1] for e in piece.elements)
        yield Piece(text[start : start + WINDOW], elements)
