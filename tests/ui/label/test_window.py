"""What a window knows: what it said since the page was drawn, and where it goes."""

from __future__ import annotations

from dataclasses import replace

from core.evaluate.labelling.judgement import Judgement
from core.evaluate.labelling.sources import of_query
from core.evaluate.labelling.versions import Labelled, Origin, Question, Version
from ui.label.window import Window

DRAWN = Labelled(Question(of_query("How do I create a user?"), Origin.PASTED))
FIRST = Version("1", "Ann", "2026-01-01", Judgement((("a",),)))
SECOND = Version("2", "Ann", "2026-01-02", Judgement((("a",), ("b",))), after=("1",))


def test_what_was_said_since_the_page_was_drawn_is_known() -> None:
    window = Window()
    window.spoke("mine", DRAWN, FIRST, (None, False))
    assert window.known("mine", DRAWN).of("Ann") == (FIRST,)
    window.spoke("mine", DRAWN, SECOND, (FIRST.judgement, False))
    assert window.known("mine", DRAWN).of("Ann") == (SECOND,)
    assert window.known("other", DRAWN) == DRAWN


def test_what_the_page_shows_is_not_known_twice() -> None:
    window = Window()
    window.spoke("mine", DRAWN, FIRST, (None, False))
    shown = replace(DRAWN, versions=(FIRST,))
    assert window.known("mine", shown) == shown


def test_another_question_begins_afresh() -> None:
    window = Window(page=2, shown="a")
    window.leave(DRAWN)
    assert (window.at, window.page, window.shown) == (DRAWN.question.sample.id, 0, "")
    assert window.leaves_search
    window.leave(None)
    assert window.at == ""
