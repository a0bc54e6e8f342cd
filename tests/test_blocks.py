from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import blocks
from core.blocks import BLOCK, each_block


@given(rows=st.integers(0, 3 * BLOCK))
def test_every_row_is_in_one_block(rows: int) -> None:
    each = list(blocks.blocks(rows))
    assert sum(block.stop - block.start for block in each) == rows
    assert all(one.stop == other.start for one, other in pairwise(each))
    assert all(0 < block.stop - block.start <= BLOCK for block in each)


@pytest.mark.parametrize("rows", [0, 1, 10, 1000])
@pytest.mark.parametrize("threads", [1, 3])
def test_each_is_worked_on_once(rows: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 7)
    monkeypatch.setattr(blocks, "_SHARED", 100)
    found, by = np.zeros(rows, np.int64), set()

    def work(block: slice) -> None:
        found[block] += 1
        by.add(threading.current_thread())

    each_block(work, rows, threads=threads)
    assert (found == 1).all()
    assert (threading.current_thread() in by) == (rows > 0 and (threads == 1 or rows < 100))


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_block_raises_is_raised(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_SHARED", 0)
    with pytest.raises(ZeroDivisionError):
        each_block(_fail, BLOCK, threads=threads)


def _fail(block: slice) -> None:
    raise ZeroDivisionError
