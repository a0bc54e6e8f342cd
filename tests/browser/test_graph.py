"""The picture and what is said of a chunk beside it: a click, a double click, a change's reach."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from support.pictures import click_node, drawn

USER = "shop.json:components/schemas/User"
ADDRESS = "shop.json:components/schemas/Address"
LINK = "graph?q=How+do+I+create+a+user%3F"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1000, 800), (390, 844)])
def test_what_is_chosen_is_told_in_sight_of_the_picture(
    samples_url: str, open_page, width: int, height: int
) -> None:
    page = open_page(f"{samples_url}/{LINK}", viewport={"width": width, "height": height})
    drawn(page)
    click_node(page, USER)
    chosen = page.locator(".st-key-panel .sl-card .sl-id")
    expect(chosen).to_have_text(USER)
    expect(chosen).to_be_in_viewport()
    expect(page.locator(".graph")).to_be_in_viewport()


def test_a_double_click_draws_what_is_around_a_chunk_and_the_next_folds_it(
    samples_url: str, open_page
) -> None:
    page = open_page(f"{samples_url}/{LINK}")
    before = drawn(page)
    click_node(page, ADDRESS, times=2)
    expect(page).to_have_url(re.compile("open=shop.json"))
    expect(page.get_by_text("dotted: opened by you")).to_be_visible()
    assert len(drawn(page)) > len(before)
    click_node(page, ADDRESS, times=2)
    expect(page).not_to_have_url(re.compile("open=shop.json"))
    expect(page.get_by_text("dotted: opened by you")).to_have_count(0)


def test_the_reach_of_a_change_is_in_the_picture(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/{LINK}&node={ADDRESS}")
    expect(page.locator(".st-key-panel")).to_contain_text("Changing it affects")
    before = drawn(page)
    page.get_by_text("Show its impact in the picture").click()
    expect(page.get_by_text("affected by a change")).to_be_visible()
    added = set(drawn(page)) - set(before)
    assert "shop.json:paths/orders/post" in added


def test_the_focus_outlives_the_button_that_had_it(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/{LINK}&node={ADDRESS}")
    drawn(page)
    expand = page.get_by_role("button", name="Expand by one step")
    expand.focus()
    page.keyboard.press("Enter")
    fold = page.get_by_role("button", name="Collapse")
    expect(fold).to_be_visible()
    expect(page.locator("body")).not_to_be_focused()
    fold.focus()
    page.keyboard.press("Enter")
    expect(fold).to_have_count(0)
    expect(expand).to_be_focused()
