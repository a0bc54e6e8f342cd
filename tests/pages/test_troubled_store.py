"""A store that is away or in disorder: every page says so in a sentence and stays standing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from support.ports import free_port
from support.stores import copied

from core import Workbench
from core import errors as errors_of_ours

PAGES = ("query", "graph", "compare", "apis", "evaluate", "audit", "knowledge", "ingest")


@pytest.fixture
def store(small_store: Path, tmp_path: Path) -> Path:
    """A store of one's own, to be spoilt."""
    return copied(small_store, tmp_path / "store")


def errors(app: AppTest) -> str:
    assert not app.exception
    return " ".join(each.value for each in app.error).replace("\\", "")  # Markdown is escaped


def warnings(app: AppTest) -> str:
    assert not app.exception
    return " ".join(each.value for each in app.warning)


def arrays(store: Path) -> Iterator[Path]:
    yield from (store / "index").rglob("*.bin")


@pytest.mark.parametrize("page", PAGES)
def test_a_server_that_does_not_answer_is_named(open_page, page: str) -> None:
    port = free_port()
    said = errors(open_page(page, store=f"http://127.0.0.1:{port}"))
    assert str(port) in said


@pytest.mark.parametrize("page", PAGES)
def test_a_store_that_goes_bad_while_the_pages_are_open_is_said(
    open_page, store: Path, page: str
) -> None:
    app = open_page(page, store=store)
    assert "manifest.json" not in errors(app)
    (store / "manifest.json").write_text("{", "utf-8")
    assert "manifest.json" in errors(app.run())


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "kind",
    [
        "StoreDamaged",
        *(
            pytest.param(kind, marks=pytest.mark.long)
            for kind in ("StoreBusy", "StoreMismatch", "EmbeddingError")
        ),
    ],
)
def test_no_page_tells_where_the_store_is(
    open_page, store: Path, page: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise getattr(errors_of_ours, kind)(f"{store}/runs.sqlite is away, see `ls {store}`.")

    assert str(store.parent) not in everything(open_page(page, store=store))
    st.cache_resource.clear()
    monkeypatch.setattr(Workbench, "open", fail)
    said = everything(open_page(page, store=store))
    assert "store/runs.sqlite is away, see `ls store`." in said
    assert str(store.parent) not in said


def everything(app: AppTest) -> str:
    """All that a page sends: texts, tooltips and what is behind them."""
    assert not app.exception
    nodes = (node for part in (app.main, app.sidebar) for node in part)
    return " ".join(str(node.proto) for node in nodes if node.proto).replace("\\", "")


def test_a_whole_read_index_is_not_spoken_of(open_page, store: Path) -> None:
    assert not warnings(open_page("ingest", store=store))


def test_a_store_of_an_older_version_is_said_and_mended_with_one_button(
    open_page, store: Path, mended
) -> None:
    text = (store / "manifest.json").read_text("utf-8")
    older = re.sub(r'"chunker": ?"[^"]*"', '"chunker":"0"', text)
    (store / "manifest.json").write_text(older, "utf-8")
    app = open_page("ingest", store=store)
    assert "Another version of Specloupe chunked what is stored" in warnings(app)
    app = mended(app)
    assert not warnings(app)
    assert not errors(app)
    assert not errors(open_page("query", store=store))


def test_a_damaged_read_index_is_said_and_mended_with_one_button(
    open_page, store: Path, mended
) -> None:
    app = open_page("ingest", store=store)
    spoilt = next(path for path in arrays(store) if path.stem == "chunks.bytes")
    spoilt.unlink()  # what is mapped stays whole for those who have opened it
    spoilt.write_bytes(b"")
    assert "missing or damaged" in warnings(app.run())
    assert not warnings(mended(app))
    with Workbench.open(store) as workbench:
        assert workbench.retrieve("create a user").chunks


def test_a_stale_read_index_is_said_and_mended_with_one_button(
    open_page, store: Path, mended
) -> None:
    app = open_page("ingest", store=store)
    old = shutil.copytree(store / "index", store.parent / "old")
    with Workbench.open(store) as workbench:
        list(workbench.remove(["shop"]))
        list(workbench.ingest([Path(__file__).parents[2] / "samples" / "shop.json"]))
    shutil.rmtree(store / "index")
    old.rename(store / "index")
    assert "older than the store" in warnings(app.run())
    assert not warnings(mended(app))
