from __future__ import annotations

from typing import cast

import pytest

from core.retrieve.lookups.second import is_unread, second_look
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
    assert second_look(reader, Settings(), "pay") is second
    assert second_look(reader, Settings(second_look="off"), "pay") is None


@pytest.mark.parametrize(
    ("question", "is_read"),
    [
        ("how do I pay?", True),
        ("créer une réservation", True),
        ("đặt hàng mới như thế nào", True),
        ("GET /결제", True),
        ("42?", True),
        ("결제 취소", False),
        ("订单怎么取消", False),
        ("как отменить заказ", False),
        ("إلغاء الحجز", False),
        ("ακύρωση παραγγελίας", False),
    ],
)
def test_what_its_model_cannot_read_is_not_looked_at_twice(question: str, is_read: bool) -> None:
    reader = cast(ArrayReader, Reader(LOOK))
    assert second_look(reader, Settings(), question) is (LOOK if is_read else None)
    assert is_unread(reader, Settings(), question) is not is_read
    assert not is_unread(reader, Settings(second_look="off"), question)
    assert not is_unread(cast(ArrayReader, Reader(None)), Settings(), question)
