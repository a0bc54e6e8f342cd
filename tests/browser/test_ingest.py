"""The table of what is stored: it fits a telephone, sorts, searches and selects."""

from __future__ import annotations

from playwright.sync_api import expect


def test_the_table_fits_a_narrow_screen_and_a_row_is_selected(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/ingest", viewport={"width": 390, "height": 844})
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible()
    wider = "(main) => main.scrollWidth - main.clientWidth"
    assert page.get_by_test_id("stMain").evaluate(wider) == 0
    box = table.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390
    table.scroll_into_view_if_needed()
    table.click(position={"x": 16, "y": 35 + 17})
    expect(page.get_by_role("button", name="Remove 1 API")).to_be_enabled()
    page.get_by_role("button", name="Remove 1 API").click()
    expect(page.get_by_role("dialog")).to_contain_text("The files themselves are not touched")
    page.keyboard.press("Escape")
    expect(page.get_by_text("5 APIs.")).to_be_visible()


def test_a_search_is_kept_in_the_link(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/ingest?stored=ticket")
    expect(page.get_by_text("1 of 5 APIs match ticket")).to_be_visible()
