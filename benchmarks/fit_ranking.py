"""Fit the weights of the second look and of the score: `core/retrieve/score/fitted.json`.

    python -m benchmarks.fit_ranking second-look --write OPTIONS
    python -m benchmarks.fit_ranking score --write OPTIONS

The options are those of `benchmarks.quality`: name sets that may choose, and report on others. Fit
the second look first, because the score is fitted on the order that it gives.

**Second look**: of each question, an answer is to come before the other good rows. That is logistic
regression on the differences of their features, beside the order that they have already.

**Score**: the first result of a question is right or wrong, and what a question without an answer
gets is wrong. Answers among the first five count as right, too: lower ranks are read by the same
function. What comes of that is too high in the middle, so a calibration follows, of first results
alone. Questions without an answer are those of the sets, those of either public benchmark asked
of the other, and questions whose API was taken out: stores of 1, 5 and 50 of the labelled
specifications are drawn for that, so that a score means the same in each.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.quality import Target, arguments, opened, targets
from core import Workbench
from core.deadline import Deadline
from core.evaluate.sets import sets
from core.evaluate.sets.gold import resolved
from core.evaluate.sets.sample import Sample
from core.ids import element_of
from core.ranking import best
from core.retrieve.reader import ArrayReader, Rows
from core.retrieve.score import second_look
from core.retrieve.score.api_evidence import breadth
from core.retrieve.score.features import of_question, of_rows
from core.retrieve.score.fitted import FILE
from core.retrieve.score.likelihood import BIAS, SECOND, VECTORS, WORDS, Points, calibrated
from core.retrieve.search.gathered import Gathered, cosines_of, gathered, said_of
from core.retrieve.search.row_order import first_look, looked_at, row_order
from core.retrieve.search.search import raised_by
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.intent import by_rules
from core.retrieve.understand.question import read
from core.settings import Settings

Floats = NDArray[np.float64]
Groups = Sequence[Sequence[str]]  # any one of each answers

SIZES = {1: 14, 5: 12, 50: 3}  # APIs of a drawn store: how many are drawn
ASKED_OUT = {1: 12, 5: 12, 50: 40}  # questions whose API was taken out, of each
SEED = 5
NO_ANSWER = 0.2  # of all questions, as the fit weighs them
LOWER = 0.75  # what an answer below the first rank counts
EVERY = 3  # of so many questions of the other benchmark one is asked
FIRST = 5
OTHERS = 60
FEW = 15  # rows whose vectors are made for a question, at the usual pace
LEAST = Settings().min_score
KNOTS = (0.15, 0.25, LEAST, 0.5, 0.75, 0.85, 0.95)  # where the calibration may bend
SIZES_OF_STORES = ((1, 1), (2, 9), (10, 99), (100, 10_000))  # each says as much to the calibration
RIDGE = {"second-look": 0.02, "score": 0.005}
ALL = " + ".join((VECTORS, SECOND, WORDS))
SEARCHED = (
    ALL,
    *(" + ".join(each) for each in ((VECTORS, SECOND), (VECTORS, WORDS), (VECTORS,), (WORDS,))),
)
WEIGHTS = {  # of the questions of a store; 1 for others
    "restbench-spotify": 0.5,
    "socbench-d-1, own domain": 0.3,
    "socbench-d-1, pooled": 0.3,
    "1 drawn": 0.3,
    "5 drawn": 0.5,
    "50 drawn": 0.4,
}
STEEP = 10.0  # how sharply a difference in order decides which row comes first
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Case:
    """One question in one store."""

    store: str
    query: str
    groups: Groups  # none: it has no answer there
    workbench: Workbench
    apis: int

    @property
    def fold(self) -> int:
        """The same question is in one fold, whatever store it is asked of."""
        return crc32(self.query.encode()) % FOLDS

    def answers(self, elements: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([any(e in group for group in self.groups) for e in elements], np.bool_)


def cases(options: argparse.Namespace) -> Iterator[Case]:
    known = list(targets(options))
    stores = {target.store: opened(target, SETTINGS) for target in known}
    labelled = {store: workbench.labels() for store, workbench in stores.items()}
    for target in known:
        workbench, labels = stores[target.store], labelled[target.store]
        for sample in sets.read(target.eval_set).samples:
            yield _case(target.group, workbench, sample, resolved(sample, labels).groups)
        for other in known:
            if {_kind(target), _kind(other)} == {"restbench", "socbench"}:
                for sample in sets.read(other.eval_set).samples[::EVERY]:
                    yield _case(f"strangers to {target.group}", workbench, sample, ())
    yield from _drawn(options)


SETTINGS = Settings(log_stats=False, cache_size=0, min_score=0.0)


def _filled(workbench: Workbench) -> Workbench:
    for _ in workbench.second_look():
        pass
    return workbench


def _case(store: str, workbench: Workbench, sample: Sample, groups: Groups) -> Case:
    return Case(store, sample.query, groups, workbench, len(workbench.catalog()))


def _kind(target: Target) -> str:
    return next((k for k in ("restbench", "socbench") if k in str(target.store)), "")


def _drawn(options: argparse.Namespace) -> Iterator[Case]:
    """Questions of the labelled sets, asked of stores that hold some of the specifications."""
    by_specs: dict[Path, list[Sample]] = {}
    for pair in options.labelled:
        specs, _, labels = pair.partition("=")
        by_specs.setdefault(Path(specs), []).extend(sets.read(Path(labels)).samples)
    for specs, samples in by_specs.items():
        files = sorted(p for p in specs.iterdir() if p.suffix in (".json", ".yaml", ".yml"))
        if len(files) > max(SIZES):
            yield from _drawn_of(files, [s for s in samples if _files(s)], options.work)


def _drawn_of(files: Sequence[Path], samples: Sequence[Sample], work: Path) -> Iterator[Case]:
    draw = random.Random(SEED)
    asked = sorted({file for sample in samples for file in _files(sample)})
    for size, number in SIZES.items():
        for at in range(number):
            chosen = draw.sample(asked, max(1, size * 3 // 5))
            rest = [p.name for p in files if p.name not in chosen]
            chosen += draw.sample(rest, size - len(chosen))
            store = work / "drawn" / f"{size}-{at}"
            workbench = _opened(
                store, [p for p in files if p.name in chosen], files[0].parent, work
            )
            labels = workbench.labels()
            inside = [s for s in samples if _files(s) <= set(chosen)]
            outside = [s for s in samples if not _files(s) & set(chosen)]
            for sample in inside:
                groups = resolved(sample, labels).groups
                yield _case(f"{size} drawn", workbench, sample, groups)
            for sample in draw.sample(outside, min(len(outside), ASKED_OUT[size])):
                yield _case(f"{size} drawn, without", workbench, sample, ())


def _files(sample: Sample) -> set[str]:
    labels = (*sample.relevant, *(label for group in sample.alternatives for label in group))
    return {label.split(" ")[0].partition(":")[0] for label in labels}


def _opened(store: Path, files: Sequence[Path], specs: Path, work: Path) -> Workbench:
    """A store of some files, its second vectors taken from the store that has them all."""
    workbench = Workbench.open(store, settings=SETTINGS)
    if workbench.is_empty:
        for _ in workbench.ingest(list(files)):
            pass
        whole = work / "labelled" / str(specs.absolute()).strip("/") / "second"
        copytree(whole, store / "second", dirs_exist_ok=True)
    return _filled(workbench)


def evidence_of(case: Case, searched: str) -> Gathered:
    """Everything about a question; `searched` is a name of a set of weights."""
    mode = {(True, True): "hybrid", (True, False): "semantic", (False, True): "exact"}[
        VECTORS in searched, WORDS in searched
    ]
    workbench, looks = case.workbench, SECOND in searched
    reader = workbench._newest.reader()
    settings = replace(SETTINGS, mode=mode, second_look="auto" if looks else "off")
    deadline = Deadline.after(600, time.perf_counter)
    asked = Asked.of(case.query, reader=reader, settings=settings, deadline=deadline)
    question = read(asked, by_rules)
    texts = [clause.text for clause in question.clauses]
    vectors = workbench._embed().embed(texts) if VECTORS in searched else None
    second = reader.second.embed(texts) if looks and reader.second else None
    cosines = cosines_of(question, vectors, reader)
    said = said_of(question, cosines, second, reader)
    return gathered(None, question, reader, said, cosines)


def elements(reader: ArrayReader, rows: Rows) -> list[str]:
    return [element_of(reader.ids[row]) for row in rows.tolist()]


# The second look


@dataclass(frozen=True, slots=True)
class Pairs:
    """An answer beside other good rows of one question."""

    ahead: Mapping[str, Floats]  # by feature: how far the answer is ahead of each
    order: Floats  # the same of what they are ranked by
    weight: float


def fit_second_look(known: Sequence[Case], *, few: bool) -> dict[str, float]:
    """Of all rows, or of a few whose vectors are made now."""
    pairs = [pair for case in known if case.groups for pair in _pairs(case, few)]
    names = sorted(pairs[0].ahead)
    x = np.concatenate([np.stack([pair.ahead[n] for n in names], 1) for pair in pairs])
    lead = STEEP * np.concatenate([pair.order for pair in pairs])
    weight = np.concatenate([np.full(len(p.order), p.weight / len(p.order)) for p in pairs])
    spread = x.std(axis=0) + 1e-9
    found = _logistic_regression(x / spread, np.ones(len(x)), weight, "second-look", lead)
    return dict(zip(names, (found / spread).round(4).tolist(), strict=True))


def _pairs(case: Case, few: bool) -> Iterator[Pairs]:
    evidence = evidence_of(case, f"{VECTORS} + {WORDS}" if few else ALL)
    if few:
        evidence = replace(evidence, few=_few(evidence))
    order = first_look(evidence, raised_by(evidence.question))
    looked = looked_at(evidence, order)
    assert looked, "the second look has no vectors"
    rows, features = looked
    found = elements(evidence.reader, rows)
    right = case.answers(found)
    others = np.flatnonzero(~right)[:OTHERS]
    answers = {found.index(e) for g in case.groups if (e := next((e for e in found if e in g), ""))}
    weight = STEEP * second_look.weight_of(len(evidence.asked), case.apis)
    ranked = order.total[rows].astype(float)
    for answer in sorted(answers) if len(others) else ():
        ahead = {n: weight * (v[answer] - v[others]).astype(float) for n, v in features.items()}
        counts = WEIGHTS.get(case.store, 1.0) / len(answers)
        yield Pairs(ahead, ranked[answer] - ranked[others], counts)


def _few(evidence: Gathered) -> second_look.Few:
    look = evidence.reader.second
    assert look, "there is no second look"
    asked = [clause.text for clause in evidence.question.clauses if not clause.is_ours]
    return second_look.Few(look, look.embed(asked), FEW, evidence.question.asked.deadline)


# The score


@dataclass(frozen=True, slots=True)
class Results:
    """The first elements of one question, with their features; those it shares are repeated."""

    case: Case
    names: tuple[str, ...]
    features: Floats  # result × feature
    right: NDArray[np.bool_]


def results_of(case: Case, searched: str) -> Results:
    evidence = evidence_of(case, searched)
    order = row_order(evidence, raised_by(evidence.question))
    rows = best(order.total, 4 * FIRST * 2)
    of, reader = evidence, evidence.reader
    wide = breadth(reader)
    by_row = of_rows(rows, order.earned(rows), of.asked, of.about, reader, None, wide)
    shared = of_question(evidence.question, wide)
    found = elements(reader, rows)
    first = [found.index(element) for element in list(dict.fromkeys(found))[:FIRST]]
    columns = [*by_row.values(), *(np.full(len(rows), value) for value in shared.values())]
    features = np.stack(columns, 1).astype(float)[first]
    right = case.answers([found[at] for at in first])
    return Results(case, (*by_row, *shared), features, right)


def fit_score(known: Sequence[Results]) -> tuple[Floats, float]:
    """Weights of the features, and the bias."""
    rows = [row for each in known for row in _examples(each)]
    x, y = np.stack([row[0] for row in rows]), np.array([row[1] for row in rows])
    weight = np.array([row[2] for row in rows])
    weight = _balanced(weight, np.array([row[3] for row in rows]))
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    sign = np.where(y, 1.0, -1.0)
    scaled = np.hstack([(x - mean) / spread, np.ones((len(x), 1))]) * sign[:, None]
    found = _logistic_regression(scaled, sign, weight, "score")
    weights = found[:-1] / spread
    return weights, float(found[-1] - weights @ mean)


def _weights_of(known: Sequence[Results]) -> Floats:
    """How much the first result of each question counts."""
    weight = np.array([WEIGHTS.get(each.case.store, 1.0) for each in known])
    return _balanced(weight, np.array([bool(each.case.groups) for each in known]))


def _balanced(weight: Floats, has_answer: NDArray[np.bool_]) -> Floats:
    """What has no answer counts `NO_ANSWER` of all."""
    some = NO_ANSWER / (1 - NO_ANSWER) * weight[has_answer].sum()
    less = some / max(weight[~has_answer].sum(), 1e-9)
    balanced: Floats = np.where(has_answer, weight, weight * less)
    return balanced


def _examples(each: Results) -> Iterator[tuple[Floats, bool, float, bool]]:
    """Features, whether right, how much it counts, whether there is an answer."""
    has_answer = bool(each.case.groups)
    counts = WEIGHTS.get(each.case.store, 1.0)
    yield each.features[0], bool(each.right[0]), counts, has_answer
    below = np.flatnonzero(each.right[1:] if has_answer else ~each.right[1:]) + 1
    for at in below.tolist():
        yield each.features[at], has_answer, counts * LOWER / len(below), has_answer


def _logistic_regression(
    x: Floats, sign: Floats, weight: Floats, kind: str, lead: Floats | None = None
) -> Floats:
    """What makes `lead + x @ it` large; the last of `sign`-ed columns may be a constant."""
    ahead = np.zeros(len(x)) if lead is None else lead
    shrunk = np.ones(x.shape[1])
    shrunk[-1] = kind != "score"  # the constant is free

    def loss(b: Floats) -> tuple[float, Floats]:
        total = ahead + x @ b
        wrong = weight / (1 + np.exp(np.clip(total, -50, 50)))
        cost = (weight * np.logaddexp(0, -total)).sum() / weight.sum()
        ridge = RIDGE[kind] * shrunk
        return float(cost + (ridge * b * b).sum()), -x.T @ wrong / weight.sum() + 2 * ridge * b

    found: Floats = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x
    return found


def fit_calibration(known: Sequence[Results], found: Sequence[Floats]) -> Points:
    """What is shown for a score: rising, likeliest for first results, and `LEAST` for `LEAST`.

    What passes the default minimum is a matter of the weights, which weigh lower ranks too.
    """
    score, right, weight = np.array([s[0] for s in found]), _first_right(known), _by_size(known)
    at = (0.0, *KNOTS, 1.0)

    def shown(free: Floats) -> Floats:
        steps, low = np.logaddexp(0, free), at.index(LEAST)
        below, above = np.cumsum(steps[:low]), np.cumsum(steps[low:])
        return np.array(
            [0, *(LEAST * below / below[-1]), *(LEAST + (1 - LEAST) * above / above[-1])]
        )

    def loss(free: Floats) -> float:
        likely = np.clip(np.interp(score, at, shown(free)), 1e-4, 1 - 1e-4)
        cost = -weight @ np.log(np.where(right, likely, 1 - likely)) / weight.sum()
        return float(cost + 1e-4 * free @ free)

    best = minimize(loss, np.zeros(len(at) - 1), method="L-BFGS-B").x
    return tuple(zip(at, shown(best).round(4).tolist(), strict=True))


def _first_right(known: Sequence[Results]) -> NDArray[np.bool_]:
    return np.array([each.right[0] for each in known])


def _by_size(known: Sequence[Results]) -> Floats:
    """How much each first result counts where all sizes of stores count alike."""
    apis, weight = np.array([each.case.apis for each in known]), np.zeros(len(known))
    for low, high in SIZES_OF_STORES:
        of = np.flatnonzero((apis >= low) & (apis <= high))
        its = _weights_of([known[at] for at in of.tolist()])
        weight[of] = its / max(its.sum(), 1e-9)
    return weight


def scores(each: Results, weights: Floats, bias: float) -> Floats:
    odds: Floats = 1 / (1 + np.exp(-(each.features @ weights + bias)))
    return odds


# What is told


def crossed(known: Sequence[Results]) -> list[Floats]:
    """The scores of each question by weights that were fitted without it."""
    by_fold = [fit_score([each for each in known if each.case.fold != f]) for f in range(FOLDS)]
    return [scores(each, *by_fold[each.case.fold]) for each in known]


def crossed_shown(known: Sequence[Results], found: Sequence[Floats]) -> list[Floats]:
    """What is shown for these scores, by calibrations that were fitted without the question."""
    pairs = list(zip(known, found, strict=True))
    of_fold = [[(r, s) for r, s in pairs if r.case.fold != fold] for fold in range(FOLDS)]
    by_fold = [fit_calibration([r for r, _ in of], [s for _, s in of]) for of in of_fold]
    return [calibrated(s, by_fold[r.case.fold]) for r, s in pairs]


def report(known: Sequence[Results], found: Sequence[Floats], least: float) -> Iterator[str]:
    """By store: first results right, answers kept of the first five, empty or silent."""
    for store in dict.fromkeys(each.case.store for each in known):
        of = [(r, s) for r, s in zip(known, found, strict=True) if r.case.store == store]
        asked = [(r, s) for r, s in of if r.case.groups]
        unasked = [s for r, s in of if not r.case.groups]
        said = [f"{store}:"]
        if asked:
            right = [s[0] for r, s in asked if r.right[0]]
            kept = [((s >= least) & r.right).sum() / max(1, r.right.sum()) for r, s in asked]
            hit = [k for k, (r, _) in zip(kept, asked, strict=True) if r.right.any()]
            said.append(f"{len(asked)} asked, first right {len(right) / len(asked):.2f}")
            said.append(f"kept {np.mean(hit or [0]):.2f}")
            said.append(f"empty {np.mean([(s < least).all() for _, s in asked]):.2f}")
            said.append(f"first right at .8 {np.mean([s >= 0.8 for s in right] or [0]):.2f}")
        if unasked:
            silent = np.mean([(s < least).all() for s in unasked])
            said.append(f"{len(unasked)} without an answer, silent {silent:.2f}")
        yield ", ".join(said).replace(":,", ":")


def calibration(known: Sequence[Results], found: Sequence[Floats]) -> Iterator[str]:
    """Expected calibration error of first results by number of APIs, ten bins; questions without
    an answer count as much as in the fit."""
    for low, high in SIZES_OF_STORES:
        pairs = zip(known, found, strict=True)
        of = [(r, s) for r, s in pairs if low <= r.case.apis <= high]
        if of:
            high_right = np.mean([s[0] >= 0.8 for r, s in of if r.right[0]])
            yield f"{low}–{high} APIs: {len(of)} first results, ECE {_error(of):.3f}"
            yield f"  of the right ones {high_right:.2f} at .8 or more"
            yield f"  share right by score: {', '.join(_diagram(of))}"


def _diagram(of: Sequence[tuple[Results, Floats]]) -> Iterator[str]:
    """The reliability diagram in words: five bins, the share that is right, and how many."""
    score, right = np.array([s[0] for _, s in of]), _first_right([r for r, _ in of])
    weight, bins = _weights_of([r for r, _ in of]), np.minimum((score * 5).astype(int), 4)
    for at in range(5):
        if (its := bins == at).any():
            share = np.average(right[its], weights=weight[its])
            yield f"{at / 5:.1f}–{(at + 1) / 5:.1f} {share:.2f} of {its.sum()}"


def _error(of: Sequence[tuple[Results, Floats]]) -> float:
    score, right = np.array([s[0] for _, s in of]), _first_right([r for r, _ in of])
    weight = _weights_of([r for r, _ in of])
    bins = np.minimum((score * 10).astype(int), 9)
    off = [(weight * (score - right))[bins == at].sum() for at in range(10)]
    return float(np.abs(off).sum() / weight.sum())


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("what", choices=("second-look", "score"))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    known = list(cases(options))
    fitted = json.loads(FILE.read_text(encoding="utf-8"))
    if options.what == "second-look":
        fitted["second look"] = fit_second_look(known, few=False)
        fitted["few looked at"] = fit_second_look(known, few=True)
        print(json.dumps({**fitted, "likelihood": {}}, indent=1))
    else:
        for searched in SEARCHED:
            weights, points = _likelihood(known, searched)
            fitted["likelihood"][searched], fitted["calibration"][searched] = weights, points
    if options.write:
        FILE.write_text(json.dumps(fitted, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _likelihood(known: Sequence[Case], searched: str) -> tuple[dict[str, float], Points]:
    results = [results_of(case, searched) for case in known]
    found = crossed(results)
    shown = crossed_shown(results, found)
    print(f"## {searched}", *report(results, shown, LEAST), sep="\n")
    print(*calibration(results, shown), sep="\n", flush=True)
    weights, bias = fit_score(results)
    fitted = dict(zip(results[0].names, weights.round(4).tolist(), strict=True))
    return {**fitted, BIAS: round(bias, 4)}, fit_calibration(results, found)


if __name__ == "__main__":
    main()
