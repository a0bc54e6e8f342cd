"""The cost of an evaluation is known, as an upper bound, before it begins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.stores import QUICK, ingested, opened, version

from core import Workbench
from core.retrieve.by_model.estimate import Estimate


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder: Path = tmp_path_factory.mktemp("estimate")
    with opened(folder / "store", llm_model="double") as made:
        ingested(made, version(folder / "apis", 1))
        yield made


def test_the_rules_cost_nothing(workbench: Workbench) -> None:
    assert workbench.model_cost(10) == (Estimate(0, 0, 0), 0.0)


def test_each_stage_that_a_model_takes_adds_a_call_a_question(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_PRICE_OUT", "10")
    one, usd = workbench.model_cost(10, api_selection="model")
    assert (one.calls, one.tokens_out) == (10, 10 * QUICK.llm_max_output_tokens)
    assert one.tokens_in > 10 * 100
    assert usd == pytest.approx(one.tokens_out * 10 / 1e6)
    two, _ = workbench.model_cost(10, api_selection="model", intent_by="model", rerank="model")
    assert two.calls == 30
    assert two.tokens > one.tokens


def test_a_stage_that_is_switched_off_otherwise_costs_nothing(workbench: Workbench) -> None:
    assert workbench.model_cost(10, query_expansion="model", expansion=0.0)[0].calls == 0
    assert workbench.model_cost(10, query_expansion="model", expansion=0.3)[0].calls == 10
    assert workbench.model_cost(10, api_selection="model", api_filter="off")[0].calls == 0
