"""Whether a question is looked at twice."""

from __future__ import annotations

from core.retrieve.reader import ArrayReader, SecondLook
from core.settings import Search

_LATIN = "\u024f"  # the last letter that the second model, which learnt English, may have seen


def second_look(reader: ArrayReader, settings: Search, question: str) -> SecondLook | None:
    """The second look at the rows of a reader; None where a setting or the store has none, or its
    model does not read the question."""
    return None if settings.second_look == "off" or not _is_read(question) else reader.second


def is_unread(reader: ArrayReader, settings: Search, question: str) -> bool:
    """Whether a question goes without its second look because of its script."""
    has_one = settings.second_look != "off" and reader.second is not None
    return has_one and not _is_read(question)


def _is_read(question: str) -> bool:
    """Whether most letters are Latin: of others the model knows single ones, and no words."""
    if question.isascii():
        return True
    letters = [letter for letter in question if letter.isalpha()]
    return 2 * sum(letter <= _LATIN for letter in letters) >= len(letters)
