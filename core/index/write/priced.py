"""What an embedder that is paid for will be asked for, before it is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.index.embed.embedder import Embedder
from core.index.store import Store
from core.index.write.cut import Cutter
from core.index.write.update import Change, groups
from core.read.limits import Limits
from core.tokens import TokenCounter


def priced(
    store: Store, change: Change, embedder: Embedder, tokens: TokenCounter, limits: Limits
) -> tuple[int, int]:
    """Texts and tokens that a change will have embedded; nothing is written and nobody asked."""
    counting = _Counting(embedder, tokens)
    cutter = Cutter(store, counting, tokens, limits)
    for group in groups(store, change):
        how = group.members, group.ids, group.files
        for _ in cutter.cut(*how, anew=change.anew, lost=change.lost):
            pass
    return cutter.embedded, counting.read


class _Counting:
    """Counts the tokens of what it is given in place of embedding it."""

    def __init__(self, of: Embedder, tokens: TokenCounter) -> None:
        self.fingerprint, self.dimensions = of.fingerprint, of.dimensions
        self._tokens = tokens
        self.read = 0

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        self.read += sum(self._tokens.count_all(texts))
        return np.zeros((len(texts), self.dimensions), np.float32)
