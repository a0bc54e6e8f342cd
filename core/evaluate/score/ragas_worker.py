"""The only module that imports ragas; run as a process by `ragas_metrics`."""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

ALIKE = 0.95  # ragas' default of 0.5 calls random pairs of templated API texts alike

Row = Mapping[str, Any]


def main() -> None:
    """Read rows from standard input, write their scores to standard output, both as JSON."""
    out, sys.stdout = sys.stdout, sys.stderr  # whatever a library prints is no result
    scorer = _load()
    _write(out, asyncio.run(scorer.score_all(json.load(sys.stdin))))


def _write(out: TextIO, scores: Sequence[Mapping[str, float]]) -> None:
    json.dump(scores, out)
    out.flush()


def _load() -> _Scorer:
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"  # read at import
    with warnings.catch_warnings():
        # they are deprecated in favour of a module that does not have these metrics yet
        warnings.simplefilter("ignore", DeprecationWarning)
        return _Scorer()


class _Scorer:
    def __init__(self) -> None:
        from ragas.dataset_schema import SingleTurnSample
        from ragas.metrics._context_precision import (
            IDBasedContextPrecision,
            NonLLMContextPrecisionWithReference,
        )
        from ragas.metrics._context_recall import IDBasedContextRecall, NonLLMContextRecall

        self.sample = SingleTurnSample
        self.by_id = [IDBasedContextRecall(), IDBasedContextPrecision()]
        self.by_text = [
            NonLLMContextRecall(threshold=ALIKE),
            NonLLMContextPrecisionWithReference(threshold=ALIKE),
        ]

    async def score_all(self, rows: Sequence[Row]) -> list[Mapping[str, float]]:
        """One event loop for all rows: one a row would cost more than the metrics."""
        return [{**await self._ids(row), **await self._texts(row)} for row in rows]

    async def _ids(self, row: Row) -> dict[str, float]:
        sample = self.sample(
            retrieved_context_ids=list(row["retrieved_ids"]),
            reference_context_ids=list(row["reference_ids"]),
        )
        return {f"ragas.{m.name}": await _score(m, sample) for m in self.by_id}

    async def _texts(self, row: Row) -> dict[str, float]:
        if not row["reference_texts"]:
            return {}
        if not row["retrieved_texts"]:  # these metrics raise on an empty list
            return {f"ragas.{m.name}": 0.0 for m in self.by_text}
        sample = self.sample(
            retrieved_contexts=list(row["retrieved_texts"]),
            reference_contexts=list(row["reference_texts"]),
        )
        return {f"ragas.{m.name}": await _score(m, sample) for m in self.by_text}


async def _score(metric: Any, sample: Any) -> float:
    """The metric, 0 where ragas says NaN: nothing was retrieved, and that raises no average."""
    score = float(await metric.single_turn_ascore(sample))
    return 0.0 if math.isnan(score) else score


if __name__ == "__main__":
    main()
