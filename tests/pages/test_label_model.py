"""Label with a model's double behind it: drafts with their labels, after their cost was said."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.model_double import Double, Request, Said, as_json, doubled
from support.stores import copied

from core import Workbench
from core.evaluate.labelling.versions import Origin
from core.jobs import JOBS, State
from ui.label.add import BY_MODEL, DRAFTS
from ui.label.drafting import TITLE
from ui.label.window import WINDOW


def right(request: Request) -> Said:
    labels = " and ".join(element["label"] for element in request.data["elements"])
    return as_json({"question": f"What about <b>{labels}</b>, {request.data['asks_for'][:9]}?"})


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubled(monkeypatch, right, LLM_MODEL="double") as made:
        yield made


def press(app: Any, label: str) -> Any:
    return next(button for button in app.button if button.label == label).click().run()


def finished(app: Any) -> Any:
    """Once its job has ended, which may be before the page was drawn."""
    if job := app.session_state[WINDOW].drafts:
        JOBS.wait(job, 120)
        app.run()
    return app


def test_a_model_drafts_what_then_waits_to_be_labelled(
    open_page: Any, double: Double, small_store: Path, tmp_path: Path
) -> None:
    store = copied(small_store, tmp_path / "store")
    app = open_page("label", store)
    app.number_input(key=DRAFTS).set_value(4).run()
    assert any("asked 4 times: at most" in c.value.replace("\\", "") for c in app.caption)
    assert double.asked == []
    app = finished(press(app, BY_MODEL))
    assert not app.exception
    assert "Done: 4 questions drafted." in [each.value for each in app.success]
    with Workbench.open(store) as workbench:
        (found,) = workbench.label_sets.every().values()
        assert len(found.labelled) == len(double.asked) == 4
        assert {each.question.origin for each in found} == {Origin.MODEL}
    shown = "".join(each.value for each in app.html)
    assert "&lt;b&gt;" in shown
    assert "<b>GET" not in shown
    assert "<b>POST" not in shown


def test_stopped_what_was_drafted_until_then_is_in_the_set(
    open_page: Any, double: Double, small_store: Path, tmp_path: Path
) -> None:
    store = copied(small_store, tmp_path / "store")
    app = open_page("label", store)
    app.number_input(key=DRAFTS).set_value(6).run()
    double.reply = lambda request: double.hang() if len(double.asked) > 4 else right(request)
    app = press(app, BY_MODEL)
    job = app.session_state[WINDOW].drafts
    assert any(TITLE in str(each.text) for each in app.get("progress"))
    while JOBS.get(job).step.done < 4:  # type: ignore[union-attr]
        time.sleep(0.01)
    app = press(app, "Stop")
    double.gate.set()
    assert JOBS.wait(job, 120).state is State.STOPPED  # type: ignore[union-attr]
    app = app.run()
    assert not app.exception
    assert any("Stopped: 4 questions drafted" in each.value for each in app.info)
    with Workbench.open(store) as workbench:
        (found,) = workbench.label_sets.every().values()
    assert len(found.labelled) == 4


def test_a_model_that_fails_says_why(
    open_page: Any, double: Double, small_store: Path, tmp_path: Path
) -> None:
    double.reply = lambda _: Said(status=401)
    app = open_page("label", copied(small_store, tmp_path / "store"))
    app = finished(press(app, BY_MODEL))
    assert any("does not accept the key" in each.value for each in app.warning)


def test_without_a_model_there_is_no_such_button(open_page: Any) -> None:
    app = open_page("label")
    assert BY_MODEL not in [button.label for button in app.button]
