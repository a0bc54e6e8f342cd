"""A tuning session as a story: what was tried, what is best, what that changes, how sure it is."""

from __future__ import annotations

from collections.abc import Mapping

from core.evaluate.measures import MEASURE
from core.evaluate.report.remedied import settings_said
from core.evaluate.report.tables import number, signed
from core.evaluate.tune.choose import Chosen, Grid, Option, moved_labels
from core.settings import KNOB, Value
from core.story.drawing import Dot, rows, scatter
from core.story.slide import Deck, Slide
from core.text.writing import ENGLISH, Writing

NOW = "as it is now"
MOST = 6


def of_grid(name: str, grid: Grid, found: Chosen, at: int, writing: Writing = ENGLISH) -> Deck:
    """The story of a sweep on the set `name`; `at` is the combination that is told."""
    option = found.options[at]
    slides = (
        _tried(grid, found, writing),
        _best(found, option, writing),
        _changes(grid.changes[at], writing),
        _moved(grid, at, writing),
        _sure(found, option, writing),
    )
    return Deck(f"Tuning: {name}", slides)


def _tried(grid: Grid, found: Chosen, writing: Writing) -> Slide:
    combinations = writing.counted(len(grid.changes) - 1, "other way")
    questions = writing.counted(grid.values(found.metric).shape[1], "question")
    axes: dict[str, dict[str, None]] = {}
    for name, value in (item for changes in grid.changes for item in changes.items()):
        axes.setdefault(KNOB[name].label, {})[writing.said(value)] = None
    cells = ((label, ", ".join(values)) for label, values in axes.items())
    sentence = f"{combinations} of searching were tried on {questions}."
    return Slide("What was tried", sentence, rows(cells))


def _best(found: Chosen, option: Option, writing: Writing) -> Slide:
    words, now = MEASURE[found.metric].words, found.options[0]
    value, before = (number(found.metric, one.value, writing.amount) for one in (option, now))
    sentence = f"The best reaches {value}; today it is {before}."
    dots = [
        Dot(one.tokens, one.value, _name(one, option), is_best=one.at == option.at)
        for one in found.options
    ]
    return Slide("What is best", sentence, scatter(sentence, dots, "tokens a question", words))


def _name(one: Option, best: Option) -> str:
    return "best" if one.at == best.at else NOW if not one.at else ""


def _changes(changes: Mapping[str, Value], writing: Writing) -> Slide:
    if not changes:
        return Slide("What that changes", "Nothing: today's settings are the best of those tried.")
    cells = ((writing.retold(settings_said({name: value})),) for name, value in changes.items())
    sentence = f"{writing.counted(len(changes), 'setting')} would change."
    return Slide("What that changes", sentence, rows(cells))


def _moved(grid: Grid, at: int, writing: Writing) -> Slide:
    moved = moved_labels(grid, at)
    won, lost = moved["won"], moved["lost"]
    gained = f"{writing.counted(len(won), 'answer')} would be won"
    sentence = f"{gained}, and {writing.amount(len(lost), 0)} lost."
    cells = [("won", f"“{row.sample.query}”") for row, _ in won[: MOST - min(2, len(lost))]]
    cells += [("lost", f"“{row.sample.query}”") for row, _ in lost[: MOST - len(cells)]]
    return Slide("What is won and lost", sentence, rows(cells))


def _sure(found: Chosen, option: Option, writing: Writing) -> Slide:
    sure = "more than chance" if option.is_better else "no more than chance may give"
    note = ""
    if found.held_out is not None:
        gain = signed(found.metric, found.held_out, writing.amount)
        note = f"Chosen on four fifths of the questions, the best gains {gain} on the others."
    now, before = (writing.amount(one.tokens, 0) for one in (option, found.options[0]))
    cost = f"{now} tokens a question instead of {before}"
    return Slide("How sure that is", f"The difference is {sure}, at {cost}.", note=note)
