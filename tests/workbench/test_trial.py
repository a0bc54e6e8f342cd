"""The copy of a store in which a newer version is tried; the rest is in `cli/test_audit.py`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.stores import ingested, opened, version

from core.index.chroma.place import place_of
from core.index.disk.lock import ROWS, STORE
from core.workbench.trial import copied


def test_what_goes_while_it_is_copied_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, original = tmp_path / "store", shutil.copy2
    with opened(store) as workbench:
        ingested(workbench, version(tmp_path / "one", 1))
    kept = {path.name for path in store.iterdir()} - {STORE, ROWS}
    (beside := store / "statistics.sqlite-wal").touch()

    def copy2(source: str, target: str) -> str:
        beside.unlink(missing_ok=True)  # somebody's statistics are written
        return original(source, target)

    monkeypatch.setattr(shutil, "copy2", copy2)
    with copied(place_of(str(store))) as copy:
        assert {path.name for path in copy.iterdir()} == kept
        with opened(copy) as workbench:
            assert workbench.retrieve("write users of Shop").chunks
    assert not copy.exists()
