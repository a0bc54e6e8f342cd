"""Fit how likely an article answers a message: the weights of `core/knowledge/relevance.py`.

    python -m benchmarks.fit_knowledge [--embedder static] [--words] [--work DIR]

The messages of `eval_sets/kb.yaml` are asked of `samples/kb` three times: as a host asks them, with
no intent, and the off-topic ones with the intents that are common. Each article that is looked at
and is for the product is one case: it belongs to the answer or not. Prints the weights of a
logistic regression (`--words`: of one without vectors, for embedders that no weights are known of),
and, with each article left out of the fit that scores it, the coverage that the messages get and
the share of each range of scores that is right.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import gettempdir

import numpy as np
from numpy.typing import NDArray

from benchmarks.knowledge import KB, Message, common, messages, opened
from core.knowledge.asked import Asked, fits
from core.knowledge.base import Base
from core.knowledge.coverage import coverage
from core.knowledge.limits import KnowledgeLimits
from core.knowledge.relevance import BIAS
from core.knowledge.sources import looked_at, settings_of
from core.retrieve.lookups.derived import derived
from core.workbench.workbench import Workbench

Floats = NDArray[np.float64]

RIDGE = 0.5
BARE = 0.5  # weight of a message without its intent: most hosts know one
STEPS = 50
EDGES = (0.0, 0.1, 0.4, 0.6, 0.75, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Case:
    """One article that was looked at for one message."""

    message: int
    article: str
    features: Mapping[str, float]
    is_right: bool
    weight: float


def asked(known: Sequence[Message]) -> Iterator[tuple[str, Message]]:
    """Every message that is asked, with how: `given`, `bare` or `wrong`."""
    wrong = common(known)
    for at, message in enumerate(known):
        yield "given", message
        if message.articles and message.intent != "unknown":
            yield "bare", message.replace(intent="", articles=message.articles[:1])
        elif not message.articles:
            yield "wrong", message.replace(intent=wrong[at % len(wrong)])


def cases(workbench: Workbench, known: Sequence[Message]) -> Iterator[Case]:
    opened = workbench._opened()
    arrays = opened.reader.arrays
    assert arrays is not None
    base, settings = derived(Base, arrays), settings_of(opened.settings)
    for at, (how, message) in enumerate(asked(known)):
        question = Asked(message.intent, message.text, message.product)
        for pick, said in looked_at(question, base, opened.reader, opened.embed, settings):
            name = pick.chunk.id.rpartition("/")[2].removesuffix(":article")
            # What belongs to the answer for its intent alone is neither right nor wrong without.
            is_open = how == "bare" and name in known_to(known, message) - {*message.articles}
            if fits(message.product, base.devices(pick.chunk)) and not is_open:
                weight = BARE if how == "bare" else 1.0
                yield Case(at, name, said, name in message.articles, weight)


def known_to(known: Sequence[Message], message: Message) -> set[str]:
    """Every article of the answer to a message, whatever was taken from it."""
    return {name for one in known if one.id == message.id for name in one.articles}


def fit(table: Floats, right: Floats, weight: Floats) -> Floats:
    """Logistic regression with a ridge on all weights but the first, by Newton's steps."""
    weights = np.zeros(table.shape[1])
    ridge = np.eye(len(weights)) * RIDGE
    ridge[0, 0] = 0
    for _ in range(STEPS):
        chance = chances(table, weights)
        slope = table.T @ (weight * (chance - right)) + ridge @ weights
        bend = (table.T * (weight * chance * (1 - chance))) @ table + ridge
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def chances(table: Floats, weights: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-table @ weights))
    return found


def left_out(found: Sequence[Case], table: Floats, right: Floats, weight: Floats) -> Floats:
    """The chance of each case by a fit that has not seen its article."""
    articles = np.array([case.article for case in found])
    chance = np.zeros(len(found))
    for article in sorted(set(articles)):
        out = articles == article
        chance[out] = chances(table[out], fit(table[~out], right[~out], weight[~out]))
    return chance


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--words", action="store_true", help="without vectors")
    parser.add_argument("--work", type=Path, default=Path(gettempdir()) / "specloupe-knowledge")
    options = parser.parse_args()
    known = messages(KB)
    with opened(options.work / f"kb-{options.embedder}", options.embedder) as workbench:
        found = list(cases(workbench, known))
    names = [name for name in found[0].features if not (options.words and name == "cosine")]
    table = np.array([[1.0, *(case.features[name] for name in names)] for case in found])
    right = np.array([float(case.is_right) for case in found])
    weight = np.array([case.weight for case in found])
    fitted = zip((BIAS, *names), fit(table, right, weight), strict=True)
    print({name: round(float(value), 2) for name, value in fitted})
    chance = left_out(found, table, right, weight)
    for line in (*_coverages(found, chance, known), *_ranges(chance, right)):
        print(line)


def _coverages(found: Sequence[Case], chance: Floats, known: Sequence[Message]) -> Iterator[str]:
    at = np.array([case.message for case in found])
    got: dict[tuple[str, str], Counter[str]] = {}
    for number, (how, message) in enumerate(asked(known)):
        scores = np.floor(chance[at == number] * 100 + 1e-9) / 100
        said = coverage(scores.tolist(), KnowledgeLimits())
        got.setdefault((how, message.coverage), Counter())[said] += 1
    for (how, expected), counts in got.items():
        yield f"{how}, labelled {expected}: {dict(counts)}"


def _ranges(chance: Floats, right: Floats) -> Iterator[str]:
    for low, high in pairwise(EDGES):
        inside = (chance >= low) & ((chance < high) | (high == EDGES[-1]))
        share = f"{right[inside].mean():.2f}" if inside.any() else "none"
        yield f"{low} to {high}: {int(inside.sum())} articles, {share} right"


if __name__ == "__main__":
    main()
