"""Ask every question of labelled sets, score what comes back, and sum it up."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, count
from math import ceil
from time import perf_counter
from typing import Protocol, TypeVar

from core.evaluate.compare.summary import Provenance, summarise
from core.evaluate.measures import CUTOFFS
from core.evaluate.results import CauseRemedy, RunResult, SampleResult
from core.evaluate.score.judge import Judge
from core.evaluate.score.ragas_metrics import RagasError, RagasWorker, Row
from core.evaluate.score.score import score
from core.evaluate.sets import lint
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.sample import EvalSet, Sample
from core.evaluate.stop import Stop, check, never
from core.model import JSON, Chunk, KnowledgeContext
from core.reasons import Flag
from core.settings import KNOB, Settings
from core.version import code_version

Retrieve = Callable[..., KnowledgeContext]  # settings bound, result cache off; `asking` calls it
Lookup = Callable[[Collection[str]], Mapping[str, Chunk]]  # as `Reader.chunks`


class Help(Protocol):
    """Says what would take in what is missing: `core.evaluate.tune.remedies.Remedies`."""

    def of_one(self, result: SampleResult, /) -> SampleResult: ...

    def of_all(self, results: Sequence[SampleResult], /) -> tuple[CauseRemedy, ...]: ...


def evaluate(
    samples: Iterable[Sample],
    retrieve: Retrieve,
    labels: Labels,
    *,
    help: Help | None = None,
) -> Iterator[tuple[SampleResult, KnowledgeContext]]:
    """Yield one result a question, as it is ready, with the context that was scored.

    `help` adds to each miss what would take it in. The labels must have been checked
    (`lint.check`).
    """
    for sample in samples:
        start = perf_counter()
        context = asking(retrieve, sample)
        elapsed = (perf_counter() - start) * 1000
        result = score(sample, context, labels, milliseconds=elapsed)
        # a remedy is for the question as it stands, without a filter
        is_helped = help is not None and not sample.facets
        yield (help.of_one(result) if help and is_helped else result), context


T = TypeVar("T")


def asking(ask: Callable[..., T], sample: Sample) -> T:
    """What `ask` gives for the question, under the question's own filter where it has one."""
    return ask(sample.query, where=sample.where) if sample.facets else ask(sample.query)


def run(
    eval_sets: Sequence[EvalSet],
    *,
    retrieve: Retrieve,
    labels: Labels,
    settings: Settings,
    warm: Retrieve | None = None,
    store: Mapping[str, JSON],
    help: Help | None = None,
    ragas: bool = True,
    lookup: Lookup | None = None,
    stop: Stop = never,
    used_up: Callable[[], str] = str,
    judge: Judge | None = None,
) -> Iterator[SampleResult | RunResult]:
    """Yield one result a question, then the run, where the scores of ragas are added.

    `used_up` says which budget is, asked between two questions: then the run is of those that were
    asked, marked as incomplete, and says so in `problems`. `warm` asks the first question once more
    before, where `retrieve` would pay a model for it.

    The caller shows progress, or stops: closing the generator ends the process that ragas runs
    in; `summarise` makes a run of what there was. With `lookup`, which gives the texts of gold
    elements, ragas compares texts too; when ragas fails, the run says so in `problems`.
    `judge` adds what a model says of each question with gold.
    `settings` and `store` (a summary of the manifest) are saved with the run.
    Raises EvalSetError before the first question when a set cannot be used, and Stopped soon after
    `stop` says so.
    """
    for each in eval_sets:
        lint.check(each, labels)
    origin = provenance(eval_sets, settings=settings, store=store)
    samples = merged(eval_sets)
    results: list[SampleResult] = []
    rows: list[Row] = []
    over = ""
    with ExitStack() as stack:
        worker = stack.enter_context(RagasWorker()) if ragas else None
        if samples:
            asking(warm or retrieve, samples[0])  # unmeasured: loads what all retrievals share
        for result, context in evaluate(samples, retrieve, labels, help=help):
            check(stop)
            over = used_up()
            if Flag.MODEL_BUDGET in context.retrieval_stats.flags:
                break  # this question was answered by both: it says nothing of either
            rows.append(row_of(result, context, lookup))
            if judge and result.gold:
                result = _judged(result, context, rows[-1]["reference_texts"], judge)
                over = used_up()
            results.append(result)
            yield result
            if over and len(results) < len(samples):
                break
        problems: list[str] = []
        if len(results) < len(samples):
            done = f"{len(results)} of {len(samples)} questions"
            problems.append(f"Stopped after {done}: {over or 'the budget'} is used up.")
        try:
            results = with_ragas(results, rows, worker, stop=stop) if worker else results
        except RagasError as error:  # the other figures stand without it
            problems.append(str(error))
    whole = len(results) == len(samples)
    found = summarise(results, origin, complete=whole, problems=problems)
    yield replace(found, remedies=help.of_all(results)) if help else found


def _judged(
    result: SampleResult, context: KnowledgeContext, reference: Sequence[str], judge: Judge
) -> SampleResult:
    labelled = {element for group in result.gold for element in group}
    passages = [(item.chunk.text, item.chunk.element in labelled) for item in context.chunks]
    said = judge(result.query, passages, reference)
    return replace(result, metrics={**result.metrics, **said})


def with_ragas(
    results: Sequence[SampleResult],
    rows: Sequence[Row],
    worker: RagasWorker,
    *,
    stop: Stop = never,
) -> list[SampleResult]:
    """The results with `ragas.*` added where a question has gold."""
    asked = [row for row in rows if row["reference_ids"]]
    scores = iter(worker.score(asked, stop=stop) if asked else [])
    return [
        replace(result, metrics={**result.metrics, **next(scores)}) if result.gold else result
        for result in results
    ]


def deep_enough(settings: Settings) -> Settings:
    """The settings with as many candidates as the deepest cut-off of `search.*` needs.

    Only `overfetch` changes, and only upwards.
    """
    return settings.replace(overfetch=enough(settings))


def enough(settings: Settings) -> int:
    """The `overfetch` of `deep_enough`."""
    return max(settings.overfetch, ceil(max(CUTOFFS) / settings.max_primary_results))


def unhurried(settings: Settings) -> Settings:
    """The settings without a time limit that a busy machine could turn into misses."""
    return settings.replace(timeout_ms=int(KNOB["timeout_ms"].high or settings.timeout_ms))


def deepest(settings: Settings) -> Settings:
    """The settings with as many candidates as can be."""
    return settings.replace(overfetch=int(KNOB["overfetch"].high or settings.overfetch))


def merged(eval_sets: Sequence[EvalSet]) -> tuple[Sample, ...]:
    """The samples of all sets; an id that two sets use gets the set's name before it, and a
    number behind it where that is still not enough."""
    used = Counter(sample.id for each in eval_sets for sample in each.samples)
    taken: set[str] = set()
    samples = []
    for each in eval_sets:
        for sample in each.samples:
            name = f"{each.name}/{sample.id}" if used[sample.id] > 1 else sample.id
            numbered = (f"{name} ({number})" for number in count(2))
            free = next(id for id in chain([name], numbered) if id not in taken)
            taken.add(free)
            samples.append(replace(sample, id=free))
    return tuple(samples)


def provenance(
    eval_sets: Sequence[EvalSet], *, settings: Settings, store: Mapping[str, JSON]
) -> Provenance:
    """What is saved beside a run of these sets; `store` sums the manifest up."""
    hashes = "".join(each.content_hash for each in eval_sets)
    only = len(eval_sets) == 1
    return Provenance(
        name=" + ".join(each.name for each in eval_sets),
        set_hash=hashes if only else hashlib.sha256(hashes.encode()).hexdigest(),
        settings=settings.to_dict(),
        store=store,
        code_version=code_version(),
    )


def row_of(result: SampleResult, context: KnowledgeContext, lookup: Lookup | None) -> Row:
    """What ragas compares of one question."""
    texts: dict[str, list[str]] = {"retrieved": [], "reference": []}
    if lookup and result.gold:
        known = lookup(result.reference_ids)
        texts["reference"] = [known[i].text for i in result.reference_ids if i in known]
        texts["retrieved"] = [item.chunk.text for item in context.chunks]
    return Row(
        retrieved_ids=result.retrieved_ids,
        reference_ids=result.reference_ids,
        retrieved_texts=texts["retrieved"],
        reference_texts=texts["reference"],
    )
