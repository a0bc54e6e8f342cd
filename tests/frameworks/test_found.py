"""What a retriever of any framework gives."""

from __future__ import annotations

import pytest

from core import SettingsError, Workbench
from core.frameworks.found import found

QUESTION = "write users of Shop"


@pytest.mark.parametrize("k", [1, 2, 3])
def test_at_most_so_many_and_results_first(workbench: Workbench, k: int) -> None:
    every = found(workbench, QUESTION, k=k, changes={})
    assert len(every) == k
    depths = [each.metadata["depth"] for each in every]
    assert depths == sorted(depths)


def test_a_setting_that_asks_for_fewer_results_holds(workbench: Workbench) -> None:
    every = found(workbench, QUESTION, k=3, changes={"max_primary_results": 1})
    assert [each.metadata["depth"] == 0 for each in every] == [True, False, False][: len(every)]


def test_a_reference_scores_as_the_result_that_needs_it(workbench: Workbench) -> None:
    every = found(workbench, QUESTION, changes={})
    results = {each.id: each.score for each in every if not each.metadata["via"]}
    referenced = [each for each in every if each.metadata["via"]]
    assert referenced
    assert all(each.score in results.values() for each in referenced)
    assert len(every) > len(results)


@pytest.mark.parametrize("wrong", [{"k": 0}, {"changes": {"max_depht": 1}}])
def test_a_wrong_number_or_name_is_said(workbench: Workbench, wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        found(workbench, QUESTION, **{"changes": {}, **wrong})  # type: ignore[arg-type]
