import pytest
from streamlit.testing.v1 import AppTest

from core.settings import KNOB, KNOBS, Settings
from ui.shared.address import FIXED, adjustable


def page() -> None:
    import streamlit as st

    from core.settings import Settings
    from ui.shared.address import follow
    from ui.shared.controls import setting_controls

    base = Settings(max_depth=4)
    st.session_state.carried = follow("Test", base)
    st.json(setting_controls(base))


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(page, default_timeout=180)


GROUPS = ("Search", "Filters", "Documents", "Context", "Models", "Engine", "Safety", "Limits")


def unfold(app: AppTest) -> AppTest:
    for name in GROUPS:
        app.session_state[f"group {name}"] = True
    return app.run()


def changed(app: AppTest) -> str:
    return app.json[0].value.replace(" ", "")


def test_every_setting_that_can_be_turned_has_a_control(app: AppTest) -> None:
    app.run()
    assert {w.key for w in app.slider} == {knob.name for knob in adjustable() if knob.main}
    unfold(app)
    keys = {w.key for w in (*app.slider, *app.selectbox, *app.toggle)}
    assert keys == {knob.name for knob in adjustable()}
    assert not app.exception


def test_settings_that_a_page_cannot_change_have_none() -> None:
    hidden = {knob.name for knob in KNOBS} - {knob.name for knob in adjustable()}
    assert hidden == {k.name for k in KNOBS if k.name in FIXED or len(k.choices) == 1}


def test_controls_start_from_the_effective_settings(app: AppTest) -> None:
    app.run()
    assert app.slider(key="max_depth").value == 4
    assert app.slider(key="token_limit").value == Settings().token_limit
    assert changed(app) == "{}"


def test_a_changed_setting_is_given_marked_and_reset(app: AppTest) -> None:
    unfold(app)
    app.slider(key="max_depth").set_value(2).run()
    app.toggle(key="query_analysis").set_value(False).run()
    assert changed(app) == '{"max_depth":2,"query_analysis":false}'
    assert app.slider(key="max_depth").label.endswith(" · was 4")
    app.button[0].click().run()
    assert changed(app) == "{}"
    assert app.slider(key="max_depth").label == KNOB["max_depth"].label


def test_the_address_follows_the_controls(app: AppTest) -> None:
    app.run()
    assert not app.query_params
    app.slider(key="min_score").set_value(0.35).run()
    assert app.query_params["min_score"] == "0.35"
    assert app.session_state.carried == {"min_score": "0.35"}
    app.slider(key="min_score").set_value(0.3).run()
    assert not app.query_params


def test_a_link_sets_controls_and_reaches_beyond_the_usual_scale(app: AppTest) -> None:
    app.query_params["token_limit"] = "90000"
    app.query_params["mode"] = "exact"
    app.run()
    assert changed(app) == '{"token_limit":90000,"mode":"exact"}'


@pytest.mark.parametrize("name", ["top_k", "limit"])
def test_a_link_may_use_another_name_of_a_setting(app: AppTest, name: str) -> None:
    app.query_params[name] = "7"
    app.run()
    assert changed(app) == '{"max_primary_results":7}'
    assert app.session_state.carried == {"max_primary_results": "7"}
    assert app.query_params["max_primary_results"] == "7"
    assert name not in app.query_params
    app.slider(key="max_primary_results").set_value(5).run()
    assert not app.query_params


def test_a_settings_own_name_comes_before_others(app: AppTest) -> None:
    app.query_params["limit"] = "7"
    app.query_params["max_primary_results"] = "3"
    app.run()
    assert changed(app) == '{"max_primary_results":3}'
    assert "limit" not in app.query_params


@pytest.mark.parametrize("value", ["-3", "many", "1e99", "<script>"])
def test_a_value_that_a_setting_cannot_have_is_dropped(app: AppTest, value: str) -> None:
    app.query_params["max_depth"] = value
    app.run()
    assert changed(app) == "{}"
    assert not app.exception


def test_a_setting_keeps_its_value_when_its_group_is_folded(app: AppTest) -> None:
    unfold(app)
    app.toggle(key="query_analysis").set_value(False).run()
    app.session_state["group Filters"] = False
    for _ in range(3):
        app.run()
    assert changed(app) == '{"query_analysis":false}'
    assert KNOB["query_analysis"].label in app.caption[0].value
