from __future__ import annotations

import os
import signal
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


def test_questions_share_as_many_threads_as_there_are_processors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 1)
    monkeypatch.setattr(blocks, "_SHARED", 0)
    by = set()
    for threads in range(2, 65):  # a setting that each question may have
        each_block(lambda _: by.add(threading.current_thread()), 100, threads=threads)
    assert 0 < len(by) <= (os.cpu_count() or 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # threads and a fork: what is tested
def test_a_forked_process_has_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_SHARED", 0)
    each_block(lambda _: None, BLOCK, threads=2)
    if not (child := os.fork()):
        signal.alarm(20)
        status = 1
        try:
            each_block(lambda _: None, BLOCK, threads=2)
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
