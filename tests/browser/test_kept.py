"""What a person did is there again after the server was killed and the page loaded anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from support.browser import Server

QUESTION = {"q": "How do I create an order?", "api": "shop", "view": "Label", "max_depth": "1"}
SET = """samples:
- {id: a, query: How do I create an order?, relevant: [shop.json POST /orders]}
"""
SLOW = 120_000


@pytest.fixture
def server(browser, tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path / "store", tmp_path / "log")
    yield started
    started.kill()


def idle(page: Page) -> None:
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


@pytest.mark.long
def test_a_kill_and_a_reload_lose_nothing(server: Server, browser, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(SET, "utf-8")
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(60_000)

    page.goto(f"{server.url}/?{urlencode(QUESTION)}")
    up = page.get_by_role("radio", name="Thumbs up").first
    up.click()
    expect(page.get_by_role("button", name="Save as golden question")).to_be_enabled()
    page.get_by_role("button", name="Save as golden question").click()
    expect(page.get_by_role("button", name="Download 1 golden question")).to_be_visible()
    query = page.url

    page.goto(f"{server.url}/evaluate?{urlencode({'max_depth': '2', 'ragas': 'false'})}")
    page.get_by_role("button", name="Upload").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "mine.yaml")
    expect(page.get_by_text("mine.yaml (uploaded)").first).to_be_visible()
    page.keyboard.press("Escape")
    idle(page)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("tab", name="Figures")).to_be_visible(timeout=SLOW)
    idle(page)
    evaluate = page.url
    assert "run=" in evaluate
    assert "sets=" in evaluate

    server.kill()
    server.start()

    page.goto(query)
    expect(page.get_by_role("button", name="Download 1 golden question")).to_be_visible()
    expect(page.get_by_role("button", name="Save as golden question")).to_be_enabled()
    assert "max_depth=1" in page.url
    page.goto(evaluate)
    expect(page.get_by_text("mine.yaml (uploaded)").first).to_be_visible()
    expect(page.get_by_role("tab", name="Figures")).to_be_visible()
    idle(page)
    for kept in ("max_depth=2", "ragas=false", "run=", "sets="):
        assert kept in page.url
    page.screenshot(path=str(tmp_path / "kept.png"))
    page.get_by_role("combobox", name="Question sets").click()
    expect(page.get_by_role("option", name="golden questions")).to_be_visible()
    page.close()
