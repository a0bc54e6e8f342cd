"""The page Tune: values are tried, the best is told with its luck, and taken along."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support.question_sets import SHOP, as_bytes
from support.stores import copied

from core import Workbench
from core.evaluate.tune.kept import ROWS
from core.jobs import JOBS, State
from core.text.safe import markdown
from ui.tune import progress, work


@pytest.fixture
def shop(small_store: Path, tmp_path: Path) -> Path:
    """Of its own: what is saved here is in no other test's list."""
    store = copied(small_store, tmp_path / "store")
    with Workbench.open(store) as workbench:
        workbench.kept.keep_set("corner.json", as_bytes(SHOP))
    return store


def seen(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.html, *app.markdown, *app.caption, *app.info))


def button(app: AppTest, label: str):
    return next(each for each in app.button if each.label == label)


def finished(app: AppTest) -> AppTest:
    job = JOBS.wait(app.session_state[progress.JOB], 120)
    assert job
    assert (job.state, job.error) == (State.DONE, "")
    return app.run()


def tried(open_page, store: Path) -> AppTest:
    app = open_page("tune", store, sets="corner.json (uploaded)")
    assert not app.exception
    button(app, "Try").click().run()
    return finished(app)


def test_it_says_first_what_a_click_would_cost(open_page, shop: Path) -> None:
    app = open_page("tune", shop, sets="corner.json (uploaded)")
    assert "59 combinations, on 4 questions, each of which is searched once" in seen(app)
    assert "press Try" in seen(app)
    app.multiselect(key="settings to try").set_value(["Mode"]).run()
    assert "2 combinations, on 4 questions, each of which is searched 3 times" in seen(app)
    app.multiselect(key="settings to try").set_value([]).run()
    assert button(app, "Try").disabled


def test_some_can_be_tried_at_random_or_by_halves(open_page, shop: Path) -> None:
    app = open_page("tune", shop, sets="corner.json (uploaded)")
    app.segmented_control(key="how values are combined").set_value("random").run()
    app.number_input(key="how many at random").set_value(20).run()
    assert not app.exception
    assert re.search(r"(19|20) combinations, on 4 questions", seen(app))
    app.segmented_control(key="how values are combined").set_value("halving").run()
    assert "Half of them go on by" in [box.label for box in app.selectbox]
    button(app, "Try").click().run()
    assert "combinations on 3 questions" in seen(finished(app))


def test_the_best_is_told_and_can_be_used_saved_and_asked(open_page, shop: Path) -> None:
    app = tried(open_page, shop)
    assert not app.exception
    page = seen(app)
    assert "sl-verdict" in page
    assert "60 combinations on 3 questions" in page
    place = next(box for box in app.selectbox if box.label == "Combination")
    last = place.options[-1]
    assert "min score" in last
    place.select_index(len(place.options) - 1).run()
    assert f"## {markdown(last.capitalize())}" in seen(app)
    assert "By question: better for" in seen(app)
    assert "specloupe eval SET.yaml --" in app.code[0].value
    app.text_input(key="profile of shown").set_value("tuned").run()
    button(app, "Save profile").click().run()
    assert "Saved as tuned" in seen(app)
    with Workbench.open(shop) as workbench:
        kept = workbench.profiles.get("tuned")
        workbench.profiles.remove("tuned")
    next(b for b in app.button if b.key == "use shown").click().run()
    assert app.session_state["min_score"] == kept.min_score
    assert app.session_state["token_limit"] == kept.token_limit


def test_what_is_shown_becomes_the_baseline_and_is_on_the_leaderboard(
    open_page, shop: Path
) -> None:
    app = tried(open_page, shop)
    button(app, "Make baseline").click().run()
    with Workbench.open(shop) as workbench:
        job = JOBS.running(workbench.store)
        if job:
            JOBS.wait(job.id, 120)
        (run,) = workbench.runs.newest(baseline=True)
        assert run.name == "corner"
    app.session_state["tuned"] = "Leaderboard"
    app.run()
    assert not app.exception
    assert "Best of 1 run" in seen(app)


def test_another_metric_and_budget_ask_another_question(open_page, shop: Path) -> None:
    app = tried(open_page, shop)
    app.selectbox(key="tune metric").select("context.tokens").run()
    assert "Best: " in seen(app)
    app.selectbox(key="tune metric").select("context.recall").run()
    app.selectbox(key="tune tokens").select_index(1).run()
    assert "within 500 tokens a question" in seen(app)


def test_a_reload_finds_the_sweep_by_its_address(open_page, shop: Path) -> None:
    sweep = tried(open_page, shop).session_state["followed sweep"]
    again = open_page("tune", shop, sets="corner.json (uploaded)", sweep=sweep)
    assert "60 combinations on 3 questions" in seen(again)
    gone = open_page("tune", shop, sweep="nothing")
    assert "no longer kept in this store" in seen(gone)


def test_another_server_goes_on_where_this_one_stopped(
    open_page, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = tried(open_page, shop).session_state["followed sweep"]
    with Workbench.open(shop) as workbench:
        rows = workbench.sweeps.grid(sweep).rows
        items = workbench.sweeps._items
        items.delete(ROWS, f"{sweep} 000000")
        workbench.sweeps.add(sweep, 0, rows[:2])
    monkeypatch.setattr(work, "_GRIDS", {})  # what a process knows by itself
    monkeypatch.setattr(work, "_JOBS", {})
    app = open_page("tune", shop, sets="corner.json (uploaded)", sweep=sweep)
    assert "Stopped after 2 of 4 questions" in seen(app)
    button(app, "Go on").click().run()
    app = finished(app)
    assert "60 combinations on 3 questions" in seen(app)
    with Workbench.open(shop) as workbench:
        assert workbench.sweeps.grid(sweep).rows == rows


def test_a_threshold_is_advised_or_too_few_questions_are_told(open_page, shop: Path) -> None:
    app = open_page("tune", shop, sets="corner.json (uploaded)", tuned="Threshold")
    assert "Asks 4 questions once" in seen(app)
    button(app, "Read the scores").click().run()
    app = finished(app)
    assert not app.exception
    assert "too few to promise 95%" in seen(app)
    app.selectbox(key="promised").select(0.8).run()
    assert not app.exception
    assert "By intent, API and kind" in seen(app)
    next(b for b in app.button if b.key == "use threshold").click().run()
    assert "now uses these settings" in seen(app)


def test_the_curves_of_the_limits_say_what_the_next_answer_costs(open_page, shop: Path) -> None:
    app = open_page("tune", shop, sets="corner.json (uploaded)", tuned="Budgets")
    button(app, "Draw curves").click().run()
    app = finished(app)
    assert not app.exception
    assert "### Token limit" in seen(app)
    assert "as it is, nothing more is found" in seen(app)


def test_an_empty_leaderboard_says_what_fills_it(open_page, small_store: Path) -> None:
    app = open_page("tune", small_store, tuned="Leaderboard")
    assert "No saved runs yet" in seen(app) or "Best of" in seen(app)


def test_an_empty_store_says_what_to_do_first(open_page, tmp_path: Path) -> None:
    assert "The store is empty" in seen(open_page("tune", tmp_path / "none"))
