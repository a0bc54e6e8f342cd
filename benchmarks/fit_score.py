"""Fit the weights of `core.retrieve.calibrate`, and say how they do on sets that they did not see.

    python -m benchmarks.fit_score --restbench DIR --socbench DIR \
        --labelled SPECS=EVAL_SET --no-answer EVAL_SET [--work DIR]

The options are those of `benchmarks.quality`. Gold among the candidates is to score above 0.3, and
so is nothing that a question without an answer gets: logistic regression gives the weights, each
set counting alike. The bias is the lowest that keeps `KEPT` of the gold among the first five: where
it stands is a choice between lost gold and noise, which no fit can make.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.quality import arguments, opened, targets
from core.evaluate import sets
from core.evaluate.gold import gold_of
from core.evaluate.labels import element_of
from core.retrieve.calibrate import COVERAGE, EXACT, HOME, MANY, NAME
from core.retrieve.fuse import SEMANTIC
from core.retrieve.question import strangeness
from core.retrieve.vocabulary import Vocabulary
from core.settings import Settings

FITTED = (SEMANTIC, COVERAGE, HOME, NAME)
THRESHOLD = float(np.log(0.3 / 0.7))
KEPT = 0.97
BIASES = np.arange(-8.0, 8.0, 0.05)
RIDGE = 0.0005

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """The candidates of one question."""

    group: str
    evidence: Floats  # candidate × FITTED
    breadth: float  # the logarithm of how many APIs there are
    strange: float
    fixed: Floats  # what the exact names add, by candidate
    gold: NDArray[np.bool_]
    answerable: bool

    @property
    def features(self) -> Floats:
        constant = np.tile([self.breadth, self.breadth * self.strange], (len(self.gold), 1))
        return np.hstack([self.evidence, constant])


def cases(options: object) -> Iterable[Case]:
    settings = Settings(log_stats=False, cache_size=0, min_score=0.0)
    for target in targets(options):  # type: ignore[arg-type]
        with opened(target, settings) as workbench:
            labels = workbench.labels()
            breadth = float(np.log10(max(1, len(workbench.catalog()))))
            vocabulary = Vocabulary(workbench._read())  # type: ignore[arg-type]
            for sample in sets.read(target.eval_set).samples:
                gold = gold_of(sample, partial(labels.resolve, apis=sample.apis))
                hits = workbench.retrieve(sample.query).trace.hits
                if hits:
                    yield Case(
                        target.group,
                        np.array([[hit.parts.get(name, 0) for name in FITTED] for hit in hits]),
                        breadth,
                        strangeness(sample.query, vocabulary, vocabulary.corrections(sample.query)),
                        np.array([8.0 * (EXACT in hit.parts) for hit in hits]),
                        np.array([element_of(hit.chunk_id) in gold.elements for hit in hits]),
                        bool(gold.groups),
                    )


def fit(known: Sequence[Case]) -> Floats:
    """Weights of the features, then the bias."""
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
    found[len(FITTED)] = MANY
    found[-1] = next(bias for bias in BIASES if kept(found, bias, known) >= KEPT)
    return found


def kept(weights: Floats, bias: float, known: Sequence[Case]) -> float:
    """The share of the first five's gold that stays above the threshold; sets count alike."""
    shares: dict[str, list[float]] = {}
    for case in known:
        if case.answerable and case.gold[:5].any():
            above = _above(case, weights, bias)[:5]
            shares.setdefault(case.group, []).append(float(above[case.gold[:5]].mean()))
    return float(np.mean([np.mean(each) for each in shares.values()]))


def _above(case: Case, weights: Floats, bias: float) -> NDArray[np.bool_]:
    logit = case.features @ weights[:-1] + bias + case.fixed
    above: NDArray[np.bool_] = np.maximum.accumulate(logit[::-1])[::-1] >= THRESHOLD
    return above


def report(weights: Floats, seen: Sequence[Case]) -> str:
    """Gold of the first five that is kept, and questions without an answer that get nothing."""
    stays, nothing = [], []
    for case in seen:
        above = _above(case, weights, float(weights[-1]))
        if not case.answerable:
            nothing.append(not above.any())
        elif case.gold[:5].any():
            stays.append(above[:5][case.gold[:5]].mean())
    parts = (("gold kept", stays), ("nothing", nothing))
    return ", ".join(f"{name} {np.mean(v):.3f} of {len(v)}" for name, v in parts if v)


def main() -> None:
    parser = arguments(__doc__ or "")
    found = list(cases(parser.parse_args()))
    weights = fit(found)
    for name, weight in zip((*FITTED, "many", "strange", "bias"), weights, strict=True):
        print(f"{name:10} {weight:6.2f}")
    for group in dict.fromkeys(case.group for case in found):
        seen = [case for case in found if case.group == group]
        others = [case for case in found if case.group != group]
        print(f"{group}: fitted on all: {report(weights, seen)}")
        if any(not case.answerable for case in others):
            print(f"{group}: fitted on the others: {report(fit(others), seen)}")


if __name__ == "__main__":
    main()
