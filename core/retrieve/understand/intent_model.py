"""A small model of what a question asks for: words, cues and meaning, each with its weights.

It is linear (multinomial logistic regression), so what a word adds to an intent can be told.
`python -m tools.intent_model` makes the file that it reads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from core.index.embed import static
from core.model import Intent
from core.retrieve.understand.cues import matched, sums
from core.retrieve.understand.wording import Word, wording
from core.text.words import STOP_WORDS

FILE = Path(__file__).with_name("intent.json")
_LENGTHS = (1, 2, 5, 12, 25)  # words up to which a question is as long as others
_CUE, _WORDS = 0.3, 3.0  # scales of the kinds of evidence beside a vector of unit length
_MOST_REASONS = 4
_LEAST_REASON = 0.02  # of log-odds; what adds less decided nothing

Floats = NDArray[np.float32]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a question is judged by."""

    text: str
    grams: Mapping[str, Span]  # words and pairs of neighbours, and where each first stands
    cues: Mapping[Intent, Mapping[str, float]]  # the turns of phrase that speak for each
    meaning: Floats  # (dimensions,)


def evidence(text: str) -> Evidence:
    """Of a text in English."""
    return Evidence(text, grams(text), matched(text), static.shipped().embed([text])[0])


def grams(text: str) -> Mapping[str, Span]:
    """Words, pairs and the length; the ends of the text are `^` and `$`."""
    words = wording(text)
    found: dict[str, Span] = {}
    for word in words:
        found.setdefault(word.token, (word.start, word.end))
    for left, right in pairwise((Word("^", 0, 0), *words, Word("$", len(text), len(text)))):
        found.setdefault(f"{left.token} {right.token}", (left.start, right.end))
    longer = sum(len(words) > most for most in _LENGTHS)
    return {**found, f"<length {longer}>": (0, 0)}


@dataclass(frozen=True, slots=True)
class IntentModel:
    """Weights by intent, in the order of `intents`; those of one piece of evidence sum to 0."""

    intents: tuple[Intent, ...]
    bias: Floats  # (intents,)
    words: Mapping[str, int]  # word or pair → its row of `weights`
    weights: Floats  # (words, intents)
    cues: Floats  # (intents with cues, intents)
    meaning: Floats  # (dimensions, intents)
    least: float  # how likely an intent has to be, to be told

    @classmethod
    def read(cls, content: bytes) -> IntentModel:
        """From the file that `written` makes."""
        held = orjson.loads(content)
        return cls(
            tuple(Intent(each) for each in held["intents"]),
            np.array(held["bias"], np.float32),
            {gram: row for row, gram in enumerate(held["words"])},
            np.array([*held["words"].values()], np.float32),
            np.array(held["cues"], np.float32),
            np.array(held["meaning"], np.float32),
            held["least"],
        )

    def likelihoods(self, found: Evidence) -> Floats:
        """How likely each intent is; they sum to 1."""
        _, by_words = self._words(found)
        logits = self.bias + by_words.sum(axis=0) + cue_values(found) @ self.cues
        logits += found.meaning @ self.meaning
        likely = np.exp(logits - logits.max())
        shares: Floats = likely / likely.sum()
        return shares

    def reasons(self, found: Evidence, intent: Intent) -> tuple[str, ...]:
        """The words of the question that spoke for an intent most, as the user wrote them."""
        at = self.intents.index(intent)
        spans, by_words = self._words(found)
        adds: defaultdict[str, float] = defaultdict(float)
        for (start, end), added in zip(spans, by_words[:, at].tolist(), strict=True):
            adds[found.text[start:end].strip(" .,;:?").lower()] += added
        for said, share in self._by_cues(found, intent):
            adds[said] += share
        return _strongest(adds)

    def _words(self, found: Evidence) -> tuple[Sequence[Span], Floats]:
        """Where known words and pairs stand, and what each adds: less, the more there are."""
        known = [gram for gram in found.grams if gram in self.words]
        weights = self.weights[[self.words[gram] for gram in known]]
        scaled: Floats = np.float32(word_scale(len(known))) * weights
        return [found.grams[gram] for gram in known], scaled

    def _by_cues(self, found: Evidence, intent: Intent) -> Iterator[tuple[str, float]]:
        """What each cue for an intent adds to it, by its weight."""
        matched = found.cues.get(intent, {})
        if total := sum(matched.values()):
            row, column = list(found.cues).index(intent), self.intents.index(intent)
            added = float(cue_values(found)[row] * self.cues[row, column])
            yield from ((said, added * weight / total) for said, weight in matched.items())


def word_scale(known: int) -> float:
    """What a word counts among so many known ones: together they are a vector of one length."""
    return float(_WORDS / max(1, known) ** 0.5)


def cue_values(found: Evidence) -> Floats:
    """How strongly the cues speak for each intent that has any."""
    return np.array([_CUE * each for each in sums(found.cues).values()], np.float32)


def written(model: Mapping[str, Any]) -> bytes:
    """The file of a model: plain JSON."""
    return orjson.dumps(model) + b"\n"


def _strongest(adds: Mapping[str, float]) -> tuple[str, ...]:
    """The few that add most, none inside another, and no word that any sentence has."""
    chosen: list[str] = []
    for said in sorted(adds, key=lambda each: (-adds[each], each)):
        if len(chosen) == _MOST_REASONS or adds[said] < _LEAST_REASON:
            break
        is_new = not any(said in other or other in said for other in chosen)
        if said and said not in STOP_WORDS and is_new:
            chosen.append(said)
    return tuple(chosen)


@cache
def shipped() -> IntentModel:
    """The model that ships."""
    return IntentModel.read(FILE.read_bytes())
