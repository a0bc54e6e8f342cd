"""The Audit page by what a user sees: start, look, take along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support import tiny_specs
from support.stores import copied

from core import Workbench
from core.jobs import JOBS, State


def seen(app: AppTest) -> str:
    kinds = (app.html, app.markdown, app.caption, app.info, app.success, app.warning, app.error)
    return "\n".join(str(e.value) for kind in kinds for e in kind)


def button(app: AppTest, label: str) -> Any:
    return next(b for b in app.button if b.label == label)


SET = b"""
- {id: a, query: How do I create a user?, relevant: [POST /users]}
- {id: b, query: list all users, relevant: [GET /users]}
"""


def plain(markdown: str) -> str:
    return markdown.replace("\\", "").replace("\u2060", "")


@pytest.fixture
def store(samples_store: Path, tmp_path: Path) -> Path:
    return copied(samples_store, tmp_path / "store")


@pytest.fixture
def audited(store: Path) -> Path:
    with Workbench.open(store) as workbench:
        for _ in workbench.audit():
            pass
    return store


def test_an_empty_store_says_where_to_begin(open_page: Any, tmp_path: Path) -> None:
    app = open_page("audit", store=tmp_path / "none")
    assert not app.exception
    assert "The store is empty" in app.info[0].value


def test_the_button_audits_in_the_background(open_page: Any, store: Path) -> None:
    app = open_page("audit", store=store)
    assert "Not audited yet" in app.info[0].value
    button(app, "Audit").click().run()
    assert not app.exception
    if "audit" in app.session_state:  # unless it is over already
        job = JOBS.wait(app.session_state["audit"], 120)
        assert job
        assert job.state is State.DONE
    app.run()
    assert not app.exception
    assert "no sufficient one" in seen(app)
    assert "audit" not in app.query_params
    assert button(app, "Audit again")


def test_shares_findings_and_a_link_to_query(open_page: Any, audited: Path) -> None:
    app = open_page("audit", store=audited)
    assert not app.exception
    assert [each.value for each in app.subheader] == [
        "Found by API",
        "Found by kind of question",
        "What is wrong, the worst first",
    ]
    table = app.dataframe[0].value
    assert list(table.columns)[:4] == ["element", "API", "finding", "found"]
    assert set(table["API"]) <= {"shop", "ticketing"}
    links = [e.proto for e in app.get("page_link") if e.proto.label == "Open in Query"]
    assert links
    assert "q=" in links[0].query_string


def test_one_api_offers_its_overlay(open_page: Any, audited: Path) -> None:
    app = open_page("audit", store=audited, of="shop")
    assert not app.exception
    assert set(app.dataframe[0].value["API"]) == {"shop"}
    offered = [each.proto.label for each in app.get("download_button")]
    assert offered == ["Download JSON", "Download the slides", "Download Overlay"]


def test_all_apis_say_why_there_is_no_overlay(open_page: Any, audited: Path) -> None:
    app = open_page("audit", store=audited)
    assert [each.proto.label for each in app.get("download_button")] == [
        "Download JSON",
        "Download the slides",
    ]
    assert "Choose one API" in seen(app)


def test_findings_are_filtered_by_cause(open_page: Any, audited: Path) -> None:
    app = open_page("audit", store=audited)
    causes = app.button_group(key="cause ")
    causes.set_value(causes.options[0]).run()
    assert not app.exception
    chosen, _, count = causes.options[0].partition(" · ")
    assert set(app.dataframe[0].value["finding"]) == {chosen}
    assert len(app.dataframe[0].value) == int(count)


def test_a_newer_version_is_tried_and_not_stored(
    open_page: Any, small_store: Path, tmp_path
) -> None:
    store = copied(small_store, tmp_path / "store")
    with Workbench.open(store) as workbench:
        workbench.kept.keep_set("ours.yaml", SET)
    spec = json.loads(json.dumps(tiny_specs.SHOP))
    del spec["paths"]["/users"]["post"]
    app = open_page("audit", store=store)
    app.session_state["audit part"] = "Newer version"
    app.run()
    assert button(app, "Try it").disabled
    data = json.dumps(spec).encode()
    app.get("file_uploader")[0].set_value([("next.json", data, "application/json")])
    app.selectbox(key="newer api").select("shop")
    app.multiselect(key="newer sets").select("ours.yaml (uploaded)").run()
    button(app, "Try it").click().run()
    if "audit" in app.session_state:  # unless it is over already
        assert JOBS.wait(app.session_state["audit"], 120).state is State.DONE
    app.run()
    assert not app.exception
    assert "shop: the newer version" in [each.value for each in app.subheader]
    fates = app.dataframe[0].value
    assert "POST /users" in set(fates[fates[""] == "gone"]["element"])
    assert "POST /users of the question a (ours) is gone" in plain(seen(app))
    with Workbench.open(store) as workbench:
        assert workbench.show("shop.json:paths/users/post")


def test_a_newer_version_that_is_none_says_so(open_page: Any, audited: Path) -> None:
    app = open_page("audit", store=audited)
    app.session_state["audit part"] = "Newer version"
    app.run()
    app.get("file_uploader")[0].set_value([("notes.txt", b"hello", "text/plain")])
    app.run()
    button(app, "Try it").click().run()
    if "audit" in app.session_state:
        JOBS.wait(app.session_state["audit"], 120)
        app.run()
    assert not app.exception
    assert "no API 'notes.txt' in this store" in plain(seen(app))
