"""Ingest with a model's double behind it: what writing questions costs is said before it begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.model_double import Double, Request, Said, as_json, doubled
from support.stores import copied

from core import Workbench
from core.jobs import JOBS
from ui.ingest.written_view import LACKING, NOT_NOW, START, VECTORS


def right(request: Request) -> Said:
    return as_json({"questions": ["How can I sign up?", "<img src=x onerror=alert(1)> or so"]})


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubled(monkeypatch, right, LLM_MODEL="double") as made:
        yield made


@pytest.fixture
def fresh(tmp_path: Path, small_store: Path) -> Path:
    copied(small_store, tmp_path / "store")
    return tmp_path / "store"


def press(app: Any, label: str) -> Any:
    return next(button for button in app.button if button.label == label).click().run()


def said(app: Any) -> str:
    return next(c.value for c in app.caption if "Written questions" in c.value)


def ended(app: Any) -> Any:
    """Once the job is over, which a quick one is before the page is drawn."""
    if "written questions" in app.session_state:
        JOBS.wait(app.session_state["written questions"], 120)
        app = app.run()
    return app


def test_the_cost_is_said_before_and_nothing_is_asked_until_it_is_agreed_to(
    open_page: Any, double: Double, fresh: Path
) -> None:
    app = open_page("ingest", fresh)
    total = int(re.search(r"0 of (\d+) operations and schemas", said(app))[1])  # type: ignore[index]
    app = press(app, LACKING)
    cost = next(each.value for each in app.info if "at most" in each.value).replace("\\", "")
    assert re.search(rf"double is asked {total} times: at most [\d,]+ tokens, no price", cost)
    app = press(app, NOT_NOW)
    assert double.asked == []
    app = press(press(app, LACKING), START)
    app = ended(app)
    assert not app.exception
    assert f"{total} of {total}" in said(app)
    assert len(double.asked) == total
    assert LACKING not in [button.label for button in app.button]


def test_a_model_that_fails_is_told_once(open_page: Any, double: Double, fresh: Path) -> None:
    double.reply = lambda _: Said(status=500)
    app = press(press(open_page("ingest", fresh), LACKING), START)
    app = ended(app)
    assert any("left alone" in each.value for each in app.warning)
    assert not app.run().warning


def test_without_a_model_there_is_nothing_about_it(open_page: Any, small_store: Path) -> None:
    app = open_page("ingest", small_store)
    assert not any("Written questions" in each.value for each in app.caption)


@pytest.mark.parametrize("cost", ["", "it is to embed 2 texts, 1,200 tokens, $0.1200."])
def test_vectors_that_are_missing_are_offered_with_their_cost(
    open_page: Any, double: Double, fresh: Path, cost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Workbench.open(fresh) as workbench:
        assert list(workbench.write_questions())
        assert workbench.unsearched_questions() == 0
    double.asked.clear()
    (fresh / "written" / "current").unlink()
    monkeypatch.setattr(Workbench, "question_vectors_cost", lambda _: cost)
    app = open_page("ingest", fresh)
    assert "not searched yet" in said(app)
    app = press(app, VECTORS)
    if cost:
        assert "written questions" not in app.session_state
        assert any(cost in each.value.replace("\\", "") for each in app.info)
        app = press(app, VECTORS)
    app = ended(app)
    assert "not searched yet" not in said(app)
    assert VECTORS not in [button.label for button in app.button]
    assert double.asked == []
