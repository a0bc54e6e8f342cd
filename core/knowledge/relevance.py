"""How likely an article answers a message, 0 to 1: a logistic combination of what speaks for it.

`benchmarks/fit_knowledge.py` fits the weights on the labelled questions of `eval_sets/kb.yaml`,
leaving one article out after the other; docs/quality.md says how well they hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from core.reasons import Part

BIAS = "bias"
STATIC = "static"  # the embedder whose cosines the weights know

# By embedder; of another one's vectors the words alone say how likely it is.
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    STATIC: {BIAS: -6.73, "cosine": 7.42, "coverage": 5.74, "tagged": 4.82},
    "": {BIAS: -5.66, "coverage": 8.09, "tagged": 5.75},
}


def features(parts: Mapping[str, float], *, is_tagged: bool) -> dict[str, float]:
    """By name, of a hit's parts; `is_tagged`: with the intent that was asked for."""
    return {
        "cosine": parts.get(Part.SEMANTIC.value, 0.0),
        "coverage": parts.get(Part.COVERAGE.value, 0.0),
        "tagged": float(is_tagged),
    }


def relevance(found: Mapping[str, float], embedder: str) -> float:
    """Of one article's features; `embedder` is the store's, by name."""
    weights = WEIGHTS.get(embedder, WEIGHTS[""])
    logit = sum(weight * found.get(name, 1.0) for name, weight in weights.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
