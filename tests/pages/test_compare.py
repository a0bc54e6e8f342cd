import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from core.jobs import JOBS
from ui.compare.one import spoken
from ui.compare.sides import NAMES
from ui.compare.work import found

QUESTION = "How do I create a user?"


def seen(app: AppTest) -> str:
    """All text on the page, markup included."""
    parts = [e.value for e in (*app.html, *app.markdown, *app.caption, *app.info)]
    return "\n".join(parts)


def verdict(app: AppTest) -> str:
    return next((h.value for h in app.html if h.value.startswith("<p")), "")


SCHEMA = "Which fields does a saved address of a user have?"


def test_the_intent_ignored_raising_and_filtering(open_page) -> None:
    app = open_page("compare", q=SCHEMA)
    assert not app.exception
    page = seen(app)
    for part in ("## Off", "## Boost", "## Filter", "Boosting", "Filtering", "ms"):
        assert part in page
    # what the filter hides is in the sentence and, one by one, below
    assert re.search(r"Filtering hides \d of 5 results", verdict(app))
    assert "excluded by the filter" in page
    assert "hides" not in verdict(app).partition("Filtering")[0]


@pytest.mark.parametrize("mode", ["off", "soft", "hard"])
def test_what_is_called_filter_filters_whatever_the_sidebar_says(open_page, mode: str) -> None:
    app = open_page("compare", q=SCHEMA, intent_filter=mode, query_analysis="false")
    assert "Filtering hides" in verdict(app)


def test_a_filter_that_was_dropped_says_so(open_page) -> None:
    app = open_page("compare", q=SCHEMA, min_filtered_results="50")
    assert "left too few results and was dropped" in verdict(app)
    assert "filter dropped" in seen(app)


def test_raising_can_be_laid_beside_off_too(open_page) -> None:
    app = open_page("compare", q=SCHEMA)
    assert app.segmented_control(key="pair").value == "Off and Filter"
    app.segmented_control(key="pair").set_value("Off and Boost").run()
    assert "excluded by the filter" not in seen(app)


def test_a_question_without_an_intent_says_that_nothing_is_filtered(open_page) -> None:
    app = open_page("compare", q="shop orders")
    assert ", without a filter" in seen(app)


def test_off_says_that_the_intent_is_not_used(open_page) -> None:
    page = seen(open_page("compare", q=SCHEMA))
    assert page.count("intent not used") == 1
    assert page.count("understood as a schema") == 2


def test_sides_with_the_same_verdict_share_a_sentence() -> None:
    said = spoken([(1, "raising"), (2, "filtering")], lambda n, name: f"{name} keeps 5.")
    assert said.count("<span>") == 1
    assert "Raising or filtering keeps 5." in said
    apart = spoken([(1, "raising"), (2, "filtering")], lambda n, name: f"{name} keeps {n}.")
    assert apart.count("<span>") == 2


def test_two_sides_without_a_result_show_the_nearest(open_page) -> None:
    app = open_page("compare", q="zzzz qqqq", min_score="1.0")
    assert "Neither side finds anything" in verdict(app)
    assert "Nothing reaches the minimum score of 1.00" in seen(app)


def test_two_settings_of_a_link(open_page) -> None:
    app = open_page("compare", q=QUESTION, by="Two settings", b="max_depth=0")
    assert not app.exception
    assert "<s>3</s> → <b>0</b>" in seen(app)
    assert "B keeps" in verdict(app)
    assert "beyond the maximum reference depth" in seen(app)
    app.number_input(key="B max_depth").set_value(3).run()
    assert "B changes nothing" in verdict(app)
    assert app.query_params["b"] == "max_depth=3"


def test_where_neither_side_finds_anything_the_minimum_of_b_is_told(open_page) -> None:
    app = open_page(
        "compare", q="volcano eruptions", by="Two settings", min_score="0.8", b="min_score=0.9"
    )
    assert any("Nothing reaches the minimum score of 0.90" in info.value for info in app.info)
    # the slider at the left is A's, so no button there would help B
    assert not any(b.label.startswith("Lower the minimum score") for b in app.button)


def test_b_may_change_several_settings(open_page) -> None:
    app = open_page("compare", q=QUESTION, by="Two settings")
    app.multiselect(key=NAMES).set_value(["token_limit", "mode"]).run()
    app.number_input(key="B token_limit").set_value(300).run()
    app.selectbox(key="B mode").set_value("exact").run()
    assert "<b>300</b>" in seen(app)
    assert "<b>exact</b>" in seen(app)


@pytest.mark.parametrize("b", ["max_depth=99999", "nothing=1", "max_depth", "embedder=hash"])
def test_a_link_with_what_no_control_can_have_is_forgiven(open_page, b: str) -> None:
    app = open_page("compare", q=QUESTION, by="Two settings", b=b)
    assert not app.exception
    assert verdict(app)


def test_settings_that_contradict_each_other_give_a_sentence(open_page) -> None:
    app = open_page("compare", q=QUESTION, by="Two settings", b="max_total_chunks=1")
    assert not app.exception
    assert "max\\_total\\_chunks" in app.error[0].value


def test_a_pasted_list_waits_for_the_button_and_can_be_opened_one_by_one(open_page) -> None:
    app = open_page("compare", what="A list")
    assert not verdict(app)
    assert button(app, "Compare").disabled
    app.text_area(key="list").set_value(f"{QUESTION}\n\nWhat is in User?\n{QUESTION}\n").run()
    assert app.query_params["ask"] == [QUESTION, "What is in User?"]
    press(app, "Compare")
    job = JOBS.wait(app.session_state["comparison"], 120)
    assert job is not None
    outcome = found(job.made[0])
    assert outcome is not None
    assert [one.query for one in outcome.beside(2)] == [QUESTION, "What is in User?"]
    assert [side.title for side in outcome.sides] == ["Off", "Boost", "Filter"]
    app.run()
    assert "Over 2 questions" in verdict(app)
    app.text_area(key="list").set_value("something else").run()
    assert "for other questions or settings" in seen(app)
    press(app, "Open side by side")
    assert "## Filter" in seen(app)
    assert app.text_input(key="q").value in (QUESTION, "What is in User?")


def button(app: AppTest, label: str) -> Button:
    return next(found for found in app.button if found.label == label)


def press(app: AppTest, label: str) -> None:
    button(app, label).click().run()


def test_a_long_list_is_found_in_sorted_and_paged(open_page) -> None:
    app = open_page("compare", what="A list")
    questions = [f"How do I create a user {number}?" for number in range(55)]
    app.text_area(key="list").set_value("\n".join([*questions, "zebra"])).run()
    button(app, "Compare").click().run()
    JOBS.wait(app.session_state["comparison"], 120)
    app.run()
    assert not app.exception
    assert "56 questions; showing 1 to 50" in seen(app)
    app.number_input(key="page").set_value(2).run()
    assert "56 questions; showing 51 to 56" in seen(app)
    app.text_input(key="words").set_value("zebra").run()
    assert "1 of 56 questions" in seen(app)
    assert app.selectbox(key="look").options == ["zebra"]
    app.text_input(key="words").set_value("").run()
    app.selectbox(key="sorted").set_value("As asked").run()
    assert app.selectbox(key="look").options[0] == questions[0]
    app.selectbox(key="only").set_value("Lost a labelled element").run()
    assert not app.exception
    assert "No questions match this filter" in seen(app)


def test_a_long_list_stays_out_of_the_link(open_page) -> None:
    app = open_page("compare", what="A list")
    app.text_area(key="list").set_value("\n".join(f"question {n}?" for n in range(400))).run()
    assert "ask" not in app.query_params
    assert "too long for a link" in seen(app)


def test_a_link_starts_no_list(open_page) -> None:
    app = open_page("compare", what="A list", ask=QUESTION)
    assert app.text_area(key="list").value == QUESTION
    assert not verdict(app)
    assert "comparison" not in app.session_state


def test_a_comparison_that_is_gone_says_so(open_page) -> None:
    app = open_page("compare", what="A list", comparison="gone")
    assert "no longer available" in seen(app)


def test_an_empty_store_says_what_to_do(open_page, tmp_path: Path) -> None:
    app = open_page("compare", store=tmp_path / "empty")
    assert not app.exception
    assert "The store is empty" in app.info[0].value


def test_an_attack_stays_text(open_page, hostile_store: Path) -> None:
    app = open_page(
        "compare", store=hostile_store, q="<script>alert(1)</script> user", by="Two settings"
    )
    assert not app.exception
    drawn = "".join(h.value for h in app.html)
    assert "<script" not in drawn
    assert "<img" not in drawn


def test_the_settings_of_each_side_can_be_used(open_page) -> None:
    app = open_page("compare", q="How do I create a user?")
    sides = [b for b in app.button if b.label == "Use these settings"]
    assert len(sides) == 3
    sides[-1].click().run()
    assert not app.exception
    assert app.session_state["intent_filter"] == "hard"
