"""What a browser in German is shown: one way of writing numbers on a page."""

import re

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

SCHEMA = "Which fields does a saved address of a user have?"
# With a word before it, so that versions and paths do not count.
ENGLISH = re.compile(r"(?:score|<|≥|of|was|to|→) (?:\d+\.\d{1,2}(?!\d)|\d{1,3},\d{3})")


@pytest.fixture(autouse=True)
def _german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(st.context), "locale", property(lambda _: "de-DE"))


def read(app: AppTest) -> str:
    """All text on the page, without markup."""
    assert not app.exception
    text = [e.value for e in (*app.html, *app.markdown, *app.caption, *app.info)]
    labels = [e.label for e in (*app.slider, *app.toggle, *app.selectbox)]
    return re.sub(r"<style>.*?</style>|<[^>]*>", " ", "\n".join([*text, *labels]), flags=re.DOTALL)


def test_slides_are_written_in_the_same_way(open_page) -> None:
    [slides] = open_page("present", q=SCHEMA).get("iframe")
    assert re.search(r"reads [\d.]+ tokens: \d+,\d\xa0% of all", slides.proto.srcdoc)


@pytest.mark.parametrize(
    ("page", "address", "shown"),
    [
        ("query", {"view": "Left out", "intent_filter": "hard"}, r"score 0,\d\d, but"),
        ("query", {"min_score": "0.25", "token_limit": "2000"}, r"of 2\.000 tokens"),
        ("compare", {"intent_filter": "hard"}, r"of 4\.000 tokens"),
        ("graph", {}, r"of 4\.000 tokens"),
    ],
)
def test_numbers_are_written_in_one_way(
    open_page, page: str, address: dict[str, str], shown: str
) -> None:
    text = read(open_page(page, q=SCHEMA, **address))
    assert re.search(shown, " ".join(text.split()))
    assert not ENGLISH.findall(text)
