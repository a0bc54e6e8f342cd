from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.retrieved import ERRORS, A, B, C, D, E, chunk, context, labels

from core.errors import EvalSetError
from core.evaluate.compare.summary import latencies
from core.evaluate.results import CauseRemedy, Remedy, RunResult, SampleResult
from core.evaluate.run import deep_enough, evaluate, merged, run
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import EvalSet, Sample
from core.model import Chunk, KnowledgeContext
from core.settings import Settings

SAMPLES = (
    Sample("one", "create", relevant=("shop.json POST /users", D), tags=("x",), intent="endpoint"),
    Sample("two", "list", relevant=(B,), tags=("x", "y")),
    Sample("three", "nothing", tags=("no-answer",)),
)
SET = EvalSet("small", SAMPLES, "small.yaml")
ANSWERS = {
    "create": context([ERRORS, C], references={D: (A,)}),
    "list": context([C, B], primary=1),
    "nothing": context([]),
}


def retrieve(query: str) -> KnowledgeContext:
    return ANSWERS[query]


def whole(*sets: EvalSet, ragas: bool = False, **details: object) -> RunResult:
    events = run(
        sets or (SET,),
        retrieve=retrieve,
        labels=labels(),
        settings=Settings(),
        store={"generation": "7"},
        ragas=ragas,
        **details,  # type: ignore[arg-type]
    )
    *results, last = events
    assert all(isinstance(result, SampleResult) for result in results)
    assert isinstance(last, RunResult)
    return last


def test_a_run_is_the_macro_average_with_its_counts_slices_and_origin() -> None:
    found = whole()
    assert [sample.id for sample in found.samples] == ["one", "two", "three"]
    assert found.metrics["context.recall"] == pytest.approx((1.0 + 0.0) / 2)
    assert found.metrics["search.mrr"] == pytest.approx((1.0 + 1 / 2) / 2)
    assert found.counts["search.mrr"] == 2  # the third has no gold
    assert found.metrics["no_answer.accuracy"] == 1.0
    assert found.counts["no_answer.accuracy"] == 1
    assert found.slices["tag: y"]["search.mrr"] == 1 / 2
    assert found.slice_sizes == {
        "api: shop": 2,
        "intent: endpoint": 1,
        "tag: no-answer": 1,
        "tag: x": 2,
        "tag: y": 1,
    }
    low, high = found.intervals["search.mrr"]
    assert low <= found.metrics["search.mrr"] <= high
    assert found.settings["max_depth"] == 3
    assert found.store == {"generation": "7"}
    assert found.set_hash == SET.content_hash
    assert found.metrics["latency.p50_ms"] > 0


def test_the_time_of_a_stage_is_the_mean_of_those_that_went_through_it() -> None:
    def timed(query: str) -> KnowledgeContext:
        times = {"create": {"search": 2.0, "follow": 1.0, "total": 9.0}, "list": {"search": 4.0}}
        stats = replace(ANSWERS[query].retrieval_stats, milliseconds=times.get(query, {}))
        return replace(ANSWERS[query], retrieval_stats=stats)

    *_, found = run(
        (SET,), retrieve=timed, labels=labels(), settings=Settings(), store={}, ragas=False
    )
    assert isinstance(found, RunResult)
    assert (found.metrics["latency.search_ms"], found.metrics["latency.follow_ms"]) == (3.0, 1.0)
    assert "latency.total_ms" not in found.metrics
    assert found.samples[0].stages == {"search": 2.0, "follow": 1.0}


def test_what_is_not_measured_may_be_asked_otherwise() -> None:
    asked: list[str] = []

    def counted(query: str) -> KnowledgeContext:
        asked.append(query)
        return ANSWERS[query]

    how = {"labels": labels(), "settings": Settings(), "store": {}, "ragas": False}
    list(run((SET,), retrieve=counted, warm=retrieve, **how))  # type: ignore[arg-type]
    assert asked == [sample.query for sample in SAMPLES]


def test_a_run_survives_json() -> None:
    found = whole()
    assert RunResult.from_dict(found.to_dict(), "test") == found


@pytest.mark.parametrize(
    "values", [{}, {"samples": 1}, {"samples": [{}]}, {"metrics": {"a": "b"}, "samples": []}]
)
def test_what_is_no_run_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(EvalSetError, match=r"file\.json: this is not an evaluation run"):
        RunResult.from_dict(values, "file.json")


def test_results_come_one_by_one_and_the_caller_may_stop() -> None:
    asked: list[str] = []

    def noted(query: str) -> KnowledgeContext:
        asked.append(query)
        return ANSWERS[query]

    results = evaluate(SAMPLES, noted, labels())
    next(results)
    assert asked == ["create"]


def test_stopping_ends_the_process_that_ragas_runs_in(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def sleeper(*_: object, **options: object) -> subprocess.Popen[bytes]:
        code = "import sys; sys.stdin.read()"
        started.append(popen([sys.executable, "-c", code], **options))  # type: ignore[call-overload]
        return started[0]

    monkeypatch.setattr("core.evaluate.score.ragas_metrics.subprocess.Popen", sleeper)
    events = run((SET,), retrieve=retrieve, labels=labels(), settings=Settings(), store={})
    assert isinstance(events, Iterator)
    next(events)
    assert started[0].poll() is None
    events.close()  # type: ignore[attr-defined]
    assert started[0].poll() is not None


def test_an_unknown_label_stops_a_run_before_the_first_question() -> None:
    wrong = EvalSet("wrong", (Sample("1", "create", relevant=("nope",)),), "wrong.yaml")
    with pytest.raises(EvalSetError, match=r"wrong\.yaml: 1: 'nope' is not in the store"):
        whole(wrong)


def test_several_sets_are_merged_and_clashing_ids_are_told_apart() -> None:
    other = EvalSet("other", (Sample("one", "list", relevant=(B,)), Sample("4", "nothing")))
    assert [sample.id for sample in merged((SET, other))] == [
        "small/one",
        "two",
        "three",
        "other/one",
        "4",
    ]
    found = whole(SET, other)
    assert found.name == "small + other"
    assert len(found.samples) == 5


def test_ids_stay_apart_where_sets_have_the_same_name() -> None:
    ids = [sample.id for sample in merged((SET, SET))]
    assert len(set(ids)) == 6
    assert ids[3:] == ["small/one (2)", "small/two (2)", "small/three (2)"]


def test_candidates_reach_the_deepest_cutoff() -> None:
    assert deep_enough(Settings()) == Settings()
    narrow = Settings(max_primary_results=3)
    assert deep_enough(narrow) == narrow.replace(overfetch=4)


class Advice:
    """What `Remedies` does, without a store."""

    def of_one(self, result: SampleResult, /) -> SampleResult:
        remedy = Remedy({"max_depth": 9}, 100)
        return replace(result, misses=tuple(replace(m, remedy=remedy) for m in result.misses))

    def of_all(self, results: Sequence[SampleResult], /) -> tuple[CauseRemedy, ...]:
        misses = [miss for result in results for miss in result.misses]
        return (CauseRemedy(misses[0].cause, {"max_depth": 9}, len(misses), 9, 100.0, 3),)


def test_what_would_take_a_missed_label_in_is_part_of_the_run() -> None:
    found = whole(help=Advice())
    [remedy] = [miss.remedy for sample in found.samples for miss in sample.misses]
    assert remedy == Remedy({"max_depth": 9}, 100)
    assert [(each.taken, each.of) for each in found.remedies] == [(1, 9)]
    assert RunResult.from_dict(found.to_dict(), "test") == found


def test_percentiles_are_nearest_ranks() -> None:
    found = latencies([float(n) for n in range(100, 0, -1)])
    assert found == {
        "latency.p50_ms": 50,
        "latency.p95_ms": 95,
        "latency.p99_ms": 99,
        "latency.mean_ms": 50.5,
        "latency.max_ms": 100,
    }
    assert latencies([]) == {}
    assert latencies([7.0])["latency.p50_ms"] == 7.0


# --- ragas, really: one process for all of it, because its import takes seconds ----------------


def lookup(ids: object) -> dict[str, Chunk]:
    return {each: chunk(each) for each in ids}  # type: ignore[attr-defined]


@pytest.mark.slow
def test_ragas_computes_its_metrics_in_a_process_of_its_own() -> None:
    empty = Sample("empty", "nothing", relevant=(A,))
    more = tuple(replace(SAMPLES[n % 2], id=f"more-{n}") for n in range(500))
    found = whole(EvalSet("large", (*SAMPLES, empty, *more)), ragas=True, lookup=lookup)
    assert "ragas" not in sys.modules
    one, two, three, none, *_ = (_ragas(sample.metrics) for sample in found.samples)
    # one: gold A and D; context A (its errors part), C and D
    assert one["id_based_context_recall"] == 1.0
    assert one["id_based_context_precision"] == pytest.approx(2 / 3)
    assert one["non_llm_context_recall"] == 1.0  # by text; the errors part has the text of A
    assert one["non_llm_context_precision_with_reference"] == pytest.approx((1 + 2 / 3) / 2)
    assert two["id_based_context_recall"] == two["id_based_context_precision"] == 0.0
    assert three == {}  # no gold
    assert set(none.values()) == {0.0}  # where ragas says NaN, or raises
    assert found.metrics["ragas.id_based_context_recall"] == found.metrics["context.recall"]


def _ragas(metrics: Mapping[str, float]) -> dict[str, float]:
    return {k.removeprefix("ragas."): v for k, v in metrics.items() if k.startswith("ragas.")}


def test_a_ragas_that_cannot_be_imported_is_said_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    popen = subprocess.Popen

    def broken(*_: object, **options: object) -> subprocess.Popen[bytes]:
        code = "raise ImportError('No module named ragas')"
        return popen([sys.executable, "-c", code], **options)  # type: ignore[call-overload]

    monkeypatch.setattr("core.evaluate.score.ragas_metrics.subprocess.Popen", broken)
    found = whole(ragas=True)
    (problem,) = found.problems
    assert re.search(r"ragas could not .*No module named ragas.*--no-ragas", problem)
    assert found.metrics["search.mrr"] == pytest.approx(0.75)  # the rest stands
    assert "ragas.id_based_context_recall" not in found.metrics


def test_labels_need_only_facts() -> None:
    assert Labels([chunk(E)]).resolve("POST /users") == E


@pytest.mark.parametrize("odd", ["nan", "inf", float("nan")])
def test_a_figure_that_is_no_number_is_refused(odd: object) -> None:
    values = whole().to_dict()
    values["metrics"] = {"search.mrr": odd}
    with pytest.raises(EvalSetError, match="is not a finite number"):
        RunResult.from_dict(values, "file.json")


@pytest.mark.parametrize("odd", [1e308, -11, "nan"])
def test_a_share_that_no_score_can_have_is_refused(odd: object) -> None:
    values: Any = whole().to_dict()
    values["samples"][0]["context"][0]["shares"] = {"semantic": odd}
    with pytest.raises(EvalSetError, match=r"file\.json: this is not an evaluation run"):
        RunResult.from_dict(values, "file.json")
