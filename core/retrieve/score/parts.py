"""What the score of a candidate is made of, each part as the clause says that says most for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.reasons import Part
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.reader import ArrayReader, Rows, RowScores
from core.retrieve.score.api_evidence import ApiEvidence
from core.retrieve.score.candidate import LEXICAL, SEMANTIC
from core.retrieve.score.evidence import ClauseEvidence
from core.retrieve.score.likelihood import NEARLY, share
from core.retrieve.understand.question import Question

COVERAGE, HOME, ABOUT = Part.COVERAGE.value, Part.HOME.value, Part.ABOUT.value
NAME, EXACT, SECOND = Part.NAME.value, Part.EXACT.value, Part.SECOND.value


def score_parts(
    rows: Rows,
    found: Sequence[ClauseEvidence],
    apis: ApiEvidence,
    question: Question,
    reader: ArrayReader,
) -> dict[str, RowScores]:
    """By name: one number a row; a part that was not asked for is absent."""
    clauses = zip(found, question.clauses, strict=True)
    asked = [evidence for evidence, clause in clauses if not clause.is_ours]
    files = derived(Elements, reader).file_of_row[rows]
    parts = {**_of_rows(rows, asked, reader), NAME: apis.named[files], HOME: apis.home[files]}
    if apis.about is not None:
        parts[ABOUT] = apis.about[files]
    named = question.named
    if named.exactly or named.nearly or named.called:
        exactly = np.isin(rows, named.exactly)
        nearly = np.isin(rows, (*named.nearly, *named.called))
        parts[EXACT] = np.where(exactly, 1, np.where(nearly, NEARLY, 0)).astype(np.float32)
    return parts


def _of_rows(
    rows: Rows, asked: Sequence[ClauseEvidence], reader: ArrayReader
) -> dict[str, RowScores]:
    parts: dict[str, RowScores] = {}
    said = [each.said for each in asked]
    if cosines := [each.cosine[rows] for each in said if each.cosine is not None]:
        parts[SEMANTIC] = np.max(cosines, axis=0)
    if cosines := [each.second[rows] for each in said if each.second is not None]:
        parts[SECOND] = np.max(cosines, axis=0)
    words = [(e.terms, e.said.words[rows]) for e in asked if e.said.words is not None]
    if words:
        used = derived(WordsUsed, reader)
        parts[LEXICAL] = np.max([share(reader.lexicon, *each) for each in words], axis=0)
        parts[COVERAGE] = np.max([used.coverage(each.terms, rows) for each in asked], axis=0)
    return parts
