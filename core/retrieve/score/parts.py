"""What the score of a candidate is made of, each part as the clause says that says most for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.reasons import Part
from core.retrieve.lookups.identifiers import Named
from core.retrieve.reader import ArrayReader, Rows, RowScores
from core.retrieve.score.candidate import LEXICAL, SEMANTIC
from core.retrieve.score.evidence import ClauseEvidence
from core.retrieve.score.likelihood import NEARLY, share
from core.retrieve.score.written import nearest

SECOND, COVERAGE = Part.SECOND.value, Part.COVERAGE.value
WRITTEN = Part.WRITTEN.value
OF_API = (Part.NAME.value, Part.HOME.value, Part.ABOUT.value)


def score_parts(
    rows: Rows,
    features: Mapping[str, RowScores],
    asked: Sequence[ClauseEvidence],
    reader: ArrayReader,
) -> dict[str, RowScores]:
    """By name: one number a row; a part that was not asked for is absent.

    `features` are what the score weighs; those that are parts have their names.
    """
    parts: dict[str, RowScores] = {}
    said = [each.said for each in asked]
    if cosines := [each.cosine[rows] for each in said if each.cosine is not None]:
        parts[SEMANTIC] = np.max(cosines, axis=0)
    if SECOND in features:
        parts[SECOND] = features[SECOND]
    if words := [(e.terms, e.said.words[rows]) for e in asked if e.said.words is not None]:
        parts[LEXICAL] = np.max([share(reader.lexicon, *each) for each in words], axis=0)
        parts[COVERAGE] = features[COVERAGE]
    if (near := nearest(asked, rows)) is not None:
        parts[WRITTEN] = near
    return parts | {name: features[name] for name in OF_API if name in features}


def named_rows(named: Named, rows: Rows) -> RowScores:
    """1 for the rows that a question names; `NEARLY` for those nearly, or in plain words."""
    if not (named.exactly or named.nearly or named.called):
        return np.zeros(len(rows), np.float32)
    exactly = np.isin(rows, named.exactly)
    nearly = np.isin(rows, (*named.nearly, *named.called))
    return np.where(exactly, 1, np.where(nearly, NEARLY, 0)).astype(np.float32)
