"""Make the model that tells what a question asks for, from questions whose intent is known.

    python -m tools.intent_model QUESTIONS EVAL_SET… [--out FILE] [--check]

QUESTIONS is `tools/questions/intent.yaml`: lines by intent. The eval sets add theirs; a question
without an intent counts a little as one for an endpoint where operations alone answer it. The
same questions give the same file. `--check` leaves each source out in turn and prints what the
others make of it, instead of writing a file.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray
from scipy.optimize import minimize

from core.evaluate.sets import sets
from core.evaluate.sets.sample import Sample
from core.model import Intent
from core.retrieve.understand.intent_model import (
    FILE,
    Evidence,
    IntentModel,
    cue_values,
    evidence,
    word_scale,
    written,
)

INTENTS = tuple(Intent)
INFERRED = 0.2  # what a question counts whose intent only its answer tells
SEEN = 3  # questions that must have a word, for it to be learned
RIDGE = 1e-3
LEANING = 0.6  # added to the log-odds of an endpoint, which most questions ask for
LEAST = 0.48  # how likely an intent has to be
FOLDS = 5  # that the lines of the file are divided into for `--check`
DIGITS = 2  # of a weight
DIMENSIONS = 256  # of the meaning
_OPERATION = re.compile(r"(?:^| )[A-Z]+ /")  # `shop.json GET /users`

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Known:
    """A question and what it asks for."""

    source: str
    text: str
    intent: Intent
    weight: float = 1.0


def lines(file: Path) -> Iterator[Known]:
    """The questions of the file that is written for this."""
    for intent, block in yaml.safe_load(file.read_text(encoding="utf-8")).items():
        for number, line in enumerate(filter(None, block.splitlines())):
            yield Known(f"{file.name} {number % FOLDS}", line, Intent(intent))


def labelled(file: Path) -> Iterator[Known]:
    """The questions of an eval set, where the intent is labelled or follows from the answer."""
    eval_set = sets.read(file)
    for sample in eval_set.samples:
        if sample.intent:
            yield Known(eval_set.name, sample.query, Intent(sample.intent))
        elif _asks_for_operations(sample):
            yield Known(eval_set.name, sample.query, Intent.ENDPOINT, INFERRED)


def _asks_for_operations(sample: Sample) -> bool:
    return sample.has_answer and all(map(_OPERATION.search, sample.labels))


@dataclass(frozen=True, slots=True)
class Learned:
    """The words that were learned, and the weights of all evidence: (features, intents)."""

    words: Sequence[str]
    weights: Floats
    bias: Floats

    def model(self) -> IntentModel:
        return IntentModel.read(written(self.values()))

    def values(self) -> Mapping[str, Any]:
        """What the file holds; words that say nothing, once rounded, are left out."""
        rounded = np.round(self.weights, DIGITS)
        words = dict(zip(self.words, rounded.tolist(), strict=False))
        rest = rounded[len(self.words) :]
        cues = len(rest) - DIMENSIONS
        return {
            "intents": [str(intent) for intent in INTENTS],
            "least": LEAST,
            "bias": np.round(self.bias, DIGITS).tolist(),
            "cues": rest[:cues].tolist(),
            "meaning": rest[cues:].tolist(),
            "words": {word: weights for word, weights in words.items() if any(weights)},
        }


def learned(known: Sequence[Known], found: Mapping[str, Evidence]) -> Learned:
    """Multinomial logistic regression with a ridge."""
    seen = Counter(gram for each in known for gram in found[each.text].grams)
    words = sorted(gram for gram, times in seen.items() if times >= SEEN)
    features = np.array([_features(found[each.text], words) for each in known])
    intents = np.array([INTENTS.index(each.intent) for each in known])
    weights = np.array([each.weight for each in known])
    fitted = _fitted(features, np.eye(len(INTENTS))[intents], weights / weights.sum())
    bias = fitted[-1] + LEANING * (np.array(INTENTS) == Intent.ENDPOINT)
    return Learned(words, fitted[:-1], bias)


def _features(found: Evidence, words: Sequence[str]) -> Floats:
    has = np.array([word in found.grams for word in words], np.float64)
    return np.concatenate(
        [has * word_scale(int(has.sum())), cue_values(found), found.meaning], dtype=np.float64
    )


def _fitted(features: Floats, wanted: Floats, weights: Floats) -> Floats:
    """The weights, and those of a constant behind them."""
    shape = features.shape[1] + 1, wanted.shape[1]

    def loss(flat: Floats) -> tuple[float, Floats]:
        now = flat.reshape(shape)
        logits = features @ now[:-1] + now[-1]
        logits -= logits.max(axis=1, keepdims=True)
        likely = np.exp(logits)
        likely /= likely.sum(axis=1, keepdims=True)
        missed = -weights @ np.log((likely * wanted).sum(axis=1))
        slope = (likely - wanted) * weights[:, None]
        steps = np.vstack([features.T @ slope + RIDGE * now[:-1], slope.sum(axis=0)])
        return float(missed + RIDGE / 2 * (now[:-1] ** 2).sum()), steps.ravel()

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B")
    fitted: Floats = found.x.reshape(shape)
    return fitted


def checked(known: Sequence[Known], found: Mapping[str, Evidence]) -> Iterator[str]:
    """For each source, what is made of it by what all others teach."""
    for source in dict.fromkeys(each.source for each in known):
        model = learned([each for each in known if each.source != source], found).model()
        of = [each for each in known if each.source == source]
        told = [intent_of(model, found[each.text]) for each in of]
        yield f"{source}: {report([each.intent for each in of], told)}"


def intent_of(model: IntentModel, found: Evidence) -> Intent:
    """The likeliest intent, or general."""
    likely = model.likelihoods(found)
    return model.intents[int(likely.argmax())] if likely.max() >= model.least else Intent.GENERAL


def report(wanted: Sequence[Intent], told: Sequence[Intent]) -> str:
    """Accuracy, and how often what is told is right where it is not general."""
    right = [w is t for w, t in zip(wanted, told, strict=True)]
    clear = [r for r, t in zip(right, told, strict=True) if t is not Intent.GENERAL]
    share = sum(clear) / max(1, len(clear))
    return f"{len(right)} questions, accuracy {sum(right) / len(right):.3f}, precision {share:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("eval_sets", type=Path, nargs="*")
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    known = [
        *lines(given.questions),
        *(each for file in given.eval_sets for each in labelled(file)),
    ]
    found = {each.text: evidence(each.text) for each in known}
    if given.check:
        for line in checked(known, found):
            print(line, flush=True)
    else:
        given.out.write_bytes(written(learned(known, found).values()))


if __name__ == "__main__":
    main()
