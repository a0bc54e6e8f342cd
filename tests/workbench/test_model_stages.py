"""Each stage by a model that fails in each way: what goes on in its place, and what is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.model_double import Double, Said, as_json, doubling
from support.stores import QUICK, ingested, opened, plain, version

from core import Workbench
from core.model import KnowledgeContext

QUERY = "write users of Shop"
STAGES = {  # the setting → the stage in the trace
    "intent_by": "understand",
    "api_selection": "choose_apis",
    "query_expansion": "expand",
    "rerank": "rerank",
}
HALF = "\ud800"  # of a character, which JSON can spell and no text can hold
HALVES: dict[str, Any] = {
    "understand": {"intent": "endpoint", "sub_questions": [HALF], "confidence": 1},
    "choose_apis": {"selected_apis": ["shop"], "reasoning": HALF},
    "expand": {"expanded_query": "", "original_terms": [], "added_terms": [HALF]},
    "rerank": {"ids": [HALF]},
}


def halves(double: Double) -> Said:
    return as_json(HALVES[double.asked[-1].task])


FAILURES: dict[str, tuple[Callable[[Double], Said], str]] = {
    "late": (lambda double: double.hang(), "timeout"),
    "malformed": (lambda _: Said("I am only a language model."), "nonsense"),
    "truncated": (lambda _: Said('{"selected_apis": ["ba'), "nonsense"),
    "of another form": (lambda _: as_json({"answer": 42}), "nonsense"),
    "limited": (lambda _: Said(status=429, headers={"Retry-After": "60"}), "limited"),
    "broken": (lambda _: Said(status=500), "failed"),
    "refused": (lambda _: Said(status=401), "refused"),
    "dropped": (lambda _: Said("{}", breaks_off=True), "unreachable"),
    "without an end": (lambda _: Said('{"ids": ["' + "x" * 10_000_000), "nonsense"),
    "half a character": (halves, "nonsense"),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stages")
    with opened(folder / "store") as made:
        ingested(made, version(folder / "apis", 1))
    return folder / "store"


@pytest.fixture(scope="module")
def by_rules(store: Path) -> KnowledgeContext:
    with opened(store, expansion=0.3) as asked:
        return asked.retrieve(QUERY)


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubling(lambda _: Said()) as made:
        for name, value in {**made.environment, "LLM_CACHE": "false"}.items():
            monkeypatch.setenv(name, value)
        yield made


def asked_of(store: Path, *stages: str, **changes: Any) -> KnowledgeContext:
    by_model = dict.fromkeys(stages, "model")
    settings = QUICK.replace(llm_model="double", expansion=0.3, **by_model, **changes)
    with Workbench.open(store, settings=settings) as workbench:
        return workbench.retrieve(QUERY)


def found(context: KnowledgeContext) -> dict[str, Any]:
    """All of a context that the stages lead to, without what is told of the way."""
    values = plain(context, without=("flags",))
    del values["trace"]["consulted"], values["trace"]["notes"]
    return values


@pytest.mark.thorough
@pytest.mark.parametrize("way", FAILURES)
@pytest.mark.parametrize("stage", ["intent_by", "query_expansion", "rerank"])
def test_the_rules_go_on_as_if_no_model_had_been_asked(
    stage: str, way: str, store: Path, double: Double, by_rules: KnowledgeContext
) -> None:
    fails, reason = FAILURES[way]
    double.reply = lambda _: fails(double)
    context = asked_of(store, stage, llm_timeout_ms=50 if way == "late" else 60_000)
    [call] = context.trace.consulted
    assert (call.stage, call.failure) == (STAGES[stage], reason)
    assert context.retrieval_stats.flags == ("model_failed",)
    assert found(context) == found(by_rules)


@pytest.mark.thorough
@pytest.mark.parametrize("way", FAILURES)
def test_keywords_choose_where_the_model_does_not(way: str, store: Path, double: Double) -> None:
    fails, reason = FAILURES[way]
    double.reply = lambda _: fails(double)
    context = asked_of(store, "api_selection", llm_timeout_ms=50 if way == "late" else 60_000)
    [call] = context.trace.consulted
    assert (call.stage, call.failure) == ("choose_apis", reason)
    assert context.retrieval_stats.flags == ("api_selection_fallback", "model_failed")
    selection = context.trace.selection
    assert selection
    assert (selection.by, selection.selected_apis[0]) == ("keywords", "shop")
    assert "“shop”" in selection.reasoning
    assert context.primary_chunks


def test_a_retrieval_ends_within_its_own_time_whatever_the_model_does(
    store: Path, double: Double
) -> None:
    """The model would hang for a minute in each of four stages, and is given more."""
    double.reply = lambda _: double.hang()
    context = asked_of(store, *STAGES, llm_timeout_ms=600_000, timeout_ms=500)
    assert context.retrieval_stats.milliseconds["total"] < 60_000
    assert {call.failure for call in context.trace.consulted} == {"timeout"}
    assert len(double.asked) <= 1  # no time was left for the others


def test_off_is_as_before_whether_a_model_is_named_or_not(
    store: Path, by_rules: KnowledgeContext, double: Double
) -> None:
    context = asked_of(store)
    assert double.asked == []
    assert plain(context) == plain(by_rules)
    assert context.to_markdown() == by_rules.to_markdown()
