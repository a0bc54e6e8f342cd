"""What the pages show to those who may only look: no control that would change anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import Workbench
from core.errors import NotAllowed
from ui.access.person import READ_ONLY, SHOWS, is_read_only

Open = Callable[..., AppTest]
PAGES = ("query", "graph", "compare", "apis", "evaluate", "tune", "audit", "label", "ingest")
CHANGING = {  # labels of what changes the store
    *("Run", "Filtered vs. unfiltered", "Try", "Draw curves", "Read the scores", "Audit"),
    *("Ingest", "Ingest the sample APIs", "Ingest the uploaded files", "Rebuild the read index"),
    *("Save as golden question", "Save", "Save profile", "Add these", "Remove the selected APIs"),
    *("Convert the vectors", "Try it", "Add these"),
}
TABS = {"query": "Label", "tune": "Threshold"}


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(READ_ONLY, "on")


def labels(app: AppTest) -> set[str]:
    return {each.label for each in app.button} | {"upload" for _ in app.get("file_uploader")}


@pytest.mark.usefixtures("read_only")
@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_a_control_that_changes_the_store(open_page: Open, name: str) -> None:
    app = open_page(name)
    assert not app.exception
    assert not labels(app) & (CHANGING | {"upload"})


@pytest.mark.usefixtures("read_only")
@pytest.mark.parametrize("name", ["evaluate", "tune", "audit", "label", "ingest"])
def test_a_page_says_why(open_page: Open, name: str) -> None:
    assert any(SHOWS in caption.value for caption in open_page(name).caption)


@pytest.mark.usefixtures("read_only")
def test_labelling_an_answer_is_off(open_page: Open) -> None:
    app = open_page("query", q="delete an order", view="Label")
    assert any(f"Labelling is off. {SHOWS}" in caption.value for caption in app.caption)
    assert not labels(app) & CHANGING


def test_everybody_else_has_them(open_page: Open) -> None:
    assert {"Run", "Filtered vs. unfiltered"} <= labels(open_page("evaluate"))
    assert "Ingest" in labels(open_page("ingest"))


@pytest.mark.usefixtures("read_only")
def test_what_a_page_gets_refuses_too(open_page: Open, small_store: Path) -> None:
    """Also where a browser presses what is not on the page."""
    from core.workbench.attended import Person, attended

    with Workbench.open(small_store) as workbench, pytest.raises(NotAllowed, match="Ingesting"):
        attended(workbench, Person(why_not=SHOWS)).ingest([])


def test_who_changed_what_is_shown_to_those_who_may(open_page: Open, small_store: Path) -> None:
    from core.workbench.change_log import Entry

    with Workbench.open(small_store) as workbench:
        workbench.change_log.add(Entry.now("ann@example.org", "deleting a run", "<b>x</b>"))
    app = open_page("ingest")
    app.session_state["changes"] = True
    shown = "".join(each.value for each in app.run().html)
    assert "ann@example.org" in shown
    assert "&lt;b&gt;x" in shown


@pytest.mark.parametrize(
    ("value", "means"), [("", False), ("off", False), ("0", False), ("on", True), ("1", True)]
)
def test_the_switch(value: str, means: bool) -> None:
    assert is_read_only({READ_ONLY: value}) is means
