from __future__ import annotations

import pytest

from core.read.document import SpecReport
from core.sources.openapi.quality import ASKED, Documented, documentation, quality
from core.sources.openapi.report import _OPERATION_GAPS


def report(counts: dict[str, int], gaps: dict[str, int] | None = None) -> SpecReport:
    return SpecReport("a.json", "a", "3.1.0", "orjson", 1, counts, 0, 0, gaps=gaps or {})


def test_every_gap_that_a_report_names_is_asked_for() -> None:
    assert set(ASKED) == {*_OPERATION_GAPS.values(), "schemas without description"}


def test_webhooks_are_operations() -> None:
    told = documentation(
        report({"operations": 3, "webhooks": 1}, {"operations without summary": 1})
    )
    assert told[0] == Documented("operations with a summary", 3, 4)
    assert len(told) == 3


@pytest.mark.parametrize(
    ("counts", "gaps", "share"),
    [
        ({"operations": 2, "schemas": 2}, {}, 1.0),
        ({"schemas": 4}, {"schemas without description": 3}, 0.25),
        ({"operations": 1}, {"operations without summary": 1}, 2 / 3),
        ({}, {}, None),
    ],
    ids=["complete", "schemas only", "one lacks", "nothing to document"],
)
def test_quality_is_the_mean_of_the_shares(counts, gaps, share: float | None) -> None:
    assert quality(report(counts, gaps)) == (share if share is None else pytest.approx(share))
