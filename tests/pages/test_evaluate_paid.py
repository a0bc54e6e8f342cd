"""Evaluate with a model's double behind it: the cost is said first, and a budget ends a run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.model_double import Double, Request, Said, as_json, doubling

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


def said(app: Any) -> str:
    return next(c.value for c in app.caption if "at most" in c.value).replace("\\", "")


def judged(request: Request) -> Said:
    answers: dict[str, Any] = {
        "write_answer": {"answer": "By POST /users."},
        "judge_context": {"useful": [1], "statements": 2, "supported": 1},
        "judge_answer": {"statements": 1, "supported": 1, "questions": ["How to sign up?"]},
    }
    return as_json(answers[request.task])


def test_the_cost_is_said_before_and_a_budget_ends_both_runs(
    open_page: Any, double: Double, small_store: Path
) -> None:
    app = page(open_page)
    assert not app.exception
    assert re.search(r"3 questions: at most 3 calls, [\d,]+ tokens", said(app))
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


def test_a_judge_is_asked_only_where_one_is_named_and_its_cost_is_said_before(
    open_page: Any, double: Double, small_store: Path
) -> None:
    double.reply = judged
    app = page(open_page)
    assert "judge" not in said(app)
    app.text_input(key="judge").set_value("a-judge").run()
    assert re.search(r"a-judge as the judge of 3 questions: at most 21 calls, [\d,]+", said(app))
    assert double.asked == []
    app.toggle(key="ragas").set_value(False).run()
    next(b for b in app.button if b.label == "Run").click().run()
    JOBS.wait(app.query_params["job"], 120)
    app = app.run()
    assert not app.exception
    assert len(double.asked) == 21
    assert {request.body["model"] for request in double.asked} == {"a-judge"}
    captions = [each.value.replace("\\", "") for each in app.caption]
    assert "The judge read 2,100 tokens and wrote 210." in captions
    with Workbench.open(small_store) as workbench:
        (run, *_) = workbench.runs.newest()
        workbench.runs.delete(run.id)
    assert run.metrics["ragas.context_recall"] == 0.5


def test_without_a_model_nothing_is_said_of_it(open_page: Any) -> None:
    app = open_page("evaluate")
    assert "Rules vs. model" not in [b.label for b in app.button]
    assert not any("at most" in c.value for c in app.caption)
