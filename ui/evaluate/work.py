"""What an evaluation does in the background: ask every question, then save the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, cast

from core import Workbench
from core.evaluate.results import RunResult
from core.evaluate.sample import EvalSet
from core.settings import Value
from ui.jobs import JOBS, Step, Work


def start(
    workbench: Workbench,
    eval_sets: Sequence[EvalSet],
    variants: Sequence[Mapping[str, Value]],
    *,
    ragas: bool,
) -> str:
    """Evaluate these sets once with each variant of the settings; gives the job's id.

    Raises SettingsError for settings that contradict each other, StoreBusy while another runs.
    """
    for changes in variants:
        workbench.settings.replace(**changes)
    names = " + ".join(each.name for each in eval_sets)
    return JOBS.start(
        workbench.store,
        names,
        lambda: evaluation(workbench, eval_sets, variants, ragas=ragas),
        total=len(variants) * sum(len(each.samples) for each in eval_sets),
    )


def evaluation(
    workbench: Workbench,
    eval_sets: Sequence[EvalSet],
    variants: Sequence[Mapping[str, Value]],
    *,
    ragas: bool,
) -> Work:
    """A step a question; the runs are saved together at the end, or none when it is stopped."""
    runs, done = [], 0
    last = sum(len(each.samples) for each in eval_sets)
    for changes in variants:
        options = cast("dict[str, Any]", dict(changes))
        results: Any = workbench.evaluate(eval_sets, ragas=ragas, **options)
        with closing(results):
            for result in results:
                if isinstance(result, RunResult):
                    runs.append(result)
                else:
                    done += 1
                    scoring = ragas and done % last == 0
                    yield Step(done, "ragas scores the contexts …" if scoring else result.query)
    yield Step(done, "Saving …")
    return tuple(workbench.runs.save(run).id for run in runs)


def intent_filter(mode: str, changes: Mapping[str, Value]) -> Mapping[str, Value]:
    """The settings with the filter by intent in this mode, and with an intent to filter by."""
    return {**changes, "intent_filter": mode, "query_analysis": True}


def both_ways(changes: Mapping[str, Value]) -> tuple[Mapping[str, Value], ...]:
    """The settings without the filter by intent and with one that filters, whatever it is now."""
    return intent_filter("off", changes), intent_filter("hard", changes)
