"""Questions that are asked under a filter of their own: read, refused, asked, swept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.larkfield import ADR, OLD, REQ, made

from core import Workbench
from core.errors import EvalSetError
from core.evaluate.results import SampleResult
from core.evaluate.sets import sets
from core.evaluate.sets.sample import EvalSet, Sample

SAMPLES = (
    Sample("type", "refunds", relevant=(REQ,), facets=("type=requirement",)),
    Sample("status", "refunds", relevant=(ADR,), facets=("status=proposed", "path=docs/")),
    Sample("history", "old payments", relevant=(OLD,), facets=("history=on",)),
    Sample("plain", "old payments", relevant=(OLD,)),
)
SET = EvalSet("facets", SAMPLES)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with made(tmp_path_factory.mktemp("asked")) as workbench:
        yield workbench


def test_a_question_without_facets_has_no_filter() -> None:
    assert SAMPLES[3].where is None
    assert SAMPLES[1].where == {
        "$and": [{"status": {"$in": ["proposed"]}}, {"path": {"$in": ["docs/"]}}]
    }


@pytest.mark.parametrize("suffix", [".yaml", ".json", ".jsonl", ".csv"])
def test_facets_survive_each_format(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"set{suffix}"
    file.write_text(sets.dump(SET, suffix))
    assert sets.read(file).samples == SAMPLES


@pytest.mark.parametrize(
    "wrong", ["status", "status=", "owner=me", "history=off", "deprecated=true"]
)
def test_what_is_no_facet_is_refused_with_its_place(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "set.yaml"
    file.write_text(f"samples:\n- query: x\n  facets: ['{wrong}']\n")
    with pytest.raises(EvalSetError, match=r"set\.yaml:3: facets: .* is no KEY=VALUE"):
        sets.read(file)


def test_each_is_asked_under_its_own_filter(store: Workbench) -> None:
    told = store.evaluate([SET], ragas=False, min_score=0.0, max_depth=0)
    results = (each for each in told if isinstance(each, SampleResult))
    found = {each.id: {element for element, _ in each.ranked} for each in results}
    assert found["type"] == {REQ}
    assert found["status"] == {ADR}
    assert OLD in found["history"]
    assert OLD not in found["plain"]


def test_a_sweep_asks_under_the_same_filters(store: Workbench) -> None:
    alone = store.settings.replace(min_score=0.0, max_depth=0, max_primary_results=5)
    rows = list(store.measured(SAMPLES, [alone]))
    recall = [row[0].metrics["context.recall"] for row in rows]
    assert recall == [1.0, 1.0, 1.0, 0.0]
