"""The second vectors of a store on a server: kept on each machine, at a pace that all share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import write
from support.servers import ChromaServer
from support.tiny_specs import SHOP

from core import Workbench
from core.index.second.fill import Filled
from core.settings import Settings

USUAL = Settings.from_values({"timeout_ms": 600_000, "log_stats": False})
pytestmark = pytest.mark.slow


@pytest.fixture
def server(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ChromaServer]:
    server = ChromaServer(tmp_path_factory.mktemp("chroma"))
    monkeypatch.setenv("CHROMA_DATABASE", server.database())
    monkeypatch.setattr("core.workbench.newest._LOOK_S", 0.0)
    yield server
    server.kill()


def test_each_machine_keeps_its_own(
    server: ChromaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path / "specs", {"shop.json": SHOP})
    for machine in ("one", "two"):
        monkeypatch.setenv("SPECLOUPE_CACHE", str(tmp_path / machine))
        with Workbench.open(server.url, settings=USUAL) as workbench:
            for _ in workbench.ingest([source]):
                pass
            rows = workbench.figures().chunks
            workbench._newest.reader()  # renews the read index of this machine
            assert workbench.looked_twice() == Filled(0, rows)
            assert list(workbench.second_look())[-1].done
            assert workbench.looked_twice() == Filled(rows, rows)
            assert list((tmp_path / machine).rglob("second/current"))
            assert workbench.retrieve("list the orders").primary_chunks
            pace = workbench._newest.store().manifest.pace
            assert pace > 0
    with Workbench.open(server.url, settings=USUAL) as workbench:
        assert workbench._newest.store().manifest.pace == pace
