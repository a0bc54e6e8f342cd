"""Fit the weights of `core.retrieve.score.likelihood`, and tell how they do on unseen sets.

    python -m benchmarks.fit_score --restbench DIR --socbench DIR \
        --labelled SPECS=EVAL_SET --no-answer EVAL_SET [--work DIR]

The options are those of `benchmarks.quality`. Gold among the candidates is to score above 0.3, and
so is nothing that a question without an answer gets: logistic regression gives the weights, each
set counting alike. Questions of RestBench are also asked of SOCBench, and the other way round:
neither can answer the other's. The bias is the lowest that keeps `KEPT` of the gold among the first
five of every set with few APIs, and what many take off the most that keeps as much of the others:
where they stand is a choice between lost gold and noise, which no fit can make. When a set is left
out, the second stays: one set alone of those with many APIs says anything about it.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.quality import Target, arguments, opened, targets
from core import Workbench
from core.evaluate.sets import sets
from core.evaluate.sets.gold import resolved
from core.ids import element_of
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.vocabulary import Vocabulary
from core.retrieve.score.candidate import SEMANTIC
from core.retrieve.score.likelihood import ABOUT, CLOSE, COVERAGE, EXACT, FEW, HOME, NAME, WEIGHTS
from core.retrieve.understand.question import strangeness
from core.settings import Settings

FITTED = (SEMANTIC, COVERAGE, HOME, ABOUT, NAME, CLOSE)
THRESHOLD = float(np.log(0.3 / 0.7))
KEPT = 0.95
BIASES = np.arange(-12.0, 8.0, 0.05)
SLOPES = np.arange(-8.0, 0.05, 0.05)
PUBLIC = frozenset({"restbench", "socbench"})
_EVERY = 3  # of so many questions of the other benchmark one is asked
RIDGE = 0.0005

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """The candidates of one question."""

    group: str
    evidence: Floats  # candidate × FITTED
    breadth: float  # the logarithm of how many times more APIs there are than a few
    strange: float
    fixed: Floats  # what the exact names add, by candidate
    gold: NDArray[np.bool_]
    answerable: bool

    @property
    def features(self) -> Floats:
        constant = np.tile([self.breadth, self.breadth * self.strange], (len(self.gold), 1))
        return np.hstack([self.evidence, constant])


def cases(options: argparse.Namespace) -> Iterator[Case]:
    settings = Settings(
        log_stats=False, cache_size=0, min_score=0.0, embedder=os.environ.get("EMBEDDER", "static")
    )
    known = list(targets(options))
    for target in known:
        with opened(target, settings) as workbench:
            labels = workbench.labels()
            for sample in sets.read(target.eval_set).samples:
                gold = resolved(sample, labels)
                wanted = gold.elements if gold.groups else None
                yield from _case(workbench, target.group, sample.query, wanted)
            for query in _strangers(target, known, options.work):
                yield from _case(workbench, f"strangers to {target.group}", query, None)


def _strangers(target: Target, known: Sequence[Target], work: Path) -> Iterator[str]:
    """Some questions of the other public benchmark."""
    kind = _kind(target, work)
    for other in known if kind in PUBLIC else ():
        if _kind(other, work) in PUBLIC - {kind}:
            yield from (sample.query for sample in sets.read(other.eval_set).samples[::_EVERY])


def _kind(target: Target, work: Path) -> str:
    return target.store.relative_to(work).parts[0].partition("-")[0]


def _case(
    workbench: Workbench, group: str, query: str, gold: Collection[str] | None
) -> Iterator[Case]:
    """None when nothing is found; `gold` is None where there is no answer."""
    vocabulary = derived(Vocabulary, workbench._newest.reader())  # type: ignore[arg-type]
    hits = workbench.retrieve(query).trace.hits
    if hits:
        yield Case(
            group,
            np.array([[hit.parts.get(name, 0) for name in FITTED] for hit in hits]),
            float(np.log10(max(1, len(workbench.catalog()) / FEW))),
            strangeness(query, vocabulary, vocabulary.corrections(query)),
            np.array([WEIGHTS[EXACT] * (EXACT in hit.parts) for hit in hits]),
            np.array([element_of(hit.chunk_id) in (gold or ()) for hit in hits]),
            gold is not None,
        )


def fit(known: Sequence[Case], slope: float | None = None) -> Floats:
    """Weights of the features, then the bias; `slope` is what many APIs take off, if known."""
    rows, wanted, counts = [], [], []
    sizes: Mapping[str, int] = {
        g: sum(c.group == g for c in known) for g in {c.group for c in known}
    }
    for case in known:
        chosen = case.gold if case.answerable else np.ones(len(case.gold), bool)
        if chosen.any():
            rows.append(case.features[chosen])
            wanted.append(np.full(chosen.sum(), 1.0 if case.answerable else -1.0))
            counts.append(np.full(chosen.sum(), 1 / chosen.sum() / sizes[case.group]))
    x, y, weight = np.concatenate(rows), np.concatenate(wanted), np.concatenate(counts)
    for sign in (1.0, -1.0):
        weight[y == sign] /= weight[y == sign].sum()

    def loss(b: Floats) -> float:
        fits = np.logaddexp(0, -y * (x @ b[:-1] + b[-1]))
        return float((weight * fits).sum() + RIDGE * (b[:-1] ** 2).sum())

    found: Floats = minimize(loss, np.zeros(x.shape[1] + 1)).x
    few = [case for case in known if not case.breadth]
    found[-1] = next(bias for bias in BIASES if kept(_with(found, -1, bias), few) >= KEPT)
    many = [case for case in known if case.breadth]
    at = len(FITTED)
    enough = (each for each in SLOPES if kept(_with(found, at, each), many) >= KEPT)
    found[at] = next(enough) if slope is None else slope
    return found


def _with(weights: Floats, at: int, value: float) -> Floats:
    changed = weights.copy()
    changed[at] = value
    return changed


def kept(weights: Floats, known: Sequence[Case]) -> float:
    """The share of the first five's gold that stays, of the set that loses most."""
    shares: dict[str, list[float]] = {}
    for case in known:
        if case.answerable and case.gold[:5].any():
            above = _above(case, weights)[:5]
            shares.setdefault(case.group, []).append(float(above[case.gold[:5]].mean()))
    return float(min((np.mean(each) for each in shares.values()), default=1.0))


def _above(case: Case, weights: Floats) -> NDArray[np.bool_]:
    logit = case.features @ weights[:-1] + weights[-1] + case.fixed
    above: NDArray[np.bool_] = np.maximum.accumulate(logit[::-1])[::-1] >= THRESHOLD
    return above


def report(weights: Floats, seen: Sequence[Case]) -> str:
    """Gold of the first five that is kept, and questions without an answer that get nothing."""
    stays, nothing = [], []
    for case in seen:
        above = _above(case, weights)
        if not case.answerable:
            nothing.append(not above.any())
        elif case.gold[:5].any():
            stays.append(above[:5][case.gold[:5]].mean())
    parts = (("gold kept", stays), ("nothing", nothing))
    return ", ".join(f"{name} {np.mean(v):.3f} of {len(v)}" for name, v in parts if v)


def _but(found: Sequence[Case], group: str) -> list[Case]:
    return [case for case in found if case.group != group]


def main() -> None:
    parser = arguments(__doc__ or "")
    found = list(cases(parser.parse_args()))
    weights = fit(found)
    slope = float(weights[len(FITTED)])
    for name, weight in zip((*FITTED, "many", "strange", "bias"), weights, strict=True):
        print(f"{name:10} {weight:6.2f}")
    for group in dict.fromkeys(case.group for case in found):
        seen = [case for case in found if case.group == group]
        print(f"{group}: fitted on all: {report(weights, seen)}")
        print(f"{group}: fitted on the others: {report(fit(_but(found, group), slope), seen)}")


if __name__ == "__main__":
    main()
