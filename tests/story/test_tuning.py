from __future__ import annotations

from support.german import GERMAN
from support.retrieved import A

from core.evaluate.sets.sample import Sample
from core.evaluate.tune.choose import Grid, chosen
from core.evaluate.tune.measured import Measured, Row
from core.settings import Settings
from core.story.tuning import of_grid

RECALL = "context.recall"


def _grid(*right: int) -> Grid:
    """Depths that answer the first so many of forty questions."""
    changes = [{}, *({"max_depth": n} for n in range(1, len(right)))]
    settings = [Settings(max_depth=n) for n in range(len(right))]
    return Grid(changes, settings, [_row(n, right) for n in range(40)])


def _row(n: int, right: tuple[int, ...]) -> Row:
    contexts = tuple(
        Measured({RECALL: float(n < found), "context.tokens": 100.0 + at}, int(n < found))
        for at, found in enumerate(right)
    )
    return Row(
        Sample(f"{n}", f"q{n}", relevant=(A,)), ((A,),), (), contexts, tuple(range(len(right)))
    )


def test_the_best_is_told_with_what_it_changes() -> None:
    grid = _grid(20, 36, 19)
    deck = of_grid("set", grid, chosen(grid, RECALL), 1)
    told = {slide.step: slide.sentence for slide in deck.slides}
    assert told["What was tried"] == "2 other ways of searching were tried on 40 questions."
    assert told["What is best"] == "The best reaches 0.900; today it is 0.500."
    assert told["What that changes"] == "1 setting would change."
    assert told["What is won and lost"] == "16 answers would be won, and 0 lost."
    assert "more than chance, at 101 tokens" in told["How sure that is"]


def test_what_may_be_chance_is_told_so() -> None:
    grid = _grid(20, 21)
    deck = of_grid("set", grid, chosen(grid, RECALL), 1)
    assert "no more than chance may give" in deck.slides[-1].sentence


def test_todays_settings_change_nothing() -> None:
    grid = _grid(20, 10)
    deck = of_grid("set", grid, chosen(grid, RECALL), 0)
    assert "today's settings are the best" in deck.slides[2].sentence


def test_numbers_are_written_as_their_reader_does() -> None:
    grid = _grid(20, 36, 19)
    deck = of_grid("set", grid, chosen(grid, RECALL), 1, GERMAN)
    assert "The best reaches 0,900; today it is 0,500." in {s.sentence for s in deck.slides}
    assert " gains +0,400 on the others." in deck.slides[-1].note
