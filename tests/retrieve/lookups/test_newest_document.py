"""When the newest document of a store was updated."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from support.apis import write
from support.memory import make_chunk
from support.stores import ingested, opened

from core.index.snapshot.build import current
from core.index.store import Store
from core.model import ChunkType
from core.retrieve.lookups.newest_document import NewestDocument, updated


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2026-03-01", date(2026, 3, 1)),
        ("2026-03-01T10:00:00Z", date(2026, 3, 1)),
        ("soon", None),
        ("", None),
    ],
)
def test_the_day_of_one(said: str, day: date | None) -> None:
    chunk = make_chunk("a.md:document", type=ChunkType.DOCUMENT, facts={"last_updated": said})
    assert updated(chunk) == day


def test_the_newest_of_a_store(tmp_path: Path) -> None:
    dated = "---\nupdated: {}\n---\n# T\n\nx\n\n## One\n\ny\n"
    days = {"a.md": "2025-05-05", "b.md": "2026-01-02", "c.md": "never"}
    folder = write(tmp_path / "in", {name: dated.format(day) for name, day in days.items()})
    with opened(tmp_path / "store") as workbench:
        ingested(workbench, folder)
    with Store.open(tmp_path / "store") as store:
        assert NewestDocument(current(store.index, store)).day == date(2026, 1, 2)
