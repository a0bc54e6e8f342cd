"""What an embedder that is paid for will be asked for, before it is asked; and nothing twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.index.check import read_index
from core.index.embed.embedder import Embedder, Paid
from core.index.embed.paid import PaidOnce, nothing
from core.index.store import Store
from core.index.write.cut import Cutter
from core.index.write.report import IngestEvent, Phase
from core.index.write.update import Change, groups
from core.read.limits import Limits
from core.tokens import TokenCounter


def once(store: Store, embedder: Embedder) -> Embedder:
    """The same; one that is paid for is asked for no text that it was paid for before: kept by a
    run that ended early, or in the read index."""
    if not isinstance(embedder, Paid):
        return embedder
    index = read_index(store)
    is_its = index is not None and index.embedder == embedder.fingerprint
    return PaidOnce(embedder, store.place.local, index.vector_of if index and is_its else nothing)


def told(embedder: PaidOnce, texts: int, tokens: int, *, done: int, total: int) -> IngestEvent:
    """What embedding so much costs, as an event: whoever hears of it may stop here."""
    found = {"texts": texts, "tokens": tokens}
    return IngestEvent("", Phase.PRICED, done, total, found, embedder.cost(texts, tokens))


def priced(
    store: Store, change: Change, embedder: PaidOnce, tokens: TokenCounter, limits: Limits
) -> tuple[int, int]:
    """Texts and tokens that a change will have embedded; nothing is written and nobody asked."""
    counting = _Counting(embedder, tokens)
    cutter = Cutter(store, counting, tokens, limits)
    for group in groups(store, change):
        how = group.members, group.ids, group.files
        for _ in cutter.cut(*how, anew=change.anew, lost=change.lost):
            pass
    return counting.texts, counting.read


class _Counting:
    """Counts what is to be paid for of what it is given, in place of embedding it."""

    def __init__(self, of: PaidOnce, tokens: TokenCounter) -> None:
        self.fingerprint, self.dimensions = of.fingerprint, of.dimensions
        self._of, self._tokens = of, tokens
        self.texts = self.read = 0  # texts, and their tokens

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        lacking = self._of.lacking(texts)
        self.texts += len(lacking)
        self.read += sum(self._tokens.count_all(lacking))
        return np.zeros((len(texts), self.dimensions), np.float32)
