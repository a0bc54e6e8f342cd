"""From the catalogue to an element, and to what a change of it affects."""

import re

import pytest
from playwright.sync_api import expect
from support.pictures import click_node, drawn

ADDRESS = "shop.json:components/schemas/Address"
ORDER = "shop.json:components/schemas/Order"


def test_from_the_catalogue_to_the_impact_of_a_change(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/apis")
    page.get_by_role("link", name="Larkfield Shop API").click()
    expect(page.get_by_role("heading", name="Documentation coverage")).to_be_visible()
    search = page.get_by_role("textbox", name="Search elements")
    search.fill("address")
    search.press("Enter")
    expect(page.get_by_text(re.compile(r"of \d+ .* match$"))).to_be_visible()
    page.get_by_role("tab", name=re.compile("Schemas")).click()
    page.get_by_role("link", name=re.compile("Address A postal address")).click()
    expect(page).to_have_url(re.compile("schemas%2FAddress"))
    expect(
        page.get_by_role("heading", name=re.compile("\\b3 (operations )?directly"))
    ).to_be_visible()
    assert {ADDRESS, ORDER, "shop.json:paths/orders/post"} <= set(drawn(page))
    click_node(page, ORDER)
    expect(page.locator(".sl-card .sl-id")).to_have_text(ORDER)
    page.get_by_role("link", name="Larkfield Shop API").click()
    expect(page.get_by_role("heading", name="Documentation coverage")).to_be_visible()
    page.get_by_role("link", name="All APIs").click()
    expect(page.get_by_role("textbox", name="Search the APIs")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Documentation coverage")).to_be_visible()


@pytest.mark.parametrize(
    ("link", "seen"),
    [
        ("apis", "Search the APIs"),
        ("apis?id=shop&within=refund", "Search elements"),
    ],
)
def test_a_cold_link_opens_its_view(samples_url: str, open_page, link: str, seen: str) -> None:
    page = open_page(f"{samples_url}/{link}")
    expect(page.get_by_role("textbox", name=seen)).to_be_visible()


def test_what_changes_is_in_sight_on_a_narrow_screen(samples_url: str, open_page) -> None:
    narrow = {"width": 390, "height": 844}
    page = open_page(f"{samples_url}/apis?id={ADDRESS}", viewport=narrow)
    drawn(page)
    at = page.locator(".graph").evaluate(
        """(box, id) => [box.specloupe.canvasToDOM(box.specloupe.getPosition(id)).x,
                         box.clientWidth]""",
        ADDRESS,
    )
    assert 0 < at[0] < at[1]


def test_a_cold_link_opens_an_element(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/apis?id={ADDRESS}&about=Similar+in+other+APIs")
    expect(page.locator(".sl-card .sl-id")).to_have_text(ADDRESS)
    expect(page.get_by_text("The most similar elements of the same kind")).to_be_visible()
