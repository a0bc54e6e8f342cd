"""Candidates as columns, written out when they are looked at: most never are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from core.retrieve.reader import Column, Rows, RowScores
from core.retrieve.score.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Ranked(Sequence[Candidate]):
    """Candidates, best first."""

    rows: Rows
    ids: Column
    scores: RowScores
    order: RowScores  # what they are ranked by
    shown: Mapping[str, RowScores]  # parts of the score that everyone is shown
    added: Mapping[str, RowScores]  # what raised or lowered the rank, where it did
    shares: Mapping[str, NDArray[np.float64]]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Candidate: ...

    @overload
    def __getitem__(self, at: slice) -> list[Candidate]: ...

    def __getitem__(self, at: int | slice) -> Candidate | list[Candidate]:
        if isinstance(at, int):
            return self[range(len(self))[at] :][0]
        ids = (self.ids[row] for row in self.rows[at].tolist())
        numbers = self.scores[at].tolist(), self.order[at].tolist()
        shown, added = _by_row(self.shown, at), _by_row(self.added, at, zeros=False)
        parts = ({**one, **other} for one, other in zip(shown, added, strict=True))
        return list(map(Candidate, ids, *numbers, parts, _by_row(self.shares, at, zeros=False)))


def _by_row(
    columns: Mapping[str, NDArray[Any]], at: slice, *, zeros: bool = True
) -> list[dict[str, float]]:
    """A mapping a row, of numbers by name."""
    rows = zip(*(values[at].tolist() for values in columns.values()), strict=True)
    each = (zip(columns, row, strict=True) for row in rows)
    return [dict(row) if zeros else {name: v for name, v in row if v} for row in each]
