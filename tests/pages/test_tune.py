"""The page Tune: values are tried, the best is told with its luck, and taken along."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support.question_sets import SHOP, as_bytes

from core import Workbench
from core.jobs import JOBS, State
from core.text.safe import markdown
from ui.tune import progress


@pytest.fixture
def shop(small_store: Path) -> Path:
    with Workbench.open(small_store) as workbench:
        workbench.kept.keep_set("corner.json", as_bytes(SHOP))
    return small_store


def seen(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.html, *app.markdown, *app.caption, *app.info))


def button(app: AppTest, label: str):
    return next(each for each in app.button if each.label == label)


def tried(open_page, store: Path) -> AppTest:
    app = open_page("tune", store, sets="corner.json (uploaded)")
    assert not app.exception
    button(app, "Try").click().run()
    job = JOBS.wait(app.session_state[progress.JOB], 60)
    assert job
    assert (job.state, job.error) == (State.DONE, "")
    return app.run()


def test_it_says_first_what_a_click_would_cost(open_page, shop: Path) -> None:
    app = open_page("tune", shop, sets="corner.json (uploaded)")
    assert "59 combinations, on 4 questions, each of which is searched once" in seen(app)
    assert "press Try" in seen(app)
    app.multiselect(key="settings to try").set_value(["Mode"]).run()
    assert "2 combinations, on 4 questions, each of which is searched 3 times" in seen(app)
    app.multiselect(key="settings to try").set_value([]).run()
    assert button(app, "Try").disabled


def test_the_best_is_told_and_can_be_used_saved_and_asked(open_page, shop: Path) -> None:
    app = tried(open_page, shop)
    assert not app.exception
    page = seen(app)
    assert "sl-verdict" in page
    assert "60 combinations on 3 questions" in page
    place = next(box for box in app.selectbox if box.label == "Show")
    last = place.options[-1]
    assert "min score" in last
    place.select_index(len(place.options) - 1).run()
    assert f"## {markdown(last.capitalize())}" in seen(app)
    assert "By question: better for" in seen(app)
    assert "specloupe eval SET.yaml --" in app.code[0].value
    app.text_input(key="tune profile").set_value("tuned").run()
    button(app, "Save").click().run()
    assert "Saved as tuned" in seen(app)
    with Workbench.open(shop) as workbench:
        kept = workbench.profiles.get("tuned")
        workbench.profiles.remove("tuned")
    next(b for b in app.button if b.key == "use shown").click().run()
    assert app.session_state["min_score"] == kept.min_score
    assert app.session_state["token_limit"] == kept.token_limit


def test_another_metric_and_budget_ask_another_question(open_page, shop: Path) -> None:
    app = tried(open_page, shop)
    app.selectbox(key="tune metric").select("context.tokens").run()
    assert "Best: " in seen(app)
    app.selectbox(key="tune metric").select("context.recall").run()
    app.selectbox(key="tune tokens").select_index(1).run()
    assert "within 500 tokens a question" in seen(app)


def test_a_reload_finds_the_sweep_by_its_address(open_page, shop: Path) -> None:
    job = tried(open_page, shop).session_state[progress.JOB]
    again = open_page("tune", shop, sets="corner.json (uploaded)", sweep=job)
    assert "60 combinations on 3 questions" in seen(again)
    gone = open_page("tune", shop, sweep="nothing")
    assert "no longer available here" in seen(gone)


def test_an_empty_store_says_what_to_do_first(open_page, tmp_path: Path) -> None:
    assert "The store is empty" in seen(open_page("tune", tmp_path / "none"))
