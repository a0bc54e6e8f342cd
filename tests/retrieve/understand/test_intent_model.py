from __future__ import annotations

import numpy as np
import pytest

from core.model import Intent
from core.retrieve.understand.intent_model import IntentModel, evidence, shipped, written

DIMENSIONS = 256
FLAT = {
    "intents": [str(intent) for intent in Intent],
    "least": 0.5,
    "bias": [0.0] * 4,
    "cues": [[0.0] * 4] * 3,
    "meaning": [[0.0] * 4] * DIMENSIONS,
    "words": {"boat": [0.0] * 4},
}


def of(**changes: object) -> IntentModel:
    return IntentModel.read(written({**FLAT, **changes}))


def test_without_evidence_every_intent_is_as_likely() -> None:
    assert of().likelihoods(evidence("any boat")) == pytest.approx([0.25] * 4)


@pytest.mark.parametrize("text", ["sink the BOAT", "sink my boat, quick", "boat"])
def test_a_word_speaks_for_its_intent_and_is_the_reason(text: str) -> None:
    at = [*Intent].index(Intent.SCHEMA)
    model = of(words={"boat": [4.0 if each == at else -1.0 for each in range(4)]})
    found = evidence(text)
    assert model.likelihoods(found).argmax() == at
    assert model.reasons(found, Intent.SCHEMA) == ("boat",)
    assert model.reasons(found, Intent.ERROR) == ()


def test_a_cue_is_a_reason_in_the_words_of_the_question() -> None:
    cues = np.zeros((3, 4))
    cues[:, 2] = cues[:, 1] = 2.0
    reasons = of(cues=cues.tolist()).reasons(evidence("What happens if it sinks?"), Intent.ERROR)
    assert reasons == ("what happens if",)


def test_a_word_of_any_sentence_is_no_reason() -> None:
    model = of(words={"the": [3.0, -1.0, -1.0, -1.0], "the boat": [2.0, -1.0, -0.5, -0.5]})
    first = next(iter(Intent))
    assert model.reasons(evidence("sink the boat"), first) == ("the boat",)
    assert model.reasons(evidence("sink the ship"), first) == ()


def test_what_ships_has_weights_that_sum_to_nothing() -> None:
    """Reasons are read from the weights of one intent, so no intent may be favoured by all."""
    model = shipped()
    for weights in (model.weights, model.cues, model.meaning):
        assert np.abs(weights.sum(axis=1)).max() < 0.05  # of rounding
