"""Every boundary of coverage."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.knowledge.coverage import coverage
from core.knowledge.limits import KnowledgeLimits


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0.75, 0.75, 0.75], "high"),
        ([0.75, 0.75, 0.74], "medium"),
        ([0.9, 0.9], "medium"),
        ([0.7, 0.7, 0.7], "medium"),
        ([0.6], "medium"),
        ([0.59, 0.59, 0.59], "low"),
        ([0.4], "low"),
        ([0.39], "none"),
        ([0.0], "none"),
        ([], "none"),
        ([1.0, 1.0, 1.0, 0.1], "high"),
    ],
)
def test_boundaries(scores: Sequence[float], expected: str) -> None:
    assert coverage(scores, KnowledgeLimits()) == expected


def test_the_thresholds_are_settings() -> None:
    limits = KnowledgeLimits.from_environment({"KNOWLEDGE_HIGH": "0.5", "KNOWLEDGE_LOW": "0.1"})
    assert coverage([0.5, 0.5, 0.5], limits) == "high"
    assert coverage([0.1], limits) == "low"
