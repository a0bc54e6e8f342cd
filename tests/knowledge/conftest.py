"""A store of a few articles beside an API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import api, write
from support.articles import article, base
from support.stores import QUICK

from core import Workbench

ARTICLES = (
    article(
        "cable",
        "No power",
        "# Cable\n\nWhen the lamp stays dark, check the cable and the fuse.",
        intent=["no_power"],
    ),
    article("fuse", "Blown fuse", "Replace the fuse of the lamp.", intent=["No_Power"]),
    article(
        "kite",
        "Kite keeps dark",
        "The lamp of a Kite needs a battery.",
        intent=["no_power"],
        device=["Kite"],
    ),
    article(
        "heron", "Heron radio", "The radio of a Heron hums.", intent=["noise"], device=["Heron"]
    ),
    article("parcel", "Late parcel", "A parcel takes three days to arrive.", intent=["shipping"]),
)


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("knowledge")
    write(folder / "in", {"kb.json": base(*ARTICLES), "shop.json": api("Lamp shop")})
    settings = QUICK.replace(embedder="static")
    with Workbench.open(folder / "store", settings=settings) as workbench:
        for _ in workbench.ingest([folder / "in"], formats=["all"]):
            pass
    return folder / "store"


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "empty", settings=QUICK) as workbench:
        yield workbench


@pytest.fixture
def workbench(store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("KNOWLEDGE_TIMEOUT_MS", "60000")  # a shared machine stalls now and then
    with Workbench.open(store, settings=QUICK.replace(embedder="static")) as workbench:
        yield workbench
