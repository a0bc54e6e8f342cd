"""How far a written question raises a row."""

from __future__ import annotations

import numpy as np
import pytest

from core.retrieve.score.evidence import ClauseEvidence, Said
from core.retrieve.score.written import nearest, strength

COSINES = np.linspace(0, 0.5, 101, dtype=np.float32)


def clause(*written: float, cosine: bool = True) -> ClauseEvidence:
    near = np.zeros(len(COSINES), np.float32)
    near[: len(written)] = written
    said = Said(cosine=COSINES if cosine else None, written=near if written else None)
    return ClauseEvidence((), said, None, COSINES)


def test_without_written_questions_nothing_is_said() -> None:
    assert strength([clause()], None) is None
    assert nearest([clause()], np.arange(3)) is None


def test_a_row_without_a_question_or_with_a_far_one_is_not_raised() -> None:
    found = strength([clause(0.0, 0.3)], None)
    assert found is not None
    assert found.max() == 0


def test_a_nearer_question_raises_more_up_to_a_bound() -> None:
    found = strength([clause(0.45, 0.6, 0.99, 1.0)], None)
    assert found is not None
    assert 0 < found[0] < found[1] <= found[2] == found[3] == 1


def test_the_clause_that_says_most_counts() -> None:
    found = strength([clause(0.5, 0.0), clause(0.0, 0.6)], None)
    alone = strength([clause(0.5, 0.6)], None)
    assert found is not None
    assert alone is not None
    assert found[:2].tolist() == pytest.approx(alone[:2].tolist())
    near = nearest([clause(0.5, 0.0), clause(0.0, 0.6)], np.array([1, 0]))
    assert near is not None
    assert near.tolist() == pytest.approx([0.6, 0.5])
