"""`specloupe convert`: question sets from and to BEIR, TREC and ragas, and between our formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from core.cli.shared.options import store_option
from core.cli.shared.out import line, write
from core.errors import CallError
from core.evaluate.sets import exchange, sets
from core.evaluate.sets.gold import Gold, resolved
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.lint import check
from core.evaluate.sets.sample import EvalSet, Sample
from core.workbench.workbench import Workbench

OURS = ("yaml", "json", "jsonl", "csv")
AS_JSON = ("json", "jsonl", "ragas")
THEIRS = {"trec": exchange.to_qrels, "ragas": exchange.to_ragas}


@click.command()
@click.argument("source", metavar="EVAL_SET", type=click.Path(path_type=Path))
@click.option("--to", "style", required=True, type=click.Choice((*OURS, *THEIRS, "beir")))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="File to write, or folder for BEIR; printed if not given.",
)
@click.option(
    "--questions",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="EVAL_SET holds TREC judgements; this file holds their questions, as "
    "`id<TAB>question` lines or BEIR's JSON lines.",
)
@click.option(
    "--any-of",
    is_flag=True,
    help="Treat the relevant documents of a BEIR or TREC question as alternatives.",
)
@store_option
def convert(
    source: Path, style: str, out: Path | None, questions: Path | None, any_of: bool, store: str
) -> None:
    """Convert a question set between BEIR, TREC, ragas and Specloupe's own formats.

    For BEIR, TREC and ragas, labels are written as element ids, so the labelled elements must be in
    the store.
    These formats cannot express alternatives, so every label becomes a relevant document.
    """
    eval_set = _read(source, questions, any_of=any_of)
    if style in OURS:
        write(out, sets.dump(eval_set, f".{style}"), is_json=style in AS_JSON)
        return
    if style == "beir" and out is None:
        raise CallError("--to beir writes a folder; name it with --out.")
    with Workbench.open(store, create=False) as workbench:
        gold = _gold_of(eval_set, workbench.labels())
        if style != "ragas":
            _tell_unanswered(eval_set, gold)
        if style in THEIRS:
            write(out, THEIRS[style](eval_set, gold), is_json=style in AS_JSON)
        elif out:
            _write_beir(out, eval_set, gold, workbench)


def _read(source: Path, questions: Path | None, *, any_of: bool) -> EvalSet:
    if questions is not None:
        queries = exchange.read_queries(sets.text_of(questions), str(questions))
        judgements = sets.text_of(source)
        return exchange.from_qrels(queries, judgements, name=str(source), any_of=any_of)
    return exchange.read(source, any_of=any_of)


def _gold_of(eval_set: EvalSet, labels: Labels) -> Callable[[Sample], Gold]:
    check(eval_set, labels)
    return lambda sample: resolved(sample, labels)


def _tell_unanswered(eval_set: EvalSet, gold: Callable[[Sample], Gold]) -> None:
    """A question that nothing answers has no judgement, and those tools leave it out."""
    if left := sum(not gold(sample).groups for sample in eval_set.samples):
        line(
            f"{left} of {len(eval_set.samples)} questions have no answer and therefore no "
            "judgement, so they are missing from the result.",
            err=True,
        )


def _write_beir(
    folder: Path, eval_set: EvalSet, gold: Callable[[Sample], Gold], workbench: Workbench
) -> None:
    queries, qrels = exchange.to_beir(eval_set, gold)
    write(folder / "qrels" / "test.tsv", qrels)
    write(folder / "queries.jsonl", queries)
    write(folder / "corpus.jsonl", "".join(exchange.to_corpus(workbench.chunks())))
