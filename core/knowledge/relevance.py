"""How likely an article answers a message, 0 to 1: a logistic combination of what speaks for it.

`benchmarks/fit_knowledge.py` fits the weights on the labelled messages of `eval_sets/kb.yaml`, and
checks them leaving one article out after the other; docs/quality.md says how well they hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from core.reasons import Part

BIAS = "bias"
STATIC = "static"  # the embedder whose cosines the weights know

# By embedder; of another one's vectors the words alone say how likely it is.
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    STATIC: {BIAS: -6.06, "cosine": 7.38, "coverage": 4.63, "held": 7.46},
    "": {BIAS: -4.98, "coverage": 6.91, "held": 8.57},
}


def features(parts: Mapping[str, float], held: float) -> dict[str, float]:
    """By name, of a hit's parts. `held`: of an article with the intent that was asked for, the
    share of the message that such articles hold between them, since a host may name an intent for
    a message that is about something else; 0 of other articles."""
    return {
        "cosine": parts.get(Part.SEMANTIC.value, 0.0),
        "coverage": parts.get(Part.COVERAGE.value, 0.0),
        "held": held,
    }


def relevance(found: Mapping[str, float], embedder: str) -> float:
    """Of one article's features; `embedder` is the store's, by name."""
    weights = WEIGHTS.get(embedder, WEIGHTS[""])
    logit = sum(weight * found.get(name, 1.0) for name, weight in weights.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
