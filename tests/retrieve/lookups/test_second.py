from __future__ import annotations

from typing import cast

import pytest

from core.retrieve.lookups.second import second_look
from core.retrieve.reader import ArrayReader
from core.settings import Settings

LOOK = object()


class Reader:
    """As much of a reader as is asked for its second look."""

    def __init__(self, second: object) -> None:
        self.second = second


@pytest.mark.parametrize("second", [LOOK, None], ids=["a second look", "none"])
def test_a_setting_turns_off_the_second_look_that_a_store_has(second: object) -> None:
    reader = cast(ArrayReader, Reader(second))
    assert second_look(reader, Settings()) is second
    assert second_look(reader, Settings(second_look="off")) is None
