"""Label with a model's double behind it: drafts with their labels, after their cost was said."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.model_double import Double, Request, Said, as_json, doubled

from core import Workbench
from core.evaluate.labelling.versions import Origin
from ui.label.add import BY_MODEL, DRAFTS


def right(request: Request) -> Said:
    labels = " and ".join(element["label"] for element in request.data["elements"])
    return as_json({"question": f"What about <b>{labels}</b>, {request.data['asks_for'][:9]}?"})


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with doubled(monkeypatch, right, LLM_MODEL="double") as made:
        yield made


def test_a_model_drafts_what_then_waits_to_be_labelled(
    open_page: Any, double: Double, small_store: Path, tmp_path: Path
) -> None:
    store = Path(shutil.copytree(small_store, tmp_path / "store"))
    app = open_page("label", store)
    app.number_input(key=DRAFTS).set_value(4).run()
    assert any("asked 4 times: at most" in c.value.replace("\\", "") for c in app.caption)
    assert double.asked == []
    next(button for button in app.button if button.label == BY_MODEL).click().run()
    assert not app.exception
    with Workbench.open(store) as workbench:
        (found,) = workbench.label_sets.every().values()
        assert len(found.labelled) == len(double.asked) == 4
        assert {each.question.origin for each in found} == {Origin.MODEL}
    shown = "".join(each.value for each in app.html)
    assert "&lt;b&gt;" in shown
    assert "<b>GET" not in shown
    assert "<b>POST" not in shown


def test_without_a_model_there_is_no_such_button(open_page: Any) -> None:
    app = open_page("label")
    assert BY_MODEL not in [button.label for button in app.button]
