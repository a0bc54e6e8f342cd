"""The settings as they are and every combination of some changes, tried on the same questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from core.errors import SettingsError
from core.evaluate.compare.summary import summarise
from core.evaluate.compare.sweep import Changes, check_measured
from core.evaluate.results import RunResult, SampleResult
from core.evaluate.run import Lookup, merged, provenance, row_of, with_ragas
from core.evaluate.score.ragas_metrics import RagasError, RagasWorker, Row
from core.evaluate.sets import lint
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import EvalSet
from core.evaluate.stop import Stop, check, never
from core.evaluate.tune.measured import measured, recorded
from core.evaluate.tune.trace import DeepTrace
from core.evaluate.tune.whole import scored
from core.model import JSON
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class Skipped:
    """A combination that the other settings do not allow, and why."""

    changes: Changes
    error: SettingsError


@dataclass(frozen=True, slots=True)
class Tried:
    """A combination, and its run over all questions; without changes, the settings as they are."""

    changes: Changes
    run: RunResult


Step = Skipped | SampleResult | Tried


def sweep(
    eval_sets: Sequence[EvalSet],
    wanted: Sequence[Changes],
    *,
    settings_with: Callable[[Changes], Settings],
    trace: Callable[[str], DeepTrace],
    labels: Labels,
    store: Mapping[str, JSON],
    by: str,
    whole: bool = False,
    ragas: bool = False,
    lookup: Lookup | None = None,
    stop: Stop = never,
) -> Iterator[Step]:
    """Yield what is left out, the result of each question under the settings as they are, and
    then the runs: first of these settings, then of each combination that differs from them.

    What the settings are already is not tried again: it would only count as one more trial. With
    `whole`, runs tell all that an evaluation of their settings tells, so that they can be saved;
    without it their questions have metrics alone.
    Raises EvalSetError before the first question, CallError where no question defines the metric
    `by`, and Stopped soon after `stop` says so.
    """
    for each in eval_sets:
        lint.check(each, labels)
    allowed: list[tuple[Changes, Settings]] = [({}, settings_with({}))]
    for changes in wanted:
        try:
            settings = settings_with(changes)
        except SettingsError as error:
            yield Skipped(changes, error)
            continue
        if settings != allowed[0][1]:
            allowed.append((changes, settings))
    settings_of = [settings for _, settings in allowed]
    results: list[list[SampleResult]] = [[] for _ in allowed]
    rows: list[list[Row]] = [[] for _ in allowed]
    with ExitStack() as stack:
        worker = stack.enter_context(RagasWorker()) if ragas else None
        samples = merged(eval_sets)
        given = samples, settings_of
        if whole or worker:
            for answers in scored(*given, trace=trace, labels=labels, stop=stop):
                for at, (result, context) in enumerate(answers):
                    results[at].append(result)
                    if worker:
                        rows[at].append(row_of(result, context, lookup))
                yield answers[0][0]
        else:
            for row in measured(*given, trace=trace, labels=labels, stop=stop):
                for at, result in enumerate(row.results()):
                    results[at].append(result)
                yield results[0][-1]
        for (changes, settings), its, of_ragas in zip(allowed, results, rows, strict=True):
            check(stop)
            problems: list[str] = []
            try:
                its = with_ragas(its, of_ragas, worker, stop=stop) if worker else its
            except RagasError as error:  # the other figures stand without it
                problems.append(str(error))
            origin = provenance(eval_sets, settings=recorded(settings), store=store)
            run = summarise(its, origin, problems=problems)
            check_measured(run, by)
            yield Tried(changes, run)
