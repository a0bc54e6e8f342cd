"""Who changed what: kept in order, bounded, and readable after a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import StoreError
from core.workbench.change_log import UNREADABLE, ChangeLog, Entry


def test_the_newest_is_first(tmp_path: Path) -> None:
    log = ChangeLog(tmp_path / "store" / "changes.jsonl")
    assert log.newest() == ()
    first, second = Entry.now("ann", "ingesting", "shop.json"), Entry.now("", "auditing")
    log.add(first)
    log.add(second)
    assert log.newest() == (second, first)
    assert log.newest(1) == (second,)


def test_it_does_not_grow_for_ever(tmp_path: Path) -> None:
    log = ChangeLog(tmp_path / "changes.jsonl", largest=2_000)
    for number in range(200):
        log.add(Entry.now("ann", "labelling", str(number)))
    assert log.path.stat().st_size <= 2_000
    kept = [int(entry.of) for entry in log.newest(1_000)]
    assert kept == list(range(199, 199 - len(kept), -1))


def test_a_line_that_a_crash_cut_spoils_no_other(tmp_path: Path) -> None:
    log = ChangeLog(tmp_path / "changes.jsonl")
    log.add(before := Entry.now("ann", "ingesting"))
    with log.path.open("ab") as file:
        file.write(b'{"at": "2026-')
    log.add(after := Entry.now("ann", "removing"))
    assert log.newest() == (after, Entry("", "", UNREADABLE), before)


def test_long_names_are_cut() -> None:
    assert len(Entry.now("ann", "ingesting", "x" * 10_000).of) < 600


def test_a_log_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file, where a folder should be")
    with pytest.raises(StoreError, match="cannot be written"):
        ChangeLog(tmp_path / "store" / "changes.jsonl").add(Entry.now("ann", "ingesting"))
