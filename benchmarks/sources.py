"""Measure how well documents and code are found, beside plain vectors, BM25 and the usual hybrid.

    python -m benchmarks.sources [--work DIR]

The questions of `eval_sets/documents.yaml` are asked of everything in the samples and of documents
alone, those of `eval_sets/code.yaml` of the sample code, with and without the language or the file
that they name as a filter. Prints the table of `benchmarks.quality`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from benchmarks.quality import DEFAULT, VARIANTS, Asked, ask, differences, table
from core import Workbench
from core.evaluate.sets import sets
from core.evaluate.sets.sample import EvalSet
from core.functions.search import file_id
from core.settings import Settings

ROOT = Path(__file__).parents[1]
SAMPLES, SETS = ROOT / "samples", ROOT / "eval_sets"


def opened(store: Path, folder: Path, formats: tuple[str, ...]) -> Workbench:
    """The store of a folder, made when it is missing, with second vectors."""
    workbench = Workbench.open(store, settings=Settings(log_stats=False, cache_size=0))
    if workbench.is_empty:
        for _ in workbench.ingest([folder], formats=formats):
            pass
    for _ in workbench.second_look():
        pass
    return workbench


def measured(
    workbench: Workbench, questions: EvalSet, changes: Mapping[str, Any]
) -> Mapping[str, list[Asked]]:
    """What each question got, by way of searching."""
    labels = workbench.labels()
    return {
        name: ask(workbench, questions, labels, **{**variant, **changes})
        for name, variant in VARIANTS.items()
    }


def tagged(questions: EvalSet, tag: str) -> EvalSet:
    samples = tuple(sample for sample in questions.samples if tag in sample.tags)
    return replace(questions, samples=samples)


def filtered(questions: EvalSet, facet: Callable[[str], str]) -> EvalSet:
    """Each question under the filter for what its second tag names."""
    samples = (replace(each, facets=(facet(each.tags[1]),)) for each in questions.samples)
    return replace(questions, samples=tuple(samples))


def documents(work: Path) -> Iterator[tuple[str, Mapping[str, list[Asked]]]]:
    questions = sets.read(SETS / "documents.yaml")
    with opened(work / "everything", SAMPLES, ("api", "document", "code", "article")) as workbench:
        yield "documents, everything searched", measured(workbench, questions, {})
        alone = {"sources": "document"}
        yield "documents alone", measured(workbench, questions, alone)


def code(work: Path) -> Iterator[tuple[str, Mapping[str, list[Asked]]]]:
    questions = sets.read(SETS / "code.yaml")
    with opened(work / "code", SAMPLES / "code", ("code",)) as workbench:
        facets: Mapping[str, Callable[[str], str]] = {
            "by-language": lambda name: f"language={name}",
            "by-file": lambda path: f"source_file={file_id(workbench, path)}",
        }
        yield "code", measured(workbench, questions, {})
        for tag, facet in facets.items():
            some = tagged(questions, tag)
            yield f"code, {tag}", measured(workbench, some, {})
            yield f"code, {tag}, with the filter", measured(workbench, filtered(some, facet), {})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--work", type=Path, default=Path(gettempdir()) / "specloupe-sources")
    work = parser.parse_args().work
    found = {**dict(documents(work)), **dict(code(work))}
    print(table(found), differences(found, {g: by[DEFAULT] for g, by in found.items()}), sep="\n\n")


if __name__ == "__main__":
    main()
