"""Two sides of a question, and of many."""

import re

import pytest
from playwright.sync_api import expect

LISTED = "ask=How+do+I+create+a+user%3F&ask=Which+fields+does+an+order+have%3F&what=A+list"


def test_with_and_without_the_filter_by_intent(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/?q=Which+fields+does+an+order+have%3F")
    expect(page.locator(".sl-card").first).to_be_visible()
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.locator(".sl-verdict")).to_contain_text(re.compile("filtering", re.IGNORECASE))
    for name in ("Off", "Boost", "Filter"):
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    expect(page.locator(".sl-orders .sl-order").first).to_contain_text("Order")
    page.get_by_role("radio", name="Off and Boost").click()
    expect(page.locator(".sl-order-title").last).to_have_text("Boost")


def test_two_settings_of_a_cold_link(samples_url: str, open_page) -> None:
    page = open_page(
        f"{samples_url}/compare?q=create+a+user&by=Two+settings&b=max_depth%3D0&b=mode%3Dexact"
    )
    expect(page.locator(".sl-words", has_text="Differences")).to_contain_text("Max depth: 3 → 0")
    expect(page.locator(".sl-verdict")).to_contain_text("B keeps")
    depth = page.get_by_role("spinbutton", name="Max depth")
    depth.fill("2")
    depth.press("Enter")
    expect(page.locator(".sl-words", has_text="Differences")).to_contain_text("Max depth: 3 → 2")
    expect(page).to_have_url(re.compile("b=max_depth%3D2"))


def test_a_list_is_asked_only_when_it_is_said_so(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/compare?{LISTED}")
    button = page.get_by_role("button", name="Compare", exact=True)
    expect(button).to_be_enabled()
    expect(page.locator(".sl-verdict")).to_have_count(0)
    button.click()
    expect(page.locator(".sl-verdict")).to_contain_text("Over 2 questions")
    expect(page.locator(".sl-table tbody tr")).to_have_count(2)
    page.reload()
    expect(page.locator(".sl-verdict")).to_contain_text("Over 2 questions")
    page.get_by_role("button", name="Open side by side").click()
    expect(page.get_by_role("heading", name="Filter", exact=True)).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("what", ["A question set"])
def test_a_labelled_set_tells_of_labels(samples_url: str, open_page, what: str) -> None:
    page = open_page(f"{samples_url}/compare?what={what.replace(' ', '+')}&set=samples.yaml")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".sl-verdict")).to_contain_text("labels", timeout=120_000)
