"""Slides, and the deck that they make: one sentence and one picture each."""

from __future__ import annotations

from dataclasses import dataclass

from core.text.markup import Markup

NOTHING = Markup()


@dataclass(frozen=True, slots=True)
class Slide:
    step: str  # what this part of the story is: `The question`
    sentence: str  # all that has to be read
    picture: Markup = NOTHING
    note: str = ""  # a smaller line below the picture


@dataclass(frozen=True, slots=True)
class Deck:
    title: str
    slides: tuple[Slide, ...]
