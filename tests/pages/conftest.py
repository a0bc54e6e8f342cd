"""Pages as a user sees them, on a real small store."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from support import tiny_specs

from core import Workbench
from core.jobs import JOBS, State
from ui.ingest.ingest_view import JOB

ROOT = Path(__file__).parents[2]
Open = Callable[..., AppTest]

# Else each run of a page asks every installed package for components: three quarters of its time.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def build(folder: Path, specs: dict[str, dict[str, Any]]) -> Path:
    """A store of these specifications, by file name."""
    source = folder / "specs"
    source.mkdir()
    for name, spec in specs.items():
        (source / name).write_text(json.dumps(spec), "utf-8")
    with Workbench.open(folder / "store") as workbench:
        for _ in workbench.ingest([source]):
            pass
    return folder / "store"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.page)


@pytest.fixture(scope="session")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("small"), {"shop.json": tiny_specs.SHOP})


@pytest.fixture(scope="session")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("hostile"), {"hostile.json": tiny_specs.HOSTILE})


@pytest.fixture(scope="session")
def samples_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two of the sample APIs."""
    names = ("shop.json", "ticketing.json")
    specs = {name: json.loads((ROOT / "samples" / name).read_text("utf-8")) for name in names}
    return build(tmp_path_factory.mktemp("samples"), specs)


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch, small_store: Path) -> Iterator[Open]:
    """Runs a page on a store, with the address that a link gives."""

    def opened(name: str, store: Path = small_store, **address: str) -> AppTest:
        monkeypatch.setenv("SPECLOUPE_STORE", str(store))
        if not os.environ.get("RETRIEVAL_SECOND_LOOK"):  # it would take every processor but one
            monkeypatch.setenv("RETRIEVAL_SECOND_LOOK", "off")
        monkeypatch.setenv("KNOWLEDGE_TIMEOUT_MS", "60000")  # a shared machine stalls now and then
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
        app.switch_page(f"pages/{name}.py")
        for key, value in address.items():
            app.query_params[key] = value
        return app.run()

    yield opened
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def mended() -> Callable[[AppTest], AppTest]:
    """Presses the button that mends the read index, and gives the page when that is done."""

    def pressed(app: AppTest) -> AppTest:
        next(b for b in app.button if b.label == "Rebuild the read index").click().run()
        job = JOBS.wait(app.session_state[JOB], 120)
        assert job
        assert job.state is State.DONE
        return app.run()

    return pressed
