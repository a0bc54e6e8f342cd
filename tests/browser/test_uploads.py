"""Files of a stranger: the good is taken, the broken refused, and an attack stays text."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect
from support import tiny_specs
from support.browser import served

QUESTION = {"q": "How do I create a user?", "api": "hostile"}


@pytest.fixture(scope="module")
def stocked_url(browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A workbench of its own after an upload of a good, a broken and a hostile file."""
    folder = tmp_path_factory.mktemp("uploads")
    with served(folder / "store", folder / "log") as url:
        _uploaded(browser, url, folder)
        yield url


def _uploaded(browser: Browser, url: str, folder: Path) -> None:
    files = {
        "corner.json": json.dumps(tiny_specs.SHOP),
        "broken.json": json.dumps(tiny_specs.SHOP)[:700],
        "hostile.json": json.dumps(tiny_specs.HOSTILE),
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    page = browser.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{url}/ingest")
    page.get_by_role("tab", name="Upload").click()
    page.locator("input[type=file]").set_input_files([folder / name for name in files])
    page.get_by_role("button", name="Ingest the uploaded files").click()
    expect(page.get_by_text("broken.json").first).to_be_visible()
    expect(
        page.get_by_test_id("stDataFrame").locator("td", has_text="Corner Shop")
    ).to_be_attached()
    expect(page.get_by_role("heading", name="Refused")).to_be_visible()
    page.close()


def ready(page: Page) -> None:
    expect(page.locator(".sl-facts, .sl-card").first).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def harmless(page: Page) -> None:
    """Nothing of the attack has become an element or a link; the fixture listens for the rest."""
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("a[href^='javascript'], a[href*='evil.example']").count() == 0


def test_an_attack_stays_text_on_the_query_page(stocked_url: str, open_page) -> None:
    page = open_page(f"{stocked_url}/?{urlencode(QUESTION)}")
    ready(page)
    expect(page.locator(".sl-card").first).to_contain_text("<img src=x")
    page.locator(".sl-card summary").evaluate_all("all => all.forEach(each => each.click())")
    page.get_by_role("radio", name="JSON").click()
    expect(page.locator(".sl-card").first).to_contain_text("<script>")
    harmless(page)
    page.get_by_role("tab", name="Left out").click()
    expect(page.get_by_role("textbox", name="Why is a chunk included")).to_be_visible()
    harmless(page)
    page.get_by_role("tab", name="Label").click()
    expect(page.get_by_role("button", name="Save as golden question")).to_be_visible()
    harmless(page)
    page.get_by_role("tab", name="Export").click()
    for form in ("JSON", "Chat messages", "Python", "curl", "MCP", "LangChain", "LlamaIndex"):
        page.get_by_role("radio", name=form, exact=True).click()
        expect(page.get_by_role("button", name=f"Download {form}")).to_be_visible()
    harmless(page)


def test_an_attack_stays_text_where_it_is_compared_and_explained(
    stocked_url: str, open_page
) -> None:
    page = open_page(f"{stocked_url}/compare?{urlencode(QUESTION)}")
    expect(page.locator(".sl-order").first).to_contain_text("<img")
    harmless(page)
    page.get_by_role("link", name="APIs", exact=True).click()
    page.get_by_role("link", name="<script>").first.click()
    expect(page.get_by_role("heading", name="Documentation coverage")).to_be_visible()
    harmless(page)
    page.locator("[class*=st-key-links] a").first.click()
    expect(page.get_by_role("tab", name="Impact of a change")).to_be_visible()
    harmless(page)


def test_an_attack_stays_text_in_the_picture_and_its_file(
    stocked_url: str, open_page, tmp_path: Path
) -> None:
    page = open_page(f"{stocked_url}/graph?{urlencode({**QUESTION, 'labels': 'true'})}")
    picture = page.locator(".graph")
    picture.locator("canvas").wait_for()
    ready(page)
    ids = picture.evaluate("(box) => box.specloupe.body.data.nodes.getIds()")
    assert any("<img" in chunk_id for chunk_id in ids)
    for chunk_id in ids:
        x, y = picture.evaluate(
            """(box, id) => {
                const at = box.specloupe.canvasToDOM(box.specloupe.getPosition(id));
                return [at.x, at.y];
            }""",
            chunk_id,
        )
        page.mouse.move(0, 0)
        picture.hover(position={"x": x, "y": y})  # the pop-up with the node's title
        page.wait_for_timeout(130)  # `tooltipDelay` is 120
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as HTML").click()
    file = tmp_path / "graph.html"
    download.value.save_as(file)
    alone = open_page(file.as_uri())
    alone.locator("#graph canvas").wait_for()
    data = alone.evaluate("JSON.parse(document.getElementById('picture').textContent)")
    assert any("<img" in node["id"] for node in data["nodes"])


def test_an_attack_stays_text_in_the_catalogue(stocked_url: str, open_page) -> None:
    page = open_page(f"{stocked_url}/ingest")
    table = page.get_by_test_id("stDataFrame")  # a canvas, with a table for screen readers
    expect(table.locator("td", has_text="hostile.json")).to_be_attached()
    search = page.get_by_role("textbox", name="Search the APIs in the store")
    search.fill("<script>")
    search.press("Enter")
    expect(page.get_by_text("match <script>")).to_be_visible()
    table.click(position={"x": 16, "y": 35 + 17})
    page.get_by_role("button", name="Remove 1 API").click()
    expect(page.get_by_role("dialog")).to_contain_text("hostile")
