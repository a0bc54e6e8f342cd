"""What written questions add where a question has other words than the specifications.

    python -m benchmarks.written --store FOLDER [--set kept] [--all]

`benchmarks/sets/written_220.json` holds two questions for each of 226 operations and schemas of the
220-specification corpus, as a good model would write them: what the paraphrased questions of the
learning and of the kept half want, and about as many elements that were found in their place. They
were written from the elements' texts, before anything was measured with them. So this is an upper
bound. With `--all` every other element has the beginning of its own description as its question.

Other rows show good answers in the place of the model that expands the question, and of the one
that reranks (`benchmarks.models`). FOLDER is copied, and not changed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.models import Good
from core import Workbench
from core.evaluate.results import RunResult
from core.evaluate.sets.exchange import read
from core.evaluate.sets.sample import EvalSet, Sample
from core.index.snapshot.snapshot import Snapshot
from core.index.snapshot.texts import text_key
from core.index.written.fill import publish, wanted
from core.index.written.questions import Questions
from core.settings import Settings

SETS = Path(__file__).parent / "sets"
SHOWN = ("search.hit@1", "search.recall@10", "context.recall")
WORDS = 14  # of a description that stand for a question
ROWS: Mapping[str, Mapping[str, Any]] = {
    "none": {"written_weight": 0.0},
    "written, weight .5": {"written_weight": 0.5},
    "written, weight 1": {"written_weight": 1.0},
    "written, weight 1.5": {"written_weight": 1.5},
    "expand the question": {"written_weight": 0.0, "query_expansion": "model", "expansion": 0.3},
    "rerank": {"written_weight": 0.0, "rerank": "model"},
    "written, and rerank": {"written_weight": 1.0, "rerank": "model"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--set", choices=("learn", "kept"), default="kept")
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    asked = read(SETS / f"{given.set}_220.yaml").samples
    settings = Settings(log_stats=False, llm_model="the labels", timeout_ms=600_000)
    with tempfile.TemporaryDirectory() as scratch:
        store = Path(scratch) / "store"
        shutil.copytree(given.store, store)
        with Workbench.open(store, settings=settings) as workbench:
            put(workbench, everything=given.all)
            workbench._models = Good([plainly(sample) for sample in asked], workbench)
            is_paraphrase = [sample for sample in asked if "paraphrase" in sample.tags]
            others = [sample for sample in asked if "paraphrase" not in sample.tags]
            told(workbench, "paraphrased", is_paraphrase)
            told(workbench, "others", others)


def plainly(sample: Sample) -> Sample:
    """With each alternative as a label of its own, as good answers are made from."""
    others = (label for group in sample.alternatives for label in group)
    return replace(sample, relevant=(*sample.relevant, *others), alternatives=())


def put(workbench: Workbench, *, everything: bool) -> None:
    """Write the recorded questions into the store, as if a model had."""
    reader, folder = workbench._newest.reader(), workbench._newest.store().written
    said = json.loads((SETS / "written_220.json").read_text("utf-8"))
    rows = {row: each for id, each in said.items() if (row := reader.row(id)) is not None}
    kept = {text_key(reader.text(row)): each for row, each in rows.items()}
    if everything:
        kept = {key: [own_words(reader, row)] for key, row in wanted(reader).items()} | kept
    Questions(folder).put(kept, "recorded")
    publish(folder, workbench._embed())


def own_words(reader: Snapshot, row: int) -> str:
    """What it says of itself, after the line that names it."""
    _, _, rest = reader.text(row).partition("\n")
    return " ".join(rest.split()[:WORDS]) or reader.chunk(row).label


def told(workbench: Workbench, title: str, samples: Sequence[Sample]) -> None:
    print(f"{title}, {len(samples)} questions")
    for name, changes in ROWS.items():
        *_, run = workbench.evaluate(
            [EvalSet(title, tuple(samples))], ragas=False, remedies=False, **changes
        )
        assert isinstance(run, RunResult)
        figures = "".join(f"{run.metrics[each]:10.3f}" for each in SHOWN)
        print(f"{name:22}{figures}", flush=True)


if __name__ == "__main__":
    main()
