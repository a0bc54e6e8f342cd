"""The chunks that were looked up last: a server is asked over the network, once a step."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from threading import Lock

from core.model import Chunk

_MOST = 4_096  # some 10 MB


class KeptChunks:
    """Of one generation, whose chunks do not change. Safe between threads."""

    def __init__(self, most: int = _MOST) -> None:
        self._most, self._lock = most, Lock()
        self._kept: OrderedDict[str, Chunk] = OrderedDict()

    def of(self, ids: Collection[str]) -> dict[str, Chunk]:
        """Those of these that are kept, by id."""
        with self._lock:
            known = {id: self._kept[id] for id in ids if id in self._kept}
            for id in known:
                self._kept.move_to_end(id)
        return known

    def keep(self, chunks: Iterable[Chunk]) -> None:
        """The least recently used go for them."""
        with self._lock:
            for chunk in chunks:
                self._kept[chunk.id] = chunk
                self._kept.move_to_end(chunk.id)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
