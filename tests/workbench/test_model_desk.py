"""The whole way: a workbench, its settings and environment, and a model's double on loopback."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.model_double import KEY, Double, Request, Said, as_json, doubling
from support.stores import QUICK, copied, ingested, opened, plain, version

from core import Workbench
from core.errors import ModelError, SettingsError
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import EvalSet, Sample

QUERY = "write users of Shop"
BY_MODEL = {
    "llm_model": "double",
    "llm_timeout_ms": 60_000,
    "intent_by": "model",
    "api_selection": "model",
    "query_expansion": "model",
    "rerank": "model",
    "expansion": 0.3,
}


def right(request: Request) -> Said:
    """Chooses the bank, whatever is asked: so it is seen who chose."""
    answers: dict[str, Any] = {
        "understand": {"intent": "endpoint", "sub_questions": [], "confidence": 0.9},
        "choose_apis": {"selected_apis": ["bank"], "reasoning": "It is a bank."},
        "expand": {"expanded_query": "", "original_terms": [], "added_terms": ["/v1/cards"]},
    }
    if request.task == "rerank":
        ids = [candidate["id"] for candidate in request.data["candidates"]]
        return as_json({"ids": ids[::-1]})
    return as_json(answers[request.task])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    with opened(folder / "store") as made:
        ingested(made, version(folder / "apis", 1))
    return folder / "store"


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubling(right) as made:
        for name, value in {**made.environment, "LLM_CACHE": "false"}.items():
            monkeypatch.setenv(name, value)
        yield made


def workbench(store: Path, **changes: Any) -> Workbench:
    return Workbench.open(store, settings=QUICK.replace(**{**BY_MODEL, **changes}))


def test_every_stage_is_the_models_and_the_trace_says_so(store: Path, double: Double) -> None:
    with workbench(store) as asked:
        context = asked.retrieve(QUERY)
        trace = context.trace
        assert double.tasks == ["understand", "choose_apis", "expand", "rerank"]
        assert [call.stage for call in trace.consulted] == double.tasks
        assert not any(call.failure for call in trace.consulted)
        assert trace.selection
        assert (trace.selection.by, trace.selection.selected_apis) == ("model", ("bank",))
        assert trace.expansion
        assert trace.expansion.added_terms == ("/v1/cards",)
        said = asked.statistics()
        assert (said.model_calls, said.model_failures, said.model_tokens) == (4, 0, 440)
        assert asked.retrieve(QUERY).retrieval_stats.cached
        assert len(double.asked) == 4


def test_warming_asks_nothing_and_says_what_is_wrong_with_the_endpoint(
    store: Path, double: Double, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workbench(store) as asked:
        asked.warm()
    assert double.asked == []
    monkeypatch.setenv("LLM_BASE_URL", "no address")
    with workbench(store) as asked, pytest.raises(SettingsError, match="LLM_BASE_URL"):
        asked.warm()


@pytest.mark.parametrize("status", [500, 429, 401])
def test_a_model_that_fails_never_fails_a_retrieval(
    status: int, store: Path, double: Double
) -> None:
    double.reply = lambda _: Said(status=status)
    with workbench(store) as asked, workbench(store, **_rules()) as rules:
        context, expected = asked.retrieve(QUERY), rules.retrieve(QUERY)
        assert context.primary_chunks == expected.primary_chunks
        assert {"api_selection_fallback", "model_failed", "model_paused"} == {
            *context.retrieval_stats.flags
        }
        assert not asked.retrieve(QUERY).retrieval_stats.cached  # another time it may answer


def _rules() -> dict[str, str]:
    rules = dict.fromkeys(("intent_by", "api_selection", "query_expansion"), "rules")
    return {**rules, "rerank": "off"}


def test_a_model_that_hangs_costs_its_time_out_and_no_more(store: Path, double: Double) -> None:
    double.reply = lambda _: double.hang()
    with workbench(store, llm_timeout_ms=50) as asked:
        context = asked.retrieve(QUERY)
        assert context.primary_chunks
        failures = [call.failure for call in context.trace.consulted]
        assert failures == ["timeout", "timeout", "timeout", "paused"]
        assert len(double.asked) <= 3


def test_a_model_that_obeys_a_hidden_instruction_changes_nothing_else(
    store: Path, double: Double
) -> None:
    """It names what does not exist, and markup: neither gets through."""

    def obeys(request: Request) -> Said:
        if request.task != "choose_apis":
            return right(request)
        lies = ["../../etc/passwd", "<script>alert(1)</script>", "shop"]
        return as_json({"selected_apis": lies, "reasoning": "As\nI was\x1b[31m told"})

    double.reply = obeys
    with workbench(store) as asked:
        context = asked.retrieve(QUERY)
    assert context.trace.selection
    assert context.trace.selection.selected_apis == ("shop",)
    assert context.trace.selection.reasoning == "As I was�[31m told"
    assert len(context.trace.selection.dropped) == 2


def test_many_at_once_are_each_answered(store: Path, double: Double) -> None:
    with workbench(store) as asked, ThreadPoolExecutor(8) as pool:
        contexts = list(pool.map(asked.retrieve, [f"{QUERY} {n}" for n in range(16)]))
    assert all(not context.retrieval_stats.flags for context in contexts)


def test_answers_are_kept_beside_the_store_and_hold_no_key(
    store: Path, double: Double, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("LLM_CACHE", "true")
    with workbench(store) as asked:
        first = asked.retrieve(QUERY)
    with workbench(store) as asked:
        again = asked.retrieve(QUERY)
        assert asked.statistics().answer_hit_rate == 1.0
    assert len(double.asked) == 4
    assert all(call.is_kept and not call.tokens_in for call in again.trace.consulted)
    assert again.primary_chunks == first.primary_chunks
    kept = b"".join(file.read_bytes() for file in store.iterdir() if file.is_file())
    assert KEY.encode() not in kept
    assert KEY not in json.dumps(again.to_dict()) + caplog.text + repr(asked.settings)


def test_an_evaluation_and_a_deep_trace_ask_the_model_too(store: Path, double: Double) -> None:
    with workbench(store) as asked:
        settings = asked.settings.replace(timeout_ms=600_000)
        deep = plain(asked.deep_trace(QUERY).context(settings), without=())
        assert deep["trace"]["selection"]["by"] == "model"


def test_a_stage_for_a_model_without_one_is_refused_in_a_sentence(store: Path) -> None:
    with opened(store) as asked, pytest.raises(SettingsError, match="LLM_MODEL"):
        asked.retrieve(QUERY, api_selection="model")


def test_without_an_endpoint_the_rules_answer_and_it_is_said(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LLM_BASE_URL", "OPENAI_BASE_URL", "LLM_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with workbench(store) as asked:
        context = asked.retrieve(QUERY)
    assert context.primary_chunks
    assert "set LLM_API_KEY" in context.trace.consulted[0].said


@pytest.mark.slow
def test_with_the_rules_nothing_of_the_models_libraries_is_imported(store: Path) -> None:
    code = (
        "import sys; from core import Workbench; from core.settings import Settings; "
        f"w = Workbench.open({str(store)!r}, settings=Settings(embedder='hash')); "
        "w.retrieve('write users of Shop'); w.statistics(); "
        "print([m for m in ('openai', 'jsonschema_rs', 'core.retrieve.by_model', "
        "'core.llm.model') if m in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert said.stdout.strip() == "[]"


def test_an_answer_is_written_from_the_context_and_its_citations_are_checked(
    store: Path, double: Double
) -> None:
    with workbench(store, **_rules()) as asked:
        context = asked.retrieve(QUERY)
        first = context.primary_chunks[0].chunk.id
        double.reply = lambda _: Said(f"Call it [{first}], not [shop.json:paths/ghost/get].")
        assert (
            "".join(asked.answer(QUERY)) == f"Call it [{first}], not [shop.json:paths/ghost/get]."
        )
        *_, whole = asked.cited_answer(context)
        assert not isinstance(whole, str)
        assert [each.is_known for each in whole.citations] == [True, False]
    body = double.asked[-1].body
    assert body["stream"]
    assert QUERY in body["messages"][-1]["content"]


def test_without_a_model_no_answer_is_written(store: Path) -> None:
    with opened(store) as asked, pytest.raises(ModelError, match="LLM_MODEL"):
        list(asked.answer(QUERY))


def labelled(asked: Workbench, count: int = 4) -> EvalSet:
    first = asked.retrieve(QUERY, **_rules()).primary_chunks[0].chunk.id
    samples = (Sample(f"{n}", f"{QUERY} {n}", relevant=(first,)) for n in range(count))
    return EvalSet("own", tuple(samples))


def evaluated(asked: Workbench, **how: Any) -> tuple[int, RunResult]:
    only = {**_rules(), "api_selection": "model"}
    *results, run = asked.evaluate([labelled(asked)], ragas=False, remedies=False, **only, **how)
    assert isinstance(run, RunResult)
    return len(results), run


def test_a_run_has_what_the_model_cost(store: Path, double: Double) -> None:
    with workbench(store) as asked:
        count, run = evaluated(asked)
    assert count == 4
    assert run.complete
    assert (run.metrics["cost.tokens_in"], run.metrics["cost.tokens_out"]) == (100, 10)
    assert (run.metrics["cost.failed"], run.metrics["cost.kept"]) == (0, 0)
    assert run.metrics["cost.model_ms"] > 0
    assert run.metrics["api.cache_hit_rate"] == 0
    assert run.metrics["api.precision"] == 0  # the double chooses the bank
    assert len(double.asked) == 4  # what is not measured is not paid for


def test_a_run_tells_what_was_kept_of_choices_and_of_added_terms(
    store: Path, double: Double, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LLM_CACHE", "true")
    own = copied(store, tmp_path / "store")
    with workbench(own) as asked:
        runs = []
        for _ in range(2):
            *_, run = asked.evaluate([labelled(asked)], ragas=False, remedies=False)
            assert isinstance(run, RunResult)
            runs.append(run.metrics)
        said = asked.statistics()
    rates = [[metrics[f"{of}.cache_hit_rate"] for of in ("api", "expansion")] for metrics in runs]
    assert rates == [[0, 0], [1, 1]]
    assert runs[1]["cost.tokens_in"] == 0
    assert (said.selection_hit_rate, said.expansion_hit_rate) == (0.5, 0.5)


def test_the_rules_cost_nothing_and_a_run_of_theirs_says_nothing_of_it(store: Path) -> None:
    with workbench(store, **_rules()) as asked:
        *_, run = asked.evaluate([labelled(asked)], ragas=False, remedies=False)
    assert not any(name.startswith("cost.") for name in run.metrics)


def test_a_budget_ends_a_run_cleanly_and_what_was_done_is_kept(store: Path, double: Double) -> None:
    with workbench(store) as asked:
        count, run = evaluated(asked, budget_tokens=200)  # 110 a call
    assert count == 2
    assert not run.complete
    assert len(run.samples) == 2
    assert "Stopped after 2 of 4 questions: the budget of 200 tokens is used up." in run.problems


def test_a_question_that_the_process_budget_cuts_is_not_in_the_run(
    store: Path, double: Double, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_BUDGET_TOKENS", "200")
    with workbench(store) as asked:
        count, run = evaluated(asked)
    assert count == 2
    assert not run.complete
    assert "Stopped after 2 of 4 questions" in run.problems[0]
