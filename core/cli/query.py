"""`specloupe query`: ask the store, and read the context."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.shared.opened import opened
from core.cli.shared.options import SettingsCommand, json_option, settings_options, store_option
from core.cli.shared.out import line, lines, print_json
from core.counts import counts, milliseconds, sentence
from core.errors import CallError
from core.model import TAGS, WHERE_KEYS, KnowledgeContext, Where
from core.present import rounded_down
from core.retrieve.explain.why import more_would_add

NEAREST = 3  # candidates named when none is good enough


@click.command(cls=SettingsCommand)
@click.argument("text")
@click.option(
    "--api",
    "apis",
    multiple=True,
    metavar="FILE_ID",
    help="Search only this API, base of articles, or root of documents or code, by its name.",
)
@click.option(
    "--where",
    "conditions",
    multiple=True,
    metavar="KEY=VALUE",
    help=f"Search only chunks with this value; keys: {', '.join((*WHERE_KEYS, TAGS))}. "
    "Repeat a key to allow several values.",
)
@json_option
@store_option
@settings_options
def query(
    text: str,
    apis: tuple[str, ...],
    conditions: tuple[str, ...],
    as_json: bool,
    store: str,
    settings_file: Path | None,
    **given: object,
) -> None:
    """Print the context that answers TEXT, as Markdown."""
    with opened(store, settings_file, given) as workbench:
        context = workbench.retrieve(text, apis=apis, filter_metadata=_where(conditions))
        is_empty, min_score = workbench.is_empty, workbench.settings.min_score
        limit = workbench.settings.token_limit
    if as_json:
        print_json(context.to_dict())
    else:
        lines(context.to_markdown())
        lines(f"{_summary(context, limit)}\n", err=True)
    if is_empty:
        line("The store is empty; `specloupe ingest PATH` fills it.", err=True)
    elif not context.primary_chunks and not context.retrieval_stats.timed_out:
        lines(f"{_nearest(context, min_score)}\n", err=True)


def _where(conditions: tuple[str, ...]) -> Where | None:
    allowed: dict[str, list[str | bool]] = {}
    for key, value in map(_condition, conditions):
        allowed.setdefault(key, []).append(value)
    return {k: v[0] if len(v) == 1 else {"$in": v} for k, v in allowed.items()} or None


def _condition(text: str) -> tuple[str, str | bool]:
    key, equals, value = text.partition("=")
    if not equals:
        raise CallError(f"--where {text!r} is not KEY=VALUE, type=operation for example.")
    if key == "deprecated":
        return key, _yes_or_no(value)
    return key, value


def _yes_or_no(text: str) -> bool:
    if text.lower() in ("true", "1", "yes"):
        return True
    if text.lower() in ("false", "0", "no"):
        return False
    raise CallError(f"--where deprecated: {text!r} is neither true nor false.")


def _summary(context: KnowledgeContext, token_limit: int) -> str:
    """What the context consists of, how long that took, and what a little more would add."""
    stats = context.retrieval_stats
    flags = [cut.value for cut in stats.limits_hit] + list(stats.flags)
    made = sentence(counts(context.chunks, context.total_tokens), stats, token_limit)
    took = milliseconds(stats.milliseconds.get("total", 0))
    first = f"{made}; {took}" + (f" ({', '.join(flags)})" if flags else "")
    return "\n".join([first, *more_would_add(context)])


def _nearest(context: KnowledgeContext, min_score: float) -> str:
    """Why nothing came back, and what would bring something."""
    if not (below := context.trace.hits[:NEAREST]):
        return "Nothing in the store fits the question and its filters."
    listed = ", ".join(f"{hit.chunk_id} ({rounded_down(hit.score, 0.001):.3f})" for hit in below)
    return (
        f"Nothing scored {min_score:g} or more; nearest: {listed}. "
        f"--min-score {rounded_down(below[0].score, 0.01):g} includes the first of them."
    )
