"""What each stage adds when a language model takes it, and what that costs.

    LLM_MODEL=… LLM_BASE_URL=… python -m benchmarks.models [--store FOLDER] [--set FILE]
    python -m benchmarks.models --good     # no model: answers made from the labels, the upper bound
    python -m benchmarks.models --small    # the model of the dependency group `small-model`

Without a store the samples are ingested into one of its own. Nothing is kept, so every call is paid
for: set a budget with LLM_BUDGET_TOKENS. Ends with status 1 where a model answered no call at all.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import small_model
from core import Workbench
from core.errors import ModelError
from core.evaluate.results import RunResult
from core.evaluate.sets.exchange import read
from core.evaluate.sets.sample import EvalSet, Sample
from core.llm import breaker
from core.llm.task import Reply, Task
from core.settings import Models, resolve
from core.tokens import counter
from core.workbench.model_desk import ModelDesk

ROOT = Path(__file__).parents[1]
SHOWN = ("search.hit@1", "search.recall@10", "context.recall", "api.chosen")
COSTS = ("cost.tokens_in", "cost.tokens_out", "cost.model_ms", "cost.failed")
ALL = {"intent_by": "model", "api_selection": "model", "query_expansion": "model"}
SMALL = {  # what it can read and write in bearable time
    "LLM_TIMEOUT_MS": "600000",
    "LLM_MAX_OUTPUT_TOKENS": "300",
    "API_INDEX_TOKENS": "1500",
}
STAGES: Mapping[str, Mapping[str, Any]] = {
    "rules": {},
    "choose, soft": {"api_selection": "model"},
    "choose, hard": {"api_selection": "model", "api_filter": "hard"},
    "expand": {"query_expansion": "model", "expansion": 0.3},
    "understand": {"intent_by": "model"},
    "rerank": {"rerank": "model"},
    "all four": {**ALL, "expansion": 0.3, "rerank": "model"},
}


class Good(ModelDesk):
    """In the model's place: what the labels of a question say a perfect model would answer."""

    def __init__(self, samples: Sequence[Sample], workbench: Workbench) -> None:
        super().__init__(Path(), os.environ)
        labels = workbench.labels()
        self.gold = {
            each.query: [labels.resolve(label, apis=each.apis) for label in each.relevant]
            for each in samples
        }
        self.intents = {sample.query: sample.intent or "general" for sample in samples}
        ids = {id for each in self.gold.values() for id in each}
        self.chunks = {id: workbench.look(id)[0] for id in ids}

    def ask(self, task: Task, models: Models, seconds: float) -> Reply:
        gold = self.gold.get(task.data["question"], [])
        terms = [self.chunks[id].operation_id or self.chunks[id].name for id in gold]
        apis = [self.chunks[id].source_file for id in gold]
        answers = {
            "understand": {
                "intent": self.intents.get(task.data["question"], "general"),
                "sub_questions": [],
                "confidence": 1.0,
            },
            "choose_apis": {"selected_apis": list(dict.fromkeys(apis)), "reasoning": "The labels."},
            "expand": {"expanded_query": "", "original_terms": [], "added_terms": terms},
            "rerank": {"ids": gold},
        }
        said = answers[task.name]
        return Reply(said, tokens("".join(m["content"] for m in task.messages)), tokens(str(said)))


tokens = counter("cl100k_base").count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--set", type=Path, default=ROOT / "eval_sets" / "samples.yaml")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=list(STAGES))
    parser.add_argument("--good", action="store_true")
    parser.add_argument("--small", action="store_true")
    given = parser.parse_args()
    with small_model.started() if given.small else nullcontext({}) as leads_to_it:
        os.environ.update({**SMALL, **leads_to_it} if given.small else {})
        measure(given)


def measure(given: argparse.Namespace) -> None:
    logging.disable(logging.WARNING)
    breaker.FAILURES = sys.maxsize  # every question is asked, however the last ones ended
    os.environ["LLM_CACHE"] = "false"
    settings = resolve({}, environment=os.environ).settings.replace(log_stats=False)
    if given.good:
        settings = settings.replace(llm_model="the labels")
    asked = read(given.set)
    step = max(1, len(asked.samples) // given.questions)
    asked = replace(asked, samples=asked.samples[::step][: given.questions])
    with tempfile.TemporaryDirectory() as scratch:
        store = given.store or Path(scratch) / "store"
        with Workbench.open(store, settings=settings) as workbench:
            if not given.store:
                for _ in workbench.ingest([ROOT / "samples"], formats=["api"]):
                    pass
            if given.good:
                workbench._models = Good(asked.samples, workbench)  # no endpoint says such things
            runs = {name: measured(workbench, asked, STAGES[name]) for name in given.stages}
            told(runs, len(asked.samples))
            if not given.good:
                answered(workbench, asked.samples[0].query)
    failed = [run.metrics["cost.failed"] for run in runs.values() if "cost.failed" in run.metrics]
    sys.exit(bool(failed) and min(failed) == 1.0)


def measured(workbench: Workbench, asked: EvalSet, changes: Mapping[str, Any]) -> RunResult:
    *_, run = workbench.evaluate([asked], ragas=False, remedies=False, **changes)
    assert isinstance(run, RunResult)
    return run


def told(runs: Mapping[str, RunResult], questions: int) -> None:
    print(f"{questions} questions")
    print(f"{'stage':14}" + "".join(f"{name:>18}" for name in (*SHOWN, *COSTS)))
    for name, run in runs.items():
        row = "".join(f"{run.metrics.get(each, float('nan')):18.3f}" for each in (*SHOWN, *COSTS))
        print(f"{name:14}{row}", *run.problems)


def answered(workbench: Workbench, query: str) -> None:
    """One streamed answer, and what it cites."""
    try:
        *pieces, whole = workbench.cited_answer(query)
    except ModelError as error:
        print(f"No answer: {error}")
        return
    known = sum(each.is_known for each in whole.citations) if not isinstance(whole, str) else 0
    print(f"{query}\n{''.join(map(str, pieces))}\n{len(pieces)} pieces, {known} known citations")


if __name__ == "__main__":
    main()
