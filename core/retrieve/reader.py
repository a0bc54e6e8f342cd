"""What retrieval reads from: one generation of a store, as one whole."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.deadline import Deadline
from core.model import CatalogEntry, Chunk, Level
from core.where import Given

if TYPE_CHECKING:
    from core.index.snapshot.lexical import LexicalIndex
    from core.index.snapshot.names import Names
    from core.index.snapshot.snapshot import StoredFile

RowScores: TypeAlias = NDArray[np.float32]  # (rows,): one number for each row
FileScores: TypeAlias = NDArray[np.float32]  # (files,)
Vectors: TypeAlias = NDArray[np.float32]  # (dimensions,), or (clauses, dimensions)
Mask: TypeAlias = NDArray[np.bool_]  # (rows,): which may be found
Rows: TypeAlias = NDArray[np.intp]  # numbers of rows


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

    @property
    def arrays(self) -> ArrayReader | None:
        """Itself, when it scores all of its rows at once; None when it gives its best alone."""

    @property
    def file_ids(self) -> Collection[str]:
        """The file id of every file that it has."""

    def catalog(self) -> Sequence[CatalogEntry]: ...

    def semantic(
        self, vector: NDArray[np.float32], /, *, limit: int, where: Given | None
    ) -> Sequence[tuple[str, float]]:
        """The nearest chunks by cosine, -1 to 1."""

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]:
        """The chunks with these ids; what does not exist is absent."""

    def rendering(self, chunk: Chunk, level: Level, /) -> str:
        """The chunk written out at this level; ends in one newline."""


class Column(Protocol):
    """A text for each row, read when it is asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int, /) -> str: ...

    def __iter__(self) -> Iterator[str]: ...


class Looked(Protocol):
    """The second vectors of some rows."""

    @property
    def vectors(self) -> Vectors: ...  # (rows, dimensions), of unit length; zeros where unknown

    @property
    def known(self) -> Mask: ...  # (rows,)


class SecondLook(Protocol):
    """What a second, better model says of the rows: of all of them once its vectors are stored."""

    @property
    def fingerprint(self) -> str:
        """Of the second model."""

    @property
    def state(self) -> str:
        """Differs whenever answers might."""

    @property
    def known(self) -> Mask | None:
        """Which rows have a stored vector; None when all have."""

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """(texts, dimensions) by the second model, remembered; raises EmbeddingError."""

    def cosines(self, vectors: Vectors, /, *, threads: int = 1) -> Vectors:
        """(rows,) of one, (vectors, rows) of more; 0 where no vector is stored."""

    def texts(self, milliseconds: float) -> int:
        """How many texts without a stored vector are embedded for one question."""

    def of(
        self, rows: Sequence[int], /, *, texts: int = 0, deadline: Deadline | None = None
    ) -> Looked:
        """The vectors of rows, best first: stored ones, and the first `texts` others, embedded now.

        Raises EmbeddingError.
        """


class Written(Protocol):
    """The questions that a model wrote for elements: a second text of each, with a vector."""

    @property
    def state(self) -> str:
        """Differs whenever answers might."""

    @property
    def known(self) -> Mask:
        """Which rows have a question."""

    def cosines(self, vectors: Vectors, /) -> Vectors:
        """(vectors, rows): of the nearest question of each row; 0 where there is none."""

    def nearest(self, row: int, vectors: Vectors, /) -> str:
        """The question of a row that is nearest to any of these vectors; "" where there is none."""


class ArrayReader(Protocol):
    """A reader that scores all of its rows at once; rows stand in the order of their chunk ids.

    The rows of one file are contiguous: file i has those from `bounds[i]` up to `bounds[i + 1]`.
    """

    @property
    def ids(self) -> Column: ...  # of the chunks, by row

    @property
    def operation_ids(self) -> Column: ...  # by row; "" where there is none

    @property
    def names(self) -> Names: ...

    @property
    def bounds(self) -> NDArray[np.int64]: ...

    @property
    def files(self) -> Sequence[StoredFile]: ...

    @property
    def lexicon(self) -> LexicalIndex: ...

    @property
    def second(self) -> SecondLook | None: ...  # None: switched off, or of no use to this store

    @property
    def written(self) -> Written | None: ...  # None: nothing was written for this store

    @property
    def derived(self) -> dict[Any, Any]: ...  # what was made of it once; empty at first

    def __len__(self) -> int: ...

    def row(self, id: str) -> int | None: ...

    def chunk(self, row: int) -> Chunk: ...

    def chunks(self, ids: Collection[str], /) -> Mapping[str, Chunk]: ...

    def rendering(self, chunk: Chunk, level: Level, /) -> str: ...

    def cosines(self, vectors: Vectors, /, *, threads: int = 1) -> Vectors:
        """(rows,) of one, (vectors, rows) of more; each is off by a thousandth at most, or so."""

    def exact_cosines(self, rows: Rows, vectors: Vectors) -> Vectors:
        """(vectors, rows) of some rows, exact."""

    def mask(self, where: Given) -> Mask: ...
