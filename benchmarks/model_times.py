"""What stages by a model take beside the model: `python -m benchmarks.model_times`.

The model is the tests' double on loopback, which answers at once, after half a second, or never.
Milliseconds, medians; the samples are ingested into a store of its own.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from core import Workbench
from core.evaluate.sets.sets import read
from core.llm import breaker
from core.settings import RULES, Settings
from tests.support.model_double import Double, Request, Said, as_json, doubling

ROOT = Path(__file__).parents[1]
AT_ONCE, SLOW_S = 16, 0.5
STAGES = [*RULES]
OFF: Mapping[str, Any] = {"llm_model": "", "expansion": 0.3}
ANSWERS: Mapping[str, Any] = {
    "understand": {"intent": "endpoint", "sub_questions": [], "confidence": 0.9},
    "choose_apis": {"selected_apis": ["shop"], "reasoning": "It sells."},
    "expand": {"expanded_query": "", "original_terms": [], "added_terms": ["/users"]},
}


def right(request: Request) -> Said:
    if request.task == "rerank":
        return as_json({"ids": [candidate["id"] for candidate in request.data["candidates"]]})
    return as_json(ANSWERS[request.task])


@contextmanager
def opened(store: Path, **changes: Any) -> Iterator[Workbench]:
    settings = Settings(log_stats=False, second_look="off", cache_size=0, expansion=0.3)
    with Workbench.open(store, settings=settings.replace(**changes)) as workbench:
        workbench.retrieve("warm")
        yield workbench


def took(workbench: Workbench, query: str, **changes: Any) -> float:
    begun = time.perf_counter()
    workbench.retrieve(query, **changes)
    return (time.perf_counter() - begun) * 1000


def beside_each_other(workbench: Workbench, queries: Sequence[str], ways: Sequence[Any]) -> None:
    """Each question in every way, by turns, so that a busy machine meets all of them alike."""
    times = [[took(workbench, query, **way) for way in ways] for query in queries]
    rules = median(row[0] for row in times)
    print(f"{'the rules, no model named':34}{rules:8.2f}")
    for at, way in enumerate(ways[1:], start=1):
        name = ", ".join(stage for stage in way if way[stage] == "model") or "the rules, one named"
        more = median(row[at] - row[0] for row in times)
        print(f"{name:34}{median(row[at] for row in times):8.2f}{more:+8.2f}")


def main() -> None:
    logging.disable(logging.WARNING)
    queries = [sample.query for sample in read(ROOT / "eval_sets" / "samples.yaml").samples]
    named = {"llm_model": "double"}
    with tempfile.TemporaryDirectory() as scratch, doubling(right) as double:
        os.environ.update(double.environment, LLM_CACHE="false", LLM_CONCURRENCY="8")
        store = Path(scratch) / "store"
        with Workbench.open(store, settings=Settings(log_stats=False)) as made:
            for _ in made.ingest([ROOT / "samples"], formats=["api"]):
                pass
        with opened(store, **named) as workbench:
            stages = [{stage: "model"} for stage in STAGES]
            ways = [OFF, {}, *stages, dict.fromkeys(STAGES, "model")]
            beside_each_other(workbench, queries, ways)
        hanging(store, double, queries[-breaker.FAILURES :])
        with opened(store, **named, llm_timeout_ms=3_000) as workbench:
            double.reply = lambda request: (time.sleep(SLOW_S), right(request))[1]
            with ThreadPoolExecutor(AT_ONCE) as pool:
                begun = time.perf_counter()
                ask = lambda query: workbench.retrieve(query, api_selection="model")  # noqa: E731
                flags = [c.retrieval_stats.flags for c in pool.map(ask, queries[:AT_ONCE])]
            seconds = time.perf_counter() - begun
        failed = sum(map(bool, flags))
        how = f"{AT_ONCE} at once, {SLOW_S} s a call, LLM_CONCURRENCY=8"
        print(f"{how}: {seconds:.2f} s, {failed} failed")


def hanging(store: Path, double: Double, queries: Sequence[str]) -> None:
    changes = {"llm_model": "double", "api_selection": "model", "llm_timeout_ms": 500}
    with opened(store) as workbench:
        took(workbench, "warm", **changes)  # the client is made once
        double.reply = lambda _: double.hang()
        rules = [took(workbench, query) for query in queries]
        late = [took(workbench, query, **changes) for query in queries]
        again = [took(workbench, query, **changes) for query in queries]
    costs = (
        f"{median(a - b for a, b in zip(each, rules, strict=True)):+.0f}" for each in (late, again)
    )
    print("hangs, LLM_TIMEOUT_MS=500: {}, asked again {}".format(*costs))


if __name__ == "__main__":
    main()
