"""Query with a model's double behind it: who took which stage, and the answer panel."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.model_double import KEY, Double, Request, Said, as_json, doubling

CREATE = "shop.json:paths/users/post"
ASKED = {"q": "How do I create a user?", "api_selection": "model"}
ANSWER = f"Use <b>POST</b> [{CREATE}], never [shop.json:paths/ghost/get]."


def reply(request: Request) -> Said:
    if request.task == "choose_apis":
        chosen = ["shop", "<script>alert(1)</script>"]
        return as_json({"selected_apis": chosen, "reasoning": "It <i>sells</i>."})
    return Said(ANSWER)


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubling(reply) as made:
        named = {"LLM_MODEL": "double", "LLM_CACHE": "false", "LLM_TIMEOUT_MS": "60000"}
        for name, value in {**made.environment, **named, "RETRIEVAL_TIMEOUT_MS": "600000"}.items():
            monkeypatch.setenv(name, value)
        yield made


def html(app: Any) -> str:
    return "\n".join(each.value for each in app.html)


def test_it_says_what_the_model_did_and_what_was_dropped(open_page: Any, double: Double) -> None:
    app = open_page("query", **ASKED)
    assert not app.exception
    said = html(app)
    assert "What the model did" in said
    assert "Choice of APIs" in said
    assert "shop. It &lt;i&gt;sells&lt;/i&gt;." in said
    assert "APIs, chosen by" not in said  # once is enough
    assert "100 tokens read, 10 written" in said
    assert "&lt;script&gt;" in said
    assert "<script>" not in said
    assert "<i>sells" not in said
    assert KEY not in said


def test_the_export_and_the_link_hold_no_key(open_page: Any, double: Double) -> None:
    app = open_page("query", view="Export", **ASKED)
    assert double.asked
    for form in ("JSON", "Python"):
        app.session_state["export form"] = form
        app.run()
        assert not app.exception
        assert "api_selection" in app.code[0].value or form == "JSON"
        assert KEY not in "".join(code.value for code in app.code) + str(app.query_params)


def test_a_description_that_gives_orders_reaches_no_page_as_markup(
    open_page: Any, double: Double, hostile_store: Path
) -> None:
    """The model repeats what the hostile specification says, wherever it may say something."""

    def repeats(request: Request) -> Said:
        told = json.dumps(request.data) if request.data else request.body["messages"][-1]["content"]
        if request.task == "choose_apis":
            return as_json({"selected_apis": ["hostile", told], "reasoning": f"<blink>{told}"})
        return Said(f"<script>alert(1)</script> {told[:2000]}")

    double.reply = repeats
    address = {**ASKED, "view": "Answer"}
    app = open_page("query", store=hostile_store, **address)
    next(b for b in app.button if b.label == "Write an answer").click().run()
    assert not app.exception
    assert double.tasks[0] == "choose_apis"
    said = html(app)
    assert "&lt;script&gt;alert(1)" in said
    assert not [tag for tag in ("<script", "<img", "<iframe", "<blink") if tag in said]


def test_a_model_that_fails_is_told_and_the_answer_is_there(open_page: Any, double: Double) -> None:
    double.reply = lambda _: Said(status=500)
    app = open_page("query", **ASKED)
    said = html(app)
    assert "the rules went on" in said
    assert "chosen by keywords" in said
    assert CREATE in said
    assert KEY not in said


def test_without_a_model_there_is_neither_panel_nor_section(open_page: Any) -> None:
    app = open_page("query", q=ASKED["q"])
    assert [tab.label for tab in app.tabs] == ["Context", "Left out", "Export", "Label"]
    assert "What the model did" not in html(app)


def test_an_answer_is_written_its_citations_marked_and_one_is_shown(
    open_page: Any, double: Double
) -> None:
    app = open_page("query", q=ASKED["q"], view="Answer")
    assert "tokens read" in app.caption[-1].value
    assert not double.asked
    next(b for b in app.button if b.label == "Write an answer").click().run()
    assert not app.exception
    said = html(app)
    assert "&lt;b&gt;POST" in said
    assert "shop.json:paths/ghost/get (not in the context)" in said
    assert "1 of 2 citations are not in the context" in app.warning[0].value
    assert len(double.asked) == 1
    app.session_state["cited"] = CREATE  # as a click on its pill
    app.run()
    assert any("<article" in each.value and CREATE in each.value for each in app.html)
    assert len(double.asked) == 1


def test_an_answer_that_fails_is_a_sentence(open_page: Any, double: Double) -> None:
    double.reply = lambda _: Said(status=401)
    app = open_page("query", q=ASKED["q"], view="Answer")
    next(b for b in app.button if b.label == "Write an answer").click().run()
    assert not app.exception
    assert "does not accept the key" in app.error[0].value
    assert KEY not in app.error[0].value
