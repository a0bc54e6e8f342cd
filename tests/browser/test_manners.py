"""Keys, their list, the tour on the first visit, and what a browser remembers."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

Open = Callable[..., Page]
PERSON = "Object.defineProperty(navigator, 'webdriver', {get: () => false})"


def drawn(page: Page) -> None:
    """What is drawn anew loses the focus, and keys are heard once their script is there."""
    page.locator("html[data-manners='on']").wait_for(state="attached")
    page.locator("[data-testid='stApp'][data-test-script-state='notRunning']").wait_for()


def test_keys_lead_everywhere_and_are_listed(open_page: Open, samples_url: str) -> None:
    page = open_page(f"{samples_url}/query?q=create+an+order")
    page.get_by_role("tab", name="Context").wait_for()
    drawn(page)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    expect(keys.get_by_text("Evaluate")).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.keyboard.press("/")
    expect(page.locator(":focus")).to_have_value("create an order")
    page.keyboard.press("End")
    page.keyboard.type("g")  # a letter, while somebody types
    expect(page.locator(":focus")).to_have_value("create an orderg")
    page.keyboard.press("Backspace")
    page.keyboard.press("Escape")
    page.keyboard.type("gc")  # and `c` alone is a key of Streamlit's
    expect(page).to_have_url(re.compile(r"/compare\?.*q=create"))
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_tour_is_shown_once_and_can_be_skipped(browser: Browser, samples_url: str) -> None:
    context = browser.new_context()
    context.add_init_script(PERSON)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{samples_url}/apis")
    page.get_by_role("dialog", name="What this is").get_by_role("button", name="Next").click()
    page.get_by_role("dialog", name="Ask").get_by_role("button", name="Skip the tour").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    page.locator("html[data-manners='on']").wait_for(state="attached")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_role("button", name="Show the tour").click()
    expect(page.get_by_role("dialog", name="What this is")).to_be_visible()
    context.close()


def test_the_sidebar_and_the_theme_stay_as_they_were_left(
    open_page: Open, samples_url: str
) -> None:
    page = open_page(f"{samples_url}/query")
    drawn(page)
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    sidebar.hover()
    page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    page.evaluate(
        "localStorage.setItem(`stActiveTheme-${location.pathname}-v2`, JSON.stringify("
        "{name: 'Dark', selectedTheme: 'Dark'}))"
    )
    page.wait_for_function("document.cookie.includes('specloupe_sidebar=collapsed')")
    kept = "Object.keys(localStorage).filter((key) => key.startsWith('stActiveTheme'))"
    assert page.evaluate(kept) == ["stActiveTheme-v2"]
    page.goto(f"{samples_url}/evaluate")
    expect(sidebar).to_have_attribute("data-collapsed", "true")
