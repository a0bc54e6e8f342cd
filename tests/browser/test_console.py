"""No page logs an error: not on a cold link, and not after a click on each of its links."""

import pytest
from playwright.sync_api import expect

from ui.server import PAGES

AT_FIRST = ("", "ingest")  # every other page is opened by `test_axe.py`, in the same way


@pytest.mark.parametrize(
    "path",
    [pytest.param(page, marks=() if page in AT_FIRST else pytest.mark.long) for page in PAGES],
)
def test_a_cold_link_logs_no_error(samples_url: str, open_page, path: str) -> None:
    page = open_page(f"{samples_url}/{path}")  # which fails the test when the console has one
    expect(page.locator(".sl-brand")).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    page.get_by_role("link", name="APIs", exact=True).click()
    expect(page.get_by_role("textbox", name="Search the APIs")).to_be_visible()
