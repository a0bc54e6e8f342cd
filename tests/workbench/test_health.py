"""What is said of a read index while others write beside it."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

from support.stores import ingested, opened, version

from core.index.snapshot.checked import NOTE
from core.workbench.health import Health, State


def test_generations_and_drafts_that_come_and_go_are_no_trouble(tmp_path: Path) -> None:
    store, done = tmp_path / "store", threading.Event()
    with opened(store) as workbench:
        ingested(workbench, version(tmp_path / "apis", 1))
        beside = threading.Thread(target=_written_beside, args=(store / "index", done))
        beside.start()
        try:
            found = [workbench.health() for _ in range(200)]
        finally:
            done.set()
            beside.join()
    assert found == [Health(State.WHOLE)] * 200


def _written_beside(index: Path, done: threading.Event) -> None:
    """As whoever notes what it has checked, and a generation that is made and replaced."""
    target = index / "g-another"
    while not done.is_set():
        target.mkdir()
        for name in (f".{NOTE}.1", NOTE, "header.json"):
            (target / name).write_bytes(b"")
        shutil.rmtree(target)
