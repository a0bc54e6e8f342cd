"""Two runs of the same questions as a story: what changed, what was won and lost, what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.evaluate.compare.compare import Comparison, Delta, LabelMove, QuestionChange
from core.evaluate.report.remedied import settings_said
from core.evaluate.report.tables import number
from core.story.drawing import lengths, rows
from core.story.slide import Deck, Slide
from core.text.markup import Markup
from core.text.plural import counted, noun_of

FOUND, TOKENS = "context.recall", "context.tokens"
MOST = 6  # questions listed on a slide


def of_comparison(name: str, compared: Comparison) -> Deck:
    """The story of a comparison; `name` is that of the question set."""
    deltas = {delta.metric: delta for delta in compared.deltas}
    slides = (
        _changed(compared),
        *_found(deltas.get(FOUND)),
        _moved("What was won", "won", compared, "gained"),
        _moved("What was lost", "lost", compared, "lost"),
        *_cost(deltas.get(TOKENS)),
    )
    return Deck(f"Before and after: {name}", slides)


def _changed(compared: Comparison) -> Slide:
    before = {one.name: one.before for one in compared.settings}
    after = {one.name: one.after for one in compared.settings}
    if not after:
        return Slide("What was changed", "The settings are the same; what is stored is not.")
    cells = (
        (settings_said({name: before[name]}), "→", settings_said({name: after[name]}))
        for name in after
    )
    return Slide("What was changed", f"{counted(len(after), 'setting')} changed.", rows(cells))


def _found(delta: Delta | None) -> Iterator[Slide]:
    if delta is None:
        return
    direction = "more" if delta.gain > 0 else "less" if delta.gain < 0 else "as much"
    sentence = f"The assistant gets {delta.after:.0%} of the answers, {direction} than before."
    if not delta.gain:
        sentence = f"The assistant gets {delta.after:.0%} of the answers, as before."
    sure = "This is more than chance" if delta.is_significant else "This may be chance"
    note = f"{sure}, on {counted(delta.questions, 'question')}."
    yield Slide("What is found", sentence, _pair(FOUND, delta), note)


def _pair(metric: str, delta: Delta) -> Markup:
    named = (("Before", delta.before), ("Now", delta.after))
    return lengths(metric, [(name, value, number(metric, value)) for name, value in named])


def _moved(step: str, verb: str, compared: Comparison, kind: str) -> Slide:
    moves = [(one, move) for one in compared.questions for move in one.moves if move.kind == kind]
    if not moves:
        return Slide(step, f"No answer was {verb}.")
    sentence = f"{counted(len(moves), 'answer')} {noun_of(len(moves), 'was', 'were')} {verb}."
    more = len(moves) - MOST
    note = f"And {more:,} more." if more > 0 else ""
    return Slide(step, sentence, rows(_cells(moves[:MOST])), note)


def _cells(moves: Sequence[tuple[QuestionChange, LabelMove]]) -> Iterator[Sequence[str]]:
    return ((f"“{question.query}”",) for question, _ in moves)


def _cost(delta: Delta | None) -> Iterator[Slide]:
    if delta is None:
        return
    word = "more" if delta.delta > 0 else "fewer"
    difference = (
        f"{abs(round(delta.delta)):,} tokens {word}" if round(delta.delta) else "as many tokens"
    )
    yield Slide(
        "What it costs", f"A question costs {difference} than before.", _pair(TOKENS, delta)
    )
