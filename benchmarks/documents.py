"""How long a search over many documents takes, and whether each kind is found as well among others.

    python -m benchmarks.documents [--count 2000] [--questions 200]
    python -m benchmarks.documents --mixed FOLDER SPECIFICATIONS SET

The first writes documents of all types and statuses, with sections and relations, ingests them, and
asks questions made of their words: hybrid, with expansion in both directions. The second reads a
folder of real documents, alone and then beside specifications, and asks each document's headings
and each question of a labelled set of both: how often the right one is among the first ten.
CPU time of this process, so that others on the machine count little.
"""

from __future__ import annotations

import argparse
import logging
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core import Workbench
from core.evaluate.results import SampleResult
from core.evaluate.sets import sets
from core.model import Chunk, ChunkType
from core.settings import PROFILES, Settings
from core.settings.knob import Value

TYPES = ("architecture", "design", "requirement", "decision", "document")
STATUSES = ("approved", "approved", "draft", "proposed", "deprecated")
RELATIONS = ("implements", "satisfies", "references", "references")
FIRST = 10  # results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--mixed", nargs=3, type=Path, metavar=("FOLDER", "SPECIFICATIONS", "SET"))
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as scratch:
        if given.mixed:
            mixed(*given.mixed, Path(scratch))
        else:
            timed(written(Path(scratch) / "docs", given.count), given.questions, Path(scratch))


def written(folder: Path, count: int) -> Path:
    """Documents of words that are drawn as language draws them: few often, most seldom."""
    draw = random.Random(11)
    parts = ("pay", "order", "stock", "ship", "user", "ledger", "retry", "queue", "cache", "refund")
    words = [f"{a}{b}" for a in parts for b in ("", "ment", "er", "s", "ing", "able", "less")]
    words += [f"{a}-{b}" for a in parts for b in parts] + [
        f"{a}{n}" for a in parts for n in range(99)
    ]
    weights = [1 / (at + 1) for at in range(len(words))]

    def text(length: int) -> str:
        return " ".join(draw.choices(words, weights, k=length))

    for at in range(count):
        kind = TYPES[at % len(TYPES)]
        front = [f"id: DOC-{at}", f"type: {kind}", f"status: {draw.choice(STATUSES)}"]
        front += [f"version: '{draw.randint(1, 4)}.{draw.randint(0, 9)}'"]
        front += [f"subsystem: {draw.choice(parts)}"]
        front += [f"updated: 2026-{draw.randint(1, 12):02}-01"]
        named = {draw.choice(RELATIONS): f"DOC-{draw.randrange(count)}" for _ in range(2)}
        front += [f"{relation}: {other}" for relation, other in named.items()]
        if at % 20 == 0 and at:
            front.append(f"supersedes: DOC-{at - 1}")
        sections = "".join(f"\n## {text(4)}\n\n{text(80)}.\n" for _ in range(4))
        link = f"See [this](../{TYPES[at // 2 % 5]}/doc-{at // 2}.md)."
        path = folder / kind / f"doc-{at}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = "\n".join(front)
        path.write_text(f"---\n{head}\n---\n# {text(3)} {at}\n\n{text(30)}. {link}\n{sections}")
    return folder


def timed(folder: Path, count: int, scratch: Path) -> None:
    with opened(scratch / "store") as workbench:
        ingested(workbench, folder)
        asked = [question for question, _ in headings(workbench)]
    asked = random.Random(7).sample(asked, min(count, len(asked)))
    profile = {**PROFILES["documents"], "min_score": 0.0}
    for name, changes in {
        "direct results alone": {**profile, "max_depth": 0},
        "hybrid with expansion": profile,
    }.items():
        with opened(scratch / "store", **changes) as workbench:
            workbench.warm()
            told(name, workbench, asked)


def told(name: str, workbench: Workbench, asked: Sequence[str]) -> None:
    workbench.retrieve(asked[0])
    cpu, wall, reached = [], [], 0
    for question in asked:
        started, began = time.process_time(), time.perf_counter()
        context = workbench.retrieve(question)
        cpu.append(time.process_time() - started)
        wall.append(time.perf_counter() - began)
        reached += len(context.referenced_chunks)
    print(
        f"{name}: CPU p50 {percentile(cpu, 50):.1f} ms, p95 {percentile(cpu, 95):.1f} ms; "
        f"wall p50 {percentile(wall, 50):.1f} ms, p95 {percentile(wall, 95):.1f} ms; "
        f"{reached / len(asked):.1f} chunks by the graph"
    )


def mixed(folder: Path, specifications: Path, questions: Path, scratch: Path) -> None:
    with opened(scratch / "documents") as alone:
        ingested(alone, folder)
        wanted = list(headings(alone))
        print(f"documents alone: {found(alone, wanted):.3f} of {len(wanted)} headings")
    with opened(scratch / "apis") as alone:
        ingested(alone, specifications)
        print(f"specifications alone: {recall(alone, questions):.3f}")
    with opened(scratch / "both") as both:
        ingested(both, folder, specifications)
        of_documents = {"sources": "document"}
        print(f"documents in both: {found(both, wanted):.3f}; with the filter ", end="")
        print(f"{found(both, wanted, of_documents):.3f}")
        print(f"specifications in both: {recall(both, questions):.3f}; with the filter ", end="")
        print(f"{recall(both, questions, {'sources': 'api'}):.3f}")


def opened(store: Path, **changes: Value) -> Workbench:
    settings = Settings(second_look="off", log_stats=False, cache_size=0)
    return Workbench.open(store, settings=settings.replace(**changes))


def ingested(workbench: Workbench, *folders: Path) -> None:
    started = time.process_time()
    for folder in folders:
        for _ in workbench.ingest([folder]):
            pass
    held = workbench.figures()
    took = time.process_time() - started
    print(
        f"{held.documents:,} documents, {held.specs:,} APIs, {held.chunks:,} chunks; {took:.0f} s"
    )


def headings(workbench: Workbench) -> Iterator[tuple[str, str]]:
    """What a section is called with its document, and its id; none that two sections share."""
    known: dict[str, list[str]] = {}
    for chunk in workbench.chunks():
        if chunk.type is ChunkType.DOCUMENT and chunk.path and not chunk.part:
            known.setdefault(question_of(chunk), []).append(chunk.id)
    yield from ((question, ids[0]) for question, ids in sorted(known.items()) if len(ids) == 1)


def question_of(chunk: Chunk) -> str:
    """`Limits of Refunds`: the last heading and the title, as somebody would ask."""
    return f"{chunk.name} in {chunk.title}"


def found(
    workbench: Workbench,
    wanted: Sequence[tuple[str, str]],
    changes: Mapping[str, object] | None = None,
) -> float:
    """The share of questions whose section is among the first results."""
    limits = {"max_primary_results": FIRST, "min_score": 0.0, "max_depth": 0, **(changes or {})}
    hits = 0
    for question, id in wanted:
        context = workbench.retrieve(question, **limits)  # type: ignore[arg-type]
        hits += id in {each.chunk.id for each in context.primary_chunks}
    return hits / max(1, len(wanted))


def recall(
    workbench: Workbench, questions: Path, changes: Mapping[str, object] | None = None
) -> float:
    """Mean R@10 of a labelled set."""
    results = [
        each.metrics["search.recall@10"]
        for each in workbench.evaluate(
            [sets.read(questions)],
            ragas=False,
            remedies=False,
            **(changes or {}),  # type: ignore[arg-type]
        )
        if isinstance(each, SampleResult) and "search.recall@10" in each.metrics
    ]
    return sum(results) / max(1, len(results))


def percentile(values: Sequence[float], share: int) -> float:
    """In milliseconds."""
    return 1_000 * sorted(values)[min(len(values) * share // 100, len(values) - 1)]


if __name__ == "__main__":
    main()
