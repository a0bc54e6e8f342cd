"""The weights that were fitted: `benchmarks/fit_ranking.py` writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

FILE = Path(__file__).with_name("fitted.json")

_FITTED = json.loads(FILE.read_text(encoding="utf-8"))
SECOND_LOOK: Mapping[str, float] = _FITTED["second look"]  # by feature
FEW_LOOKED: Mapping[str, float] = _FITTED["few looked at"]
LIKELIHOOD: Mapping[str, Mapping[str, float]] = _FITTED["likelihood"]  # by evidence, by feature
CALIBRATION: Mapping[str, Sequence[tuple[float, float]]] = _FITTED["calibration"]  # by evidence
