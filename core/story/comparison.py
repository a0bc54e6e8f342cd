"""Two runs of the same questions as a story: what changed, what was won and lost, what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.evaluate.compare.compare import Comparison, Delta, LabelMove, QuestionChange
from core.evaluate.report.remedied import settings_said
from core.evaluate.report.tables import number
from core.model import JSON
from core.story.drawing import lengths, rows
from core.story.slide import Deck, Slide
from core.text.markup import Markup
from core.text.plural import noun_of
from core.text.writing import ENGLISH, Writing

FOUND, TOKENS = "context.recall", "context.tokens"
MOST = 6  # questions listed on a slide


def of_comparison(name: str, compared: Comparison, writing: Writing = ENGLISH) -> Deck:
    """The story of a comparison; `name` is that of the question set."""
    deltas = {delta.metric: delta for delta in compared.deltas}
    slides = (
        _changed(compared, writing),
        *_found(deltas.get(FOUND), writing),
        _moved("What was won", "won", _of_kind(compared, "gained"), writing),
        _moved("What was lost", "lost", _of_kind(compared, "lost"), writing),
        *_cost(deltas.get(TOKENS), writing),
    )
    return Deck(f"Before and after: {name}", slides)


def _changed(compared: Comparison, writing: Writing) -> Slide:
    before = {one.name: one.before for one in compared.settings}
    after = {one.name: one.after for one in compared.settings}
    if not after:
        return Slide("What was changed", "The settings are the same; what is stored is not.")
    cells = (
        (_setting(name, before[name], writing), "→", _setting(name, after[name], writing))
        for name in after
    )
    return Slide(
        "What was changed", f"{writing.counted(len(after), 'setting')} changed.", rows(cells)
    )


def _setting(name: str, value: JSON, writing: Writing) -> str:
    return writing.retold(settings_said({name: value}))


def _found(delta: Delta | None, writing: Writing) -> Iterator[Slide]:
    if delta is None:
        return
    direction = f"{'more' if delta.gain > 0 else 'less'} than before" if delta.gain else "as before"
    share = writing.percent(delta.after, 0)
    sentence = f"The assistant gets {share} of the answers, {direction}."
    sure = "This is more than chance" if delta.is_significant else "This may be chance"
    note = f"{sure}, on {writing.counted(delta.questions, 'question')}."
    yield Slide("What is found", sentence, _pair(FOUND, delta, writing), note)


def _pair(metric: str, delta: Delta, writing: Writing) -> Markup:
    named = (("Before", delta.before), ("Now", delta.after))
    bars = [(name, value, number(metric, value, writing.amount)) for name, value in named]
    return lengths(metric, bars)


Moves = Sequence[tuple[QuestionChange, LabelMove]]


def _of_kind(compared: Comparison, kind: str) -> Moves:
    return [(one, move) for one in compared.questions for move in one.moves if move.kind == kind]


def _moved(step: str, verb: str, moves: Moves, writing: Writing) -> Slide:
    if not moves:
        return Slide(step, f"No answer was {verb}.")
    sentence = (
        f"{writing.counted(len(moves), 'answer')} {noun_of(len(moves), 'was', 'were')} {verb}."
    )
    more = len(moves) - MOST
    note = f"And {writing.amount(more, 0)} more." if more > 0 else ""
    return Slide(step, sentence, rows(_cells(moves[:MOST])), note)


def _cells(moves: Moves) -> Iterator[Sequence[str]]:
    return ((f"“{question.query}”",) for question, _ in moves)


def _cost(delta: Delta | None, writing: Writing) -> Iterator[Slide]:
    if delta is None:
        return
    word, more = "more" if delta.delta > 0 else "fewer", abs(round(delta.delta))
    difference = f"{writing.amount(more, 0)} tokens {word}" if more else "as many tokens"
    yield Slide(
        "What it costs",
        f"A question costs {difference} than before.",
        _pair(TOKENS, delta, writing),
    )
