import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

CREATE = "shop.json:paths/users/post"
ADDRESS = "shop.json:components/schemas/Address"


def card(app: AppTest) -> str:
    return next(h.value for h in app.html if h.value.startswith("<article"))


def test_the_picture_comes_with_a_list_of_its_chunks(open_page) -> None:
    app = open_page("graph", q="How do I create a user?")
    assert not app.exception
    names = app.selectbox(key="node").options
    assert {"POST /users", "NewUser", "Address", "BadRequest"} <= set(names)
    assert CREATE in card(app)


def test_the_page_says_first_what_the_context_is(open_page) -> None:
    app = open_page("graph", q="How do I create a user?", max_depth="1", max_primary_results="1")
    first = next(h.value for h in app.html if h.value.startswith("<p"))
    assert re.search(r"\d operations?, .*of 4,000 tokens; .*first result needs", first) or (
        "everything the result needs is included" in first
    )
    assert re.search(r"\d+ references? (was|were) left out", first)


def test_choosing_a_chunk_shows_it_and_its_references(open_page) -> None:
    app = open_page("graph", q="How do I create a user?")
    app.selectbox(key="node").set_value(ADDRESS).run()
    assert ADDRESS in card(app)
    assert app.query_params["node"] == ADDRESS
    headings = [m.value for m in app.markdown]
    assert "## Uses 1 chunk" in headings
    assert "## Used by 2 chunks" in headings
    assert not app.code
    app.session_state["json"] = True  # the expander is opened
    app.run()
    assert '"street"' in app.code[0].value


def test_a_link_names_the_chunk(open_page) -> None:
    app = open_page("graph", q="How do I create a user?", node=ADDRESS)
    assert app.selectbox(key="node").value == ADDRESS


def test_a_click_chooses_like_the_list(open_page) -> None:
    app = open_page("graph", q="How do I create a user?")
    app.session_state["node"] = ADDRESS  # what the picture's callback does
    app.run()
    assert ADDRESS in card(app)


def test_a_chunk_that_left_the_picture_gives_way_to_the_first(open_page) -> None:
    app = open_page("graph", q="How do I create a user?", node=ADDRESS, max_primary_results="1")
    app.slider(key="max_depth").set_value(0).run()
    assert not app.exception
    assert app.selectbox(key="node").value != ADDRESS or "left out" in card(app).lower()


def test_what_was_cut_can_be_looked_at(open_page) -> None:
    app = open_page(
        "graph", q="How do I create a user?", max_depth="1", max_primary_results="1", node=ADDRESS
    )
    assert not app.exception
    assert "beyond the maximum reference depth" in card(app)


def test_the_impact_of_the_chosen_chunk_is_told_and_drawn(open_page) -> None:
    app = open_page("graph", q="How do I create a user?", node=ADDRESS)
    assert any("Changing it affects" in h.value for h in app.html)
    before = set(app.selectbox(key="node").options)
    app.toggle(key="impact").set_value(True).run()
    assert not app.exception
    legend = next(h.value for h in app.html if "sl-legend" in h.value)
    assert "affected by a change" in legend
    assert set(app.selectbox(key="node").options) == before  # the list is that of the context
    assert app.selectbox(key="node").value == ADDRESS


def test_nothing_found_says_what_to_do(open_page) -> None:
    app = open_page("graph", q="zzzz qqqq", min_score="1.0")
    assert not app.exception
    assert "Nothing reaches the minimum score" in app.info[0].value
    next(b for b in app.button if b.label.startswith("Lower the minimum score")).click().run()
    assert app.selectbox(key="node").options


def test_hostile_names_stay_text(open_page, hostile_store: Path) -> None:
    app = open_page("graph", store=hostile_store, q="How do I create a user?")
    assert not app.exception
    for option in list(app.selectbox(key="node").options)[:4]:
        assert option
    drawn = "".join(h.value for h in app.html)
    assert "<script" not in drawn
    assert "<img" not in drawn


@pytest.mark.parametrize("page", ["query", "graph", "ingest"])
def test_presenter_mode_hides_the_sidebar(open_page, page: str) -> None:
    app = open_page(page, present="true")
    assert app.toggle(key="present").value
    assert not app.exception


def test_a_link_opens_the_overview_of_one_api(open_page, samples_store: Path) -> None:
    app = open_page("graph", store=samples_store, draw="Whole API", whole="ticketing")
    assert not app.exception
    assert app.selectbox(key="whole").value == "ticketing"
    app.selectbox(key="whole").set_value("shop").run()
    assert app.query_params["whole"] == "shop"


def test_an_attack_stays_text_in_the_overview_of_an_api(open_page, hostile_store: Path) -> None:
    app = open_page("graph", store=hostile_store, draw="Whole API")
    assert not app.exception
    assert app.selectbox(key="whole").value == "hostile"
    assert app.selectbox(key="node").options
    marked = "".join(e.value for e in (*app.html, *app.markdown, *app.caption))
    assert "<script" not in marked
    assert "<img" not in marked
    assert "](javascript" not in marked
