"""What speaks for a row, as the score weighs it: by row, and what all rows of a question share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.reader import ArrayReader, Mask, Rows, RowScores
from core.retrieve.score.api_evidence import ApiEvidence
from core.retrieve.score.evidence import ClauseEvidence
from core.retrieve.score.standing import standing
from core.retrieve.understand.question import Question

_TENTH = 9


def of_rows(
    rows: Rows,
    order: RowScores,
    found: Sequence[ClauseEvidence],
    apis: ApiEvidence,
    reader: ArrayReader,
    allowed: Mask | None,
    breadth: float,
) -> dict[str, RowScores]:
    """By name: one number a row. `order` is what the rows are ranked by, best first; `found` is by
    clause of the question, the whole first."""
    wide = np.float32(breadth)
    files = derived(Elements, reader).file_of_row[rows]
    most = np.max(apis.totals, axis=0)
    features = {"name": apis.named[files], "home": apis.home[files]}
    features["home × breadth"] = wide * features["home"]
    features["API behind"] = most[files] - most.max(initial=0)
    features["lead"] = np.full_like(order, order[:1].sum() - order[: _TENTH + 1][-1:].sum())
    if apis.about is not None:
        features["about"] = apis.about[files]
    features |= _of_vectors(rows, found, allowed)
    features |= _of_second(rows, found, allowed, wide)
    return features | _of_words(rows, found, reader, wide)


def of_question(question: Question, breadth: float) -> dict[str, float]:
    """By name: what all rows share. `breadth` is how much depends on the right home."""
    asked = sum(not clause.is_ours for clause in question.clauses)
    return {
        "terms": float(np.log1p(len(question.terms[0]))),
        "clauses": float(np.log(max(1, asked))),
        "strange": question.strangeness,
        "breadth": breadth,
        "strange × breadth": question.strangeness * breadth,
    }


def _of_vectors(
    rows: Rows, found: Sequence[ClauseEvidence], allowed: Mask | None
) -> dict[str, RowScores]:
    whole = found[0].said.cosine
    if whole is None:
        return {}
    stands = standing(whole, allowed)
    return {
        "above the 20th": stands.above_deep(whole[rows]),
        "above the mean": stands.above_mean(whole[rows]),
    }


def _of_second(
    rows: Rows, found: Sequence[ClauseEvidence], allowed: Mask | None, wide: np.float32
) -> dict[str, RowScores]:
    whole = found[0].said.second
    if whole is None:
        return {}
    stands = standing(whole, allowed)
    most = np.max([e.said.second[rows] for e in found if e.said.second is not None], axis=0)
    return {
        "second": most,
        "second, whole": whole[rows],
        "second × breadth": wide * most,
        "second above the 20th": stands.above_deep(whole[rows]),
        "second above the mean": stands.above_mean(whole[rows]),
    }


def _of_words(
    rows: Rows, found: Sequence[ClauseEvidence], reader: ArrayReader, wide: np.float32
) -> dict[str, RowScores]:
    if found[0].said.words is None:
        return {}
    used = derived(WordsUsed, reader)
    each = used.coverage([evidence.terms for evidence in found], rows)
    most: RowScores = np.max(each, axis=0)
    return {"coverage": most, "coverage, whole": each[0], "coverage × breadth": wide * most}
