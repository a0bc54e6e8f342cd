"""What a newcomer does first: look at the sample answer, its graph, one chunk of it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support.pictures import click_node, drawn, spread

ADDRESS = "shop.json:components/schemas/Address"


def slide(page: Page, name: str, key: str) -> None:
    page.get_by_role("slider", name=name).focus()
    page.keyboard.press(key)


def test_from_the_first_screen_to_a_chunk_in_the_graph(samples_url: str, open_page) -> None:
    page = open_page(samples_url)
    expect(page.get_by_text("How the question was understood")).to_be_visible()
    expect(page.locator(".sl-card").first).to_be_visible()

    question = page.get_by_role("textbox", name="Question")
    question.fill("How do I create a user?")
    question.press("Enter")
    expect(page.locator(".sl-card .sl-name", has_text="POST /users").first).to_be_visible()
    expect(page.locator(".sl-tokenbar .sl-segment").first).to_be_visible()

    page.get_by_role("link", name="Graph", exact=True).click()
    ids = drawn(page)
    assert "shop.json:paths/users/post" in ids
    target = next(i for i in ids if "/schemas/" in i)
    click_node(page, target)
    expect(page.locator(".sl-card .sl-id")).to_have_text(target)
    expect(page).to_have_url(re.compile("node="))
    page.get_by_role("button", name="Expand by one step").click()
    expect(page).to_have_url(re.compile("open="))
    page.get_by_role("button", name="Collapse").wait_for()
    assert set(ids) <= set(drawn(page))
    page.locator(".graph").hover()
    page.mouse.wheel(0, 200)
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop > 0")
    (width, height), (wide, high) = picture_size(page), spread(page)
    assert width > wide  # with what is not in sight
    assert height > high


def picture_size(page: Page) -> tuple[int, int]:
    """Of the PNG that keys alone zoom into and take; its header tells it."""
    page.get_by_role("button", name="Zoom in").focus()
    for _ in range(4):
        page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    header = Path(download.value.path()).read_bytes()[16:24]
    return int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")


def test_fewer_steps_draw_fewer_columns(samples_url: str, open_page) -> None:
    page = open_page(f"{samples_url}/graph?q=How+do+I+create+a+user%3F")
    before = drawn(page)
    for _ in range(3):
        slide(page, "Max depth", "ArrowLeft")
        page.wait_for_timeout(100)
    expect(page).to_have_url(re.compile("max_depth=0"))
    page.wait_for_function(
        """(count) => {
            const find = (root) => root.querySelector('.graph') || [...root.querySelectorAll('*')]
                .map((e) => e.shadowRoot && find(e.shadowRoot)).find(Boolean);
            const box = find(document);
            return box && box.specloupe && box.specloupe.body.data.nodes.length < count;
        }""",
        arg=len(before),
    )
    expect(page.get_by_text("was 3")).to_be_visible()


@pytest.mark.parametrize("path", ["query", "graph", "ingest"])
def test_a_link_opens_cold_and_brings_its_question(samples_url: str, open_page, path: str) -> None:
    page = open_page(f"{samples_url}/{path}?q=delete+a+file&max_depth=2")
    if path == "ingest":
        expect(page.get_by_role("heading", name="In the store")).to_be_visible()
        page.get_by_role("link", name="Query").click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("delete a file")
    expect(page.get_by_text("was 3")).to_be_visible()


def test_sessions_do_not_see_each_other(samples_url: str, open_page) -> None:
    one = open_page(f"{samples_url}/?q=create+a+user")
    other = open_page(f"{samples_url}/?q=close+a+ticket&max_depth=1")
    expect(other.get_by_role("textbox", name="Question")).to_have_value("close a ticket")
    expect(one.get_by_role("textbox", name="Question")).to_have_value("create a user")
    slide(one, "Max depth", "ArrowRight")
    expect(one).to_have_url(re.compile("max_depth=4"))
    expect(other).to_have_url(re.compile("max_depth=1"))


@pytest.mark.parametrize(
    ("scheme", "background"), [("light", "251, 250, 247"), ("dark", "16, 22, 31")]
)
def test_the_theme_is_the_visitors(
    samples_url: str, open_page, scheme: str, background: str
) -> None:
    page = open_page(f"{samples_url}/ingest", color_scheme=scheme)
    expect(page.get_by_role("heading", name="In the store")).to_be_visible()
    expect(page.locator(".stApp")).to_have_css("background-color", f"rgb({background})")
