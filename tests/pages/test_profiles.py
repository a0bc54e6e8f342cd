from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support.stores import copied

from core.evaluate.runs.profiles import Profiles
from core.settings import Settings, export


@pytest.fixture
def own_store(small_store: Path, tmp_path: Path) -> Path:
    return copied(small_store, tmp_path / "own")


def unfolded(app: AppTest) -> AppTest:
    app.session_state["profiles"] = True  # the expander is opened
    return app.run()


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()


@pytest.mark.parametrize("page", ["query", "compare", "evaluate"])
def test_a_profile_is_saved_and_used_again(open_page, own_store: Path, page: str) -> None:
    app = unfolded(open_page(page, store=own_store, q="create a user", max_depth="1"))
    assert not app.exception
    app.text_input(key="profile name").set_value("near").run()
    press(app, "Save")
    assert Profiles(own_store / "profiles.json").get("near").max_depth == 1
    assert "Saved as near" in " ".join(c.value for c in app.caption)
    app.slider(key="max_depth").set_value(3).run()
    press(app, "Apply")
    assert app.slider(key="max_depth").value == 1
    press(app, "Delete")
    assert not Profiles(own_store / "profiles.json").all()
    assert not app.exception


def test_a_profile_that_ships_sets_its_controls(open_page) -> None:
    app = unfolded(open_page("query", q="create a user"))
    app.selectbox(key="shipped profile").set_value("articles").run()
    press(app, "Start from it")
    assert not app.exception
    assert (app.session_state["sources"], app.session_state["min_score"]) == ("article", 0.4)


@pytest.mark.parametrize("style", ["env", "toml", "json"])
def test_settings_come_back_from_the_file_that_was_taken_along(open_page, style: str) -> None:
    app = open_page("query", q="create a user")
    text = export(Settings(max_depth=2, token_limit=900), style)
    app.session_state["profiles"] = True
    app.run()
    app.file_uploader[0].set_value((f"specloupe.{style}", text.encode(), "text/plain")).run()
    assert not app.exception
    assert app.slider(key="max_depth").value == 2
    assert app.slider(key="token_limit").value == 900


@pytest.mark.parametrize("text", ['{"max_depth": 99}', "{", '{"max_depth": "deep"}'])
def test_a_file_with_what_cannot_be_changes_nothing(open_page, text: str) -> None:
    app = unfolded(open_page("query", q="create a user"))
    app.file_uploader[0].set_value(("mine.json", text.encode(), "application/json")).run()
    assert not app.exception
    assert "mine" in " ".join(c.value for c in app.caption)
    assert app.slider(key="max_depth").value == 3
