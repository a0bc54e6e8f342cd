"""A tuning session as a story: what was tried, what is best, what that changes, how sure it is."""

from __future__ import annotations

from collections.abc import Mapping

from core.evaluate.measures import MEASURE
from core.evaluate.report.remedied import settings_said
from core.evaluate.report.tables import number
from core.evaluate.tune.choose import Chosen, Grid, Option, moved_labels
from core.settings import KNOB, Value
from core.story.drawing import Dot, rows, scatter
from core.story.slide import Deck, Slide
from core.text.plural import counted

NOW = "as it is now"
MOST = 6


def of_grid(name: str, grid: Grid, found: Chosen, at: int) -> Deck:
    """The story of a sweep on the set `name`; `at` is the combination that is told."""
    option = found.options[at]
    slides = (
        _tried(grid, found),
        _best(grid, found, option),
        _changes(grid.changes[at]),
        _moved(grid, at),
        _sure(found, option),
    )
    return Deck(f"Tuning: {name}", slides)


def _tried(grid: Grid, found: Chosen) -> Slide:
    combinations = counted(len(grid.changes) - 1, "other way")
    questions = counted(grid.values(found.metric).shape[1], "question")
    axes: dict[str, dict[str, None]] = {}
    for name, value in (item for changes in grid.changes for item in changes.items()):
        axes.setdefault(KNOB[name].label, {})[f"{value}"] = None
    cells = ((label, ", ".join(values)) for label, values in axes.items())
    sentence = f"{combinations} of searching were tried on {questions}."
    return Slide("What was tried", sentence, rows(cells))


def _best(grid: Grid, found: Chosen, option: Option) -> Slide:
    words, now = MEASURE[found.metric].words, found.options[0]
    value, before = (number(found.metric, one.value) for one in (option, now))
    sentence = f"The best reaches {value}; today it is {before}."
    dots = [
        Dot(one.tokens, one.value, _name(one, option), is_best=one.at == option.at)
        for one in found.options
    ]
    return Slide("What is best", sentence, scatter(sentence, dots, "tokens a question", words))


def _name(one: Option, best: Option) -> str:
    return "best" if one.at == best.at else NOW if not one.at else ""


def _changes(changes: Mapping[str, Value]) -> Slide:
    if not changes:
        return Slide("What that changes", "Nothing: today's settings are the best of those tried.")
    cells = ((settings_said({name: value}),) for name, value in changes.items())
    return Slide(
        "What that changes", f"{counted(len(changes), 'setting')} would change.", rows(cells)
    )


def _moved(grid: Grid, at: int) -> Slide:
    moved = moved_labels(grid, at)
    won, lost = moved["won"], moved["lost"]
    sentence = f"{counted(len(won), 'answer')} would be won, and {len(lost):,} lost."
    cells = [("won", f"“{row.sample.query}”") for row, _ in won[: MOST - min(2, len(lost))]]
    cells += [("lost", f"“{row.sample.query}”") for row, _ in lost[: MOST - len(cells)]]
    return Slide("What is won and lost", sentence, rows(cells))


def _sure(found: Chosen, option: Option) -> Slide:
    sure = "more than chance" if option.is_better else "no more than chance may give"
    note = ""
    if found.held_out is not None:
        note = (
            "Chosen on four fifths of the questions, the best gains "
            f"{found.held_out:+.3f} on the others."
        )
    cost = f"{option.tokens:,.0f} tokens a question instead of {found.options[0].tokens:,.0f}"
    return Slide("How sure that is", f"The difference is {sure}, at {cost}.", note=note)
