"""A run with a judge, the whole way: a model's double on loopback, its cost said and bounded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.commands import Say, calling
from support.model_double import Double, Request, Said, as_json, doubled
from support.tiny_specs import SHOP

from core.errors import NotAllowed
from core.workbench.attended import Person, attended
from core.workbench.workbench import Workbench

CREATE = "shop.json:paths/users/post"
SET = {
    "name": "judged",
    "samples": [
        {"id": f"{n}", "query": f"How do I create a user? {n}", "relevant": [CREATE]}
        for n in range(3)
    ],
}


def right(request: Request) -> Said:
    answers: dict[str, Any] = {
        "write_answer": {"answer": "By POST /users."},
        "judge_context": {"useful": [1], "statements": 2, "supported": 1},
        "judge_answer": {"statements": 1, "supported": 1, "questions": ["How do I create a user?"]},
    }
    return as_json(answers[request.task])


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubled(monkeypatch, right) as made:
        yield made


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Say]:
    call = calling(tmp_path, monkeypatch, capfd, {"shop.json": SHOP, "set.json": SET})
    assert call("ingest", "shop.json")[0] == 0
    return call


ASK = ("eval", "set.json", "--no-ragas", "--no-remedies", "--json")


def test_a_run_has_the_judges_figures_and_said_its_cost_before(
    cli: Callable[..., Say], double: Double
) -> None:
    status, out, told = cli(*ASK, "--judge", "a-judge", "--judge-repeats", "2")
    assert status == 0
    assert "asked at most 15 times" in told
    assert len(double.asked) == 3 * (1 + 2 * 2)
    assert {request.body["model"] for request in double.asked} == {"a-judge"}
    metrics = json.loads(out)["metrics"]
    assert metrics["ragas.context_precision"] == 1.0
    assert metrics["ragas.context_recall"] == 0.5
    assert metrics["ragas.faithfulness"] == 1.0
    assert 0.5 < metrics["ragas.answer_relevancy"] <= 1.0
    assert 0 < metrics["judge.agreement"] <= 1.0
    assert (metrics["judge.deviation"], metrics["judge.failed"]) == (0.0, 0.0)
    assert (metrics["judge.tokens_in"], metrics["judge.tokens_out"]) == (500, 50)


def test_what_the_judge_cost_is_saved_and_in_every_summary(
    cli: Callable[..., Say], double: Double, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_PRICE_IN", "1000")
    judge = ("--judge", "a-judge", "--judge-repeats", "1", "--save", "--summary", "summary.md")
    _, out, _ = cli(*ASK[:-1], *judge)
    cost = "The judge read 900 tokens and wrote 90, $0.9000."
    assert cost in out
    assert cost in Path("summary.md").read_text("utf-8")
    with Workbench.open(".specloupe") as workbench:
        (saved,) = workbench.runs.newest()
        assert saved.paid == cost


def test_off_it_asks_nothing_and_adds_nothing(cli: Callable[..., Say], double: Double) -> None:
    _, out, _ = cli(*ASK)
    assert double.asked == []
    assert not [name for name in json.loads(out)["metrics"] if name.startswith("judge.")]


def test_a_budget_ends_it_with_what_was_judged(cli: Callable[..., Say], double: Double) -> None:
    status, out, told = cli(*ASK, "--judge", "a-judge", "--budget-tokens", "200")
    assert status == 0
    assert "Stopped after 1 of 3 questions" in told
    assert len(json.loads(out)["samples"]) == 1


def test_a_judge_that_fails_costs_no_question(cli: Callable[..., Say], double: Double) -> None:
    double.reply = lambda _: Said(status=500)
    status, out, _ = cli(*ASK, "--judge", "a-judge")
    assert status == 0
    metrics = json.loads(out)["metrics"]
    assert metrics["judge.failed"] == 1.0
    assert "ragas.faithfulness" not in metrics
    assert metrics["context.recall"] == 1.0


def test_whoever_may_only_look_asks_no_judge(cli: Callable[..., Say]) -> None:
    with Workbench.open(".specloupe") as workbench:
        looking = attended(workbench, Person(why_not="You may only look."))
        with pytest.raises(NotAllowed):
            looking.evaluate([], judge="a-judge")
