"""The Knowledge page by what a user sees: coverage, gaps, a message, the last sync."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support.articles import article, base

from core import Workbench
from core.errors import SyncError

ARTICLES = (
    article(
        "cable",
        "No <b>power</b>",
        "When the lamp stays dark, check the cable.",
        intent=["no_power"],
    ),
    article(
        "kite",
        "Kite keeps dark",
        "The lamp of a Kite needs a battery.",
        intent=["no_power"],
        device=["Kite"],
    ),
    {
        **article("parcel", "Late parcel", "A parcel takes three days.", intent=["shipping"]),
        "url": "javascript:alert(1)",
    },
)


def seen(app: AppTest) -> str:
    kinds = (app.html, app.markdown, app.caption, app.info, app.warning, app.error)
    return "\n".join(str(e.value) for kind in kinds for e in kind)


@pytest.fixture
def synced(tmp_path: Path) -> Path:
    file = tmp_path / "kb.json"
    file.write_text(base(*ARTICLES), "utf-8")
    with Workbench.open(tmp_path / "store") as workbench:
        for _ in workbench.sync(str(file)):
            pass
        file.write_text("{", "utf-8")
        with pytest.raises(SyncError):
            list(workbench.sync(str(file)))
    return tmp_path / "store"


def test_an_empty_store_says_where_to_begin(open_page: Any, tmp_path: Path) -> None:
    app = open_page("knowledge", store=tmp_path / "none")
    assert not app.exception
    assert "The store is empty" in app.info[0].value


def test_a_store_without_articles_says_how_they_come(open_page: Any) -> None:
    app = open_page("knowledge")
    assert not app.exception
    assert "specloupe sync URL" in app.info[0].value


def test_coverage_gaps_and_the_last_sync(open_page: Any, synced: Path) -> None:
    app = open_page("knowledge", store=synced)
    assert not app.exception
    assert [each.value for each in app.subheader] == [
        "Coverage by intent and product",
        "Gaps, the worst first",
        "What messages lacked",
        "Try a message",
        "Last sync",
    ]
    text = seen(app)
    assert "medium at most" in text
    assert "1 article for it: 2 more for high coverage" in text
    assert "3 added, 0 changed, 0 unchanged, 0 removed, 0 refused" in text
    assert "The last attempt" in app.warning[0].value
    assert str(synced.parent) not in text


def test_a_message_gets_sources_and_what_is_lacking(open_page: Any, synced: Path) -> None:
    app = open_page("knowledge", store=synced)
    app.text_input(key="message_text").set_value("My lamp stays dark in Lisbon")
    app.selectbox(key="message_intent").set_value("no_power")
    next(b for b in app.button if b.label == "Ask").click().run()
    assert not app.exception
    text = seen(app)
    assert '<a href="https://help.example/cable" target="_blank"' in text
    assert "No &lt;b&gt;power&lt;/b&gt;" in text
    assert ">Lisbon</span>" in text
    app.text_input(key="message_text").set_value("When does my parcel arrive?")
    app.selectbox(key="message_intent").set_value("shipping")
    next(b for b in app.button if b.label == "Ask").click().run()
    assert 'href="javascript' not in seen(app)
    assert "javascript:alert(1)<" in seen(app)  # as text
    assert "no_power" in seen(app)  # of the message before, which is counted


def test_query_shows_articles_as_cards(open_page: Any, synced: Path) -> None:
    app = open_page("query", store=synced, q="Why does the lamp stay dark?")
    assert not app.exception
    text = seen(app)
    assert '<a href="https://help.example/cable"' in text
    assert 'class="sl-excerpt">When the lamp' in text.replace("<mark>", "").replace("</mark>", "")
