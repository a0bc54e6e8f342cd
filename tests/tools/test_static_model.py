"""The tool that makes a static model: the same bytes each time, and nearer to its teacher."""

from __future__ import annotations

import numpy as np

from core.index.embed.normal import unit
from tools.static_model import agreement, quantised, trained, weighted

RANDOM = np.random.default_rng(1)
IDS = [RANDOM.integers(0, 40, size=int(size)) for size in RANDOM.integers(2, 9, size=60)]
WANTED = unit(RANDOM.normal(size=(60, 8)).astype(np.float32))
START = RANDOM.normal(size=(40, 8)).astype(np.float32)


def test_learning_brings_texts_nearer_to_their_targets_and_repeats_to_the_byte() -> None:
    first, second = (trained(START, IDS, WANTED, epochs=300) for _ in range(2))
    assert agreement(first, IDS, WANTED) > agreement(START, IDS, WANTED) + 0.1
    assert first.tobytes() == second.tobytes()


def test_common_tokens_count_less() -> None:
    ids = [np.array([0, 0, 0, 1])]
    common, rare = np.linalg.norm(weighted(np.ones((2, 8), np.float32), ids), axis=1)
    assert common < rare


def test_whole_numbers_keep_the_directions() -> None:
    kept = quantised(START).astype(np.float32)
    assert kept.min() >= -127
    assert (unit(kept) * unit(START)).sum(axis=1).min() > 0.999
