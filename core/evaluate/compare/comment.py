"""What a change won and lost, as a part of a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.evaluate.compare.compare import Comparison, LabelMove, QuestionChange, compare, paired
from core.evaluate.results import RunResult
from core.text.safe import code

MOST = 10  # questions listed under each heading; the rest are counted


def won_and_lost(before: RunResult, after: RunResult) -> str:
    """Markdown: the headline metrics of both runs, and which answers the context won and lost."""
    if not paired(before, after)[0]:
        return "\nThe baseline shares no question with this run, so nothing is compared.\n"
    compared = compare(before, after)
    moves = [(one, move) for one in compared.questions for move in one.moves]
    lost = [pair for pair in moves if pair[1].kind == "lost"]
    gained = [pair for pair in moves if pair[1].kind == "gained"]
    return (
        "\n".join(
            (
                *_metrics(compared),
                *_answers("Lost", lost),
                *_answers("Won", gained),
                compared.incomparable,
            )
        ).rstrip()
        + "\n"
    )


def _metrics(compared: Comparison) -> Iterator[str]:
    yield ""
    yield "| metric | baseline | now | difference | questions better / worse |"
    yield "|---|---:|---:|---:|---:|"
    for one in compared.deltas:
        chance = "" if one.is_significant or not one.delta else " (may be chance)"
        yield (
            f"| {one.metric} | {one.before:.4f} | {one.after:.4f} | {one.delta:+.4f}{chance} "
            f"| {one.wins} / {one.losses} |"
        )


def _answers(heading: str, moves: Sequence[tuple[QuestionChange, LabelMove]]) -> Iterator[str]:
    """What left or entered the context, an answer a row."""
    yield from ("", f"#### {heading}: {len(moves)}")
    if not moves:
        return
    yield from ("", "| question | answer | rank, baseline → now |", "|---|---|---|")
    for question, move in moves[:MOST]:
        ranks = f"{_rank(move.rank_before)} → {_rank(move.rank_after)}"
        yield f"| {code(question.query, 160)} | {' or '.join(map(code, move.labels))} | {ranks} |"
    if len(moves) > MOST:
        yield from ("", f"{len(moves) - MOST} more are not listed.")


def _rank(rank: int) -> str:
    return str(rank) if rank else "not found"
