"""Evaluate with a model's double behind it: the cost is said first, and a budget ends a run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.model_double import Double, as_json, doubling

from core import Workbench
from core.jobs import JOBS

CREATE = "shop.json:paths/users/post"
SET = {
    "name": "paid",
    "samples": [
        {"id": f"{n}", "query": f"How do I create a user? {n}", "relevant": [CREATE]}
        for n in range(3)
    ],
}


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubling(lambda _: as_json({"selected_apis": ["shop"], "reasoning": "."})) as made:
        named = {"LLM_MODEL": "double", "LLM_CACHE": "false", "LLM_TIMEOUT_MS": "60000"}
        for name, value in {**made.environment, **named}.items():
            monkeypatch.setenv(name, value)
        yield made


def page(open_page: Any) -> Any:
    app = open_page("evaluate")
    app.multiselect(key="sets").set_value([]).run()
    app.get("file_uploader")[0].set_value([("paid.json", json.dumps(SET).encode(), "text/json")])
    return app.run()


def test_the_cost_is_said_before_and_a_budget_ends_both_runs(
    open_page: Any, double: Double, small_store: Path
) -> None:
    app = page(open_page)
    assert not app.exception
    said = next(c.value for c in app.caption if "at most" in c.value).replace("\\", "")
    assert re.search(r"3 questions: at most 3 calls, [\d,]+ tokens", said)
    assert double.asked == []
    app.number_input(key="token budget").set_value(200)
    app.toggle(key="ragas").set_value(False).run()
    next(b for b in app.button if b.label == "Rules vs. model").click().run()
    JOBS.wait(app.query_params["job"], 120)
    with Workbench.open(small_store) as workbench:
        newest = [workbench.runs.get(run.id) for run in workbench.runs.newest()[:2]]
        by_model = next(run for run in newest if run.settings["api_selection"] == "model")
        rules = next(run for run in newest if run.settings["api_selection"] == "rules")
        for run in newest:
            workbench.runs.delete(run.id)
    assert rules.complete
    assert len(rules.samples) == 3
    assert not by_model.complete
    assert 0 < len(by_model.samples) < 3
    assert "budget of 200 tokens" in by_model.problems[0]


def test_without_a_model_nothing_is_said_of_it(open_page: Any) -> None:
    app = open_page("evaluate")
    assert "Rules vs. model" not in [b.label for b in app.button]
    assert not any("at most" in c.value for c in app.caption)
