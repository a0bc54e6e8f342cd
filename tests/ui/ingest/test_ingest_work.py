from __future__ import annotations

from pathlib import Path

from support.stores import ingested, opened

from core.jobs import Step
from ui.ingest.ingest_work import INDEXING, WHOLE, rebuilding


def test_a_rebuild_says_its_share(tmp_path: Path) -> None:
    with opened(tmp_path / "store") as workbench:
        ingested(workbench, Path(__file__).parents[3] / "samples")
        count = len(workbench.reports())
        first, *steps = rebuilding(workbench)
    assert count > 1
    assert first == Step(0, INDEXING)
    assert [(step.done, step.text.split(" · ")[0]) for step in steps] == [
        (round(WHOLE * done / count), f"{done} of {count} files") for done in range(1, count + 1)
    ]
