"""What an evaluation does in the background: ask every question, then save the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any, cast

from core import Workbench
from core.errors import StoreBusy
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import EvalSet
from core.jobs import JOBS, Step, Work
from core.settings import RULES, Value
from ui.shared.stoppable import stoppable

LOOK_S = 0.5  # for which saving waits at a time


def start(
    workbench: Workbench,
    eval_sets: Sequence[EvalSet],
    variants: Sequence[Mapping[str, Value]],
    *,
    ragas: bool,
    budget: int = 0,
    judge: str = "",
) -> str:
    """Evaluate these sets once with each variant of the settings; gives the job's id.

    `budget` is of tokens for each run, 0 none: a run that has used it up is of what was asked.
    `judge` names a model that judges each question, "" none.
    Raises SettingsError for settings that contradict each other, StoreBusy while another runs, and
    StoreError where what comes out could not be saved.
    """
    for changes in variants:
        workbench.settings.replace(**changes)
    with suppress(StoreBusy):  # for that one can wait
        workbench.runs.check_writable(busy_s=LOOK_S)
    names = " + ".join(each.name for each in eval_sets)
    return JOBS.start(
        workbench.store,
        names,
        lambda: evaluation(workbench, eval_sets, variants, ragas=ragas, budget=budget, judge=judge),
        total=len(variants) * sum(len(each.samples) for each in eval_sets),
    )


def evaluation(
    workbench: Workbench,
    eval_sets: Sequence[EvalSet],
    variants: Sequence[Mapping[str, Value]],
    *,
    ragas: bool,
    budget: int = 0,
    judge: str = "",
) -> Work:
    """One step per question; the runs are saved together at the end, or none if it is stopped.

    It can be stopped at any moment, also while one question, or ragas, takes long.
    """
    runs, step = [], Step(0)
    last = sum(len(each.samples) for each in eval_sets)
    for changes in variants:
        asked = partial(
            workbench.evaluate,
            eval_sets,
            ragas=ragas,
            budget_tokens=budget,
            judge=judge,
            **cast("dict[str, Any]", dict(changes)),
        )
        results: Any = stoppable(lambda stop, ask=asked: ask(stop=stop))  # type: ignore[misc]
        with closing(results):
            for result in results:
                if isinstance(result, RunResult):
                    runs.append(result)
                elif result is not None:
                    done = step.done + 1
                    step = Step(done, result.query if done % last else _then(ragas))
                yield step
    return (yield from saving(workbench, runs, step.done))


def _then(ragas: bool) -> str:
    """What is done when all questions are asked."""
    return "Scoring the contexts with ragas …" if ragas else "Pricing what would take labels in …"


def saving(workbench: Workbench, runs: Sequence[RunResult], done: int) -> Work:
    """Save the runs together; while another process writes to them, wait until that is stopped."""
    yield Step(done, "Saving …")
    while True:
        try:
            return tuple(run.id for run in workbench.runs.save_all(runs, busy_s=LOOK_S))
        except StoreBusy:
            yield Step(done, "Saving … waiting for another process that is using the saved runs.")


def rules_and_model(
    workbench: Workbench, changes: Mapping[str, Value]
) -> tuple[Mapping[str, Value], ...]:
    """The settings with the rules in a model's place, and with a model: in the stages that the
    settings give it, or else where it chooses APIs."""
    settings = workbench.settings.replace(**changes)
    rules = {**changes, **{stage: getattr(settings.by_rules, stage) for stage in RULES}}
    return rules, (changes if settings.asks_model else {**changes, "api_selection": "model"})


def intent_filter(mode: str, changes: Mapping[str, Value]) -> Mapping[str, Value]:
    """The settings with the filter by intent in this mode, and with an intent to filter by."""
    return {**changes, "intent_filter": mode, "query_analysis": True}


def both_ways(changes: Mapping[str, Value]) -> tuple[Mapping[str, Value], ...]:
    """The settings without the filter by intent and with one that filters, whatever it is now."""
    return intent_filter("off", changes), intent_filter("hard", changes)
