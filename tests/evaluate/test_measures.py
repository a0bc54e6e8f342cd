from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import CallError
from core.evaluate.measures import HEADLINE, MEASURE, MEASURES, measure

DOCS = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_names_are_unique_and_the_headline_exists() -> None:
    assert len(MEASURE) == len(MEASURES)
    assert set(HEADLINE) <= MEASURE.keys()


def test_the_docs_say_what_every_metric_means() -> None:
    assert [each.name for each in MEASURES if f"| `{each.name}` |" not in DOCS] == []


def test_a_metric_of_ragas_that_is_not_computed_names_those_that_are() -> None:
    with pytest.raises(CallError, match=r"with one \(`eval --judge`\), ragas\.context_precision"):
        measure("ragas.noise_sensitivity")


def test_an_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(CallError, match=r"Did you mean 'search\.recall@10'"):
        measure("search.recal@10")
