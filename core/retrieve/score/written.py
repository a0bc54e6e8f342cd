"""What questions that a model wrote for elements say of rows: a second text, where words differ.

A row is raised as far as its nearest written question is nearer to what is asked than its own text
and the 20th best text are. docs/models.md says what that gains.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.retrieve.reader import ArrayReader, Mask, Rows, RowScores, Vectors
from core.retrieve.score.evidence import ClauseEvidence
from core.retrieve.score.standing import standing
from core.settings import Search

_FAR = 4.0  # spreads of the texts' cosines above the 20th: as near as counts


def cosines(
    reader: ArrayReader, vectors: Vectors | None, settings: Search
) -> Sequence[RowScores] | None:
    """By clause, of each row's nearest written question; None where none counts."""
    written = reader.written
    if written is None or vectors is None or not settings.written_weight:
        return None
    return list(written.cosines(vectors))


def nearest(asked: Sequence[ClauseEvidence], rows: Rows) -> RowScores | None:
    """The most of them for some rows, whichever clause it is near to; None where none counts."""
    each = [e.said.written[rows] for e in asked if e.said.written is not None]
    most: RowScores | None = np.max(each, axis=0) if each else None
    return most


def strength(asked: Sequence[ClauseEvidence], allowed: Mask | None) -> RowScores | None:
    """By row from 0 to 1, of the clause that says most for it; None where none counts."""
    each = [_of_clause(e, allowed) for e in asked if e.said.written is not None]
    most: RowScores | None = np.max(each, axis=0) if each else None
    return most


def _of_clause(evidence: ClauseEvidence, allowed: Mask | None) -> RowScores:
    cosine, written = evidence.said.cosine, evidence.said.written
    assert cosine is not None
    assert written is not None
    stands = standing(cosine, allowed)
    more = written - np.maximum(cosine, np.float32(stands.deep))
    found: RowScores = np.clip(more / np.float32(_FAR * stands.spread), 0, 1)
    return found
