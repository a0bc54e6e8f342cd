"""Whether a question is looked at twice."""

from __future__ import annotations

from core.retrieve.reader import ArrayReader, SecondLook
from core.settings import Search


def second_look(reader: ArrayReader, settings: Search) -> SecondLook | None:
    """The second look at the rows of a reader; None where a setting or the store has none."""
    return None if settings.second_look == "off" else reader.second
