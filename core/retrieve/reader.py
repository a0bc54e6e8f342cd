"""What retrieval reads from: one generation of a store, as one whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.model import CatalogEntry, Chunk, Level, Where


class Reader(Protocol):
    """Two implementations: the read index (`core.index.snapshot`) and Chroma (`core.index.store`).

    Scores are higher-is-better. Lists are sorted by score, then by chunk id.
    """

    @property
    def kind(self) -> str:
        """`snapshot` or `chroma`."""

    @property
    def generation(self) -> str: ...

    @property
    def embedder(self) -> str:
        """Fingerprint of the embedder that made the vectors."""

    def catalog(self) -> Sequence[CatalogEntry]: ...

    def semantic(
        self, vector: NDArray[np.float32], /, *, limit: int, where: Where | None
    ) -> Sequence[tuple[str, float]]:
        """The nearest chunks by cosine, -1 to 1."""

    def lexical(
        self, query: str, /, *, limit: int, where: Where | None
    ) -> Sequence[tuple[str, float]] | None:
        """The best chunks by BM25, as a share of the possible maximum, 0 to 1; None: no index."""

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]:
        """The chunks with these ids; what does not exist is absent."""

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        """The chunk written out at this level; ends in one newline."""
