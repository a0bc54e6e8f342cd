"""Measure how well the right elements are found: the sets, the naive ways, every stage off.

    python -m benchmarks.quality --restbench DIR --socbench DIR \
        --labelled SPECS=EVAL_SET [--no-answer EVAL_SET] [--work DIR] [--set NAME=VALUE …]
        [--save FILE] [--beside FILE]

RESTBENCH and SOCBENCH have the layouts that `benchmarks.datasets` reads; `--labelled` is any folder
of specifications and an eval set over it, and `--no-answer` are questions over the first of them
that it cannot answer. Stores are made once, in the work folder. Prints Markdown tables with 95 %
bootstrap intervals: every way of searching, and what each is behind or ahead of the default, over
the same questions. `--save` keeps what each question got by default; `--beside` such a file, of
another commit or other settings, prints the differences.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from benchmarks import datasets, naive
from core import Workbench
from core.evaluate.compare.statistics import bootstrap_interval
from core.evaluate.score.score import ranked_elements
from core.evaluate.sets import sets
from core.evaluate.sets.gold import resolved
from core.evaluate.sets.labels import Labels, api_of
from core.evaluate.sets.sample import EvalSet
from core.index.embed.embedder import open_embedder
from core.model import KnowledgeContext
from core.settings import Settings

K = 10
PLAIN: Mapping[str, Any] = {
    "mode": "semantic",
    "intent_filter": "off",
    "api_filter": "off",
    "clauses": False,
    "verb_boost": 0.0,
    "producer_share": 0.0,
    "spelling": False,
    "identifiers": False,
    "local_idf": 0.0,
}
DEFAULT = "default"
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    DEFAULT: {},
    "plain vectors": PLAIN,
    "words alone (BM25)": {**PLAIN, "mode": "exact"},
    "usual hybrid (RRF 60, 0.7 to 0.3)": {
        **PLAIN,
        "mode": "hybrid",
        "fusion": "rrf",
        "vector_weight": 0.7,
        "keyword_weight": 0.3,
    },
}
ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "without the second look": {"second_look": "off"},
    "without results by parts": {"adaptive_results": False},
    "without clauses": {"clauses": False},
    "without turns": {"clause_turn": 0.0},
    "without search by name": {"named_weight": 0.0},
    "without the verb": {"verb_boost": 0.0},
    "without producers": {"producer_share": 0.0},
    "without the API step": {"api_filter": "off"},
    "with a hard API filter": {"api_filter": "hard"},
    "without intent": {"intent_filter": "off"},
    "with a hard intent filter": {"intent_filter": "hard"},
    "without rarity inside the API": {"local_idf": 0.0},
    "without spelling": {"spelling": False},
    "without exact identifiers": {"identifiers": False},
    "with terms of the chosen APIs": {"expansion": 0.3},
    "repeated elements too": {"group_repeated": False},
    "old versions where they rank": {"current_first": False},
    "diverse results": {"diversity": 0.3},
    "words only": {"mode": "exact"},
    "vectors only": {"mode": "semantic"},
    "0.7 to 0.3": {"vector_weight": 0.7, "keyword_weight": 0.3},
    "rank fusion": {"fusion": "rrf"},
}


@dataclass(frozen=True, slots=True)
class Target:
    """Questions, and the specifications that they are about."""

    group: str  # rows of the table: several targets may share one
    specs: Path
    eval_set: Path
    store: Path


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question got."""

    recall: float | None = None  # share of the gold among the first ten; None: it has none
    all: float = 0.0
    first: float = 0.0  # whether the first element is right
    apis: float = 0.0  # whether a right API is among the first three of the results
    results: float = 0.0  # share of the gold among the results of the context
    kept: float | None = None  # share of the gold among the primaries' ranks above `min_score`
    nothing: float = 0.0  # whether no primary is left


def targets(options: argparse.Namespace) -> Iterator[Target]:
    work: Path = options.work
    for number, source in enumerate(options.restbench):
        folder = work / f"restbench-{number}-{source.name}"
        datasets.restbench(source, folder)
        yield _target(source.name, folder)
    for number, source in enumerate(options.socbench):
        folder = work / f"socbench-{number}-{source.name}"
        for made in datasets.socbench(source, folder):
            where = Path(made.file).parent
            pooled = where.name == "pooled"
            yield _target(f"{source.name}, {'pooled' if pooled else 'own domain'}", where)
    for pair in options.labelled:
        specs, _, labels = pair.partition("=")
        yield _labelled(work, Path(specs), Path(labels))
    if options.no_answer:
        specs = options.labelled[0].partition("=")[0]
        yield _labelled(work, Path(specs), options.no_answer)


def _target(group: str, folder: Path) -> Target:
    return Target(group, folder / "specs", folder / "eval.yaml", folder / "store")


def _labelled(work: Path, specs: Path, labels: Path) -> Target:
    store = work / "labelled" / str(specs.absolute()).strip("/")
    return Target(sets.read(labels).name, specs, labels, store)


def opened(target: Target, settings: Settings) -> Workbench:
    """The target's store, made when it is missing."""
    workbench = Workbench.open(target.store, settings=settings)
    if workbench.is_empty:
        for _ in workbench.ingest([target.specs]):
            pass
    for _ in workbench.second_look():
        pass
    return workbench


def ask(workbench: Workbench, eval_set: EvalSet, labels: Labels, **changes: Any) -> list[Asked]:
    """Every question of a set, through the facade, under the filter that it names."""
    found = []
    for sample in eval_set.samples:
        context = workbench.retrieve(
            sample.query, filter_metadata=sample.where, cache_size=0, **changes
        )
        groups = resolved(sample, labels).groups
        ranked = [element for element, _ in ranked_elements(context)]
        found.append(_scored(ranked, groups, labels, context))
    return found


def _scored(
    ranked: Sequence[str],
    groups: Sequence[Sequence[str]],
    labels: Labels,
    context: KnowledgeContext | None = None,
) -> Asked:
    nothing = float(context is not None and not context.primary_chunks)
    if not groups:
        return Asked(nothing=nothing)
    at = [min((ranked.index(e) for e in group if e in ranked), default=K) for group in groups]
    hits = [place < K for place in at]
    first = list(dict.fromkeys(api_of(element, labels.elements) for element in ranked))[:3]
    right = {api_of(element, labels.elements) for group in groups for element in group}
    asked = Asked(
        recall=sum(hits) / len(hits),
        all=float(all(hits)),
        first=float(0 in at),
        apis=float(not right.isdisjoint(first)),
        nothing=nothing,
    )
    if context is None:
        return asked
    shown = {chunk.chunk.element for chunk in context.primary_chunks}
    results = sum(not shown.isdisjoint(group) for group in groups) / len(groups)
    return replace(asked, results=results, kept=_kept(at, context))


def _kept(places: Sequence[int], context: KnowledgeContext) -> float | None:
    """Of the gold that ranks high enough for a primary, the share above `min_score`."""
    below = {item.chunk_id for item in context.trace.left_out if item.cut == "below_min_score"}
    hits = context.trace.hits
    high = [place for place in places if place < min(5, len(hits))]
    return sum(hits[p].chunk_id not in below for p in high) / len(high) if high else None


COLUMNS = ("recall", "all", "first", "apis", "results", "kept", "empty", "silent")
TITLES = (
    "R@10",
    "all@10",
    "first right",
    "API recall@3",
    "among the results",
    "gold above min_score",
    "empty",
    "silent",
)
BEHIND = ("recall", "first", "results", "empty", "silent")  # what ways of searching differ in
Row = dict[str, tuple[float, float, float] | None]  # mean and interval


def values(asked: Sequence[Asked], column: str) -> list[float]:
    """One number a question, of those that the column is about."""
    if column in ("empty", "silent"):
        return [each.nothing for each in asked if (each.recall is None) == (column == "silent")]
    found = [getattr(each, column) for each in asked if each.recall is not None]
    return [value for value in found if value is not None]


def row(asked: Sequence[Asked]) -> Row:
    """Means and intervals of what is defined."""
    return {column: _mean(values(asked, column)) for column in COLUMNS}


def beside(asked: Sequence[Asked], other: Sequence[Asked]) -> Row:
    """How far the first is ahead of the other over the same questions, with intervals."""
    found: Row = {}
    for column in BEHIND:
        pairs = zip(values(asked, column), values(other, column), strict=True)
        found[column] = _mean([one - two for one, two in pairs])
    return found


def _mean(found: Sequence[float]) -> tuple[float, float, float] | None:
    return (sum(found) / len(found), *bootstrap_interval(found)) if found else None


Measured = Mapping[str, Mapping[str, Sequence[Asked]]]  # by group and way of searching


def measure(options: argparse.Namespace) -> Measured:
    changes = dict(each.split("=", 1) for each in options.set)
    settings = Settings.from_values({"log_stats": False, **changes})
    asked: dict[str, dict[str, list[Asked]]] = {}
    with ExitStack() as stack:
        for target in targets(options):
            workbench = stack.enter_context(opened(target, settings))
            eval_set, labels = sets.read(target.eval_set), workbench.labels()
            group = asked.setdefault(target.group, {})
            wanted = {**VARIANTS, **(ABLATIONS if options.ablations else {})}
            for name, variant in wanted.items():
                group.setdefault(name, []).extend(ask(workbench, eval_set, labels, **variant))
            for name, found in _naive(target, eval_set, labels) if options.naive else ():
                group.setdefault(name, []).extend(found)
    return asked


def _naive(target: Target, eval_set: EvalSet, labels: Labels) -> Iterator[tuple[str, list[Asked]]]:
    embedder = open_embedder("static", {})
    pieces = list(naive.operations(target.specs))
    for name, cut in (("raw JSON", pieces), ("fixed windows", list(naive.windows(pieces)))):
        search = naive.NaiveSearch(cut, embedder)
        found = []
        for sample in eval_set.samples:
            groups = resolved(sample, labels).groups
            found.append(_scored(search.ranked(sample.query), groups, labels))
        yield name, found


def table(found: Measured) -> str:
    """All rows as Markdown."""
    lines = [_line("set", "search", *TITLES), "|---" * (len(COLUMNS) + 2) + "|"]
    for group, by_way in found.items():
        for name, asked in by_way.items():
            cells = row(asked)
            lines.append(_line(group, name, *(_text(cells[c]) for c in COLUMNS)))
    return "\n".join(lines)


def differences(found: Measured, default: Mapping[str, Sequence[Asked]]) -> str:
    """How far each way is ahead of the default of its group, as Markdown."""
    titles = (TITLES[COLUMNS.index(column)] for column in BEHIND)
    lines = [_line("set", "search", *titles), "|---" * (len(BEHIND) + 2) + "|"]
    for group, by_way in found.items():
        for name, asked in by_way.items() if group in default else ():
            if asked != default[group]:
                cells = beside(asked, default[group])
                lines.append(_line(group, name, *(_signed(cells[c]) for c in BEHIND)))
    return "\n".join(lines)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _text(value: tuple[float, float, float] | None) -> str:
    return "" if value is None else f"{value[0]:.3f} ({value[1]:.2f}–{value[2]:.2f})"


def _signed(value: tuple[float, float, float] | None) -> str:
    return "" if value is None else f"{value[0]:+.3f} [{value[1]:+.3f}, {value[2]:+.3f}]"


def saved(found: Measured) -> str:
    """What each question got by default, as JSON."""
    return json.dumps({g: [asdict(each) for each in by[DEFAULT]] for g, by in found.items()})


def read(file: Path) -> dict[str, list[Asked]]:
    """What `saved` wrote."""
    held = json.loads(file.read_text(encoding="utf-8"))
    return {group: [Asked(**each) for each in asked] for group, asked in held.items()}


def arguments(description: str) -> argparse.ArgumentParser:
    """The options that name the sets."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("--restbench", type=Path, action="append", default=[], metavar="DIR")
    parser.add_argument("--socbench", type=Path, action="append", default=[], metavar="DIR")
    parser.add_argument("--labelled", action="append", default=[], metavar="SPECS=EVAL_SET")
    parser.add_argument("--no-answer", type=Path, metavar="EVAL_SET")
    parser.add_argument("--work", type=Path, default=Path(gettempdir()) / "specloupe-quality")
    return parser


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--no-ablations", dest="ablations", action="store_false")
    parser.add_argument("--no-naive", dest="naive", action="store_false")
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--beside", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.no_answer and not options.labelled:
        parser.error("--no-answer needs --labelled: the specifications that are asked")
    found = measure(options)
    print(table(found), differences(found, {g: by[DEFAULT] for g, by in found.items()}), sep="\n\n")
    if options.save:
        options.save.write_text(saved(found), encoding="utf-8")
    if options.beside:
        now = {group: {DEFAULT: by[DEFAULT]} for group, by in found.items()}
        print(
            "\nAhead of what was measured before:\n",
            differences(now, read(options.beside)),
            sep="\n",
        )


if __name__ == "__main__":
    main()
