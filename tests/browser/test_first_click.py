"""A click on a page whose controls are not drawn yet changes none of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

# The files of Streamlit's controls, which a busy machine draws long after the rest of a page.
CONTROLS = re.compile(
    r"/static/js/(Slider|TextInput|TextArea|Selectbox|Multiselect|Checkbox|ButtonGroup|NumberInput)"
)
SETTINGS = "q=close+a+ticket&max_depth=2&min_score=0.1&type=operation&api=ticketing&api=shop"
PAGES = {
    "/": "",
    "query": SETTINGS,
    "query in another view": f"{SETTINGS}&view=Left+out&why=shop.json%3Ainfo",
    "graph": f"{SETTINGS}&labels=true",
    "compare": f"{SETTINGS}&by=Two+settings&b=max_depth%3D0&b=mode%3Dexact",
    "compare a list": "what=A+list&ask=create+a+user&ask=delete+a+file",
    "compare a set": "what=A+question+set&set=samples.yaml&by=The+filter+by+intent",
    "apis": "id=shop&within=refund",
    "evaluate": "max_depth=2&min_score=0.1",
}
VALUES = """() => [...document.querySelectorAll(
    '[role=slider], input, textarea, [role=combobox], [role=radio], [role=switch], [role=tab]'
)].filter((e) => e.type != 'file').map((e) => [
    e.getAttribute('aria-label') || e.textContent || e.name,
    e.getAttribute('aria-valuenow'), e.value, e.checked,
    e.getAttribute('aria-checked'), e.getAttribute('aria-selected'),
].join(' | '))"""


@contextmanager
def undrawn(page: Page):
    """No control is drawn until the block ends."""
    held: list[Route] | None = []
    page.route(CONTROLS, lambda route: route.continue_() if held is None else held.append(route))
    yield
    waiting, held = held, None
    for route in waiting:
        route.continue_()


def settled(page: Page) -> None:
    """Until the last run of the page is over and all it sent is drawn."""
    page.wait_for_timeout(600)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def said(page: Page) -> list[object]:
    """What the controls and the address say, once they have said the same three times: a busy
    machine draws one control long after another."""
    looks: list[list[object]] = []
    while len(looks) < 3 or looks[-3] != looks[-1] or looks[-2] != looks[-1]:
        page.wait_for_timeout(300)
        looks.append([page.evaluate(VALUES), page.url])
    return looks[-1]


def click(page: Page, path: str, number: int) -> None:
    """On something that is drawn at once and has the page run again."""
    if path.startswith("apis"):
        page.get_by_role("tab").nth(number).click()
    elif path == "/":
        page.get_by_role("tab", name=("Left out", "Context")[number - 1]).click()
    else:
        page.get_by_test_id("stSidebar").locator("summary").nth(number).click()


def visited(open_page: Callable[..., Page], url: str, path: str, *, slowly: bool) -> list[object]:
    """What the controls and the address say after a first click and after a second."""
    page = open_page(f"{url}/_stcore/health")  # nothing of a page is known to the browser yet
    address = f"{url}/{path.split()[0].strip('/')}?{PAGES[path]}"
    if slowly:
        with undrawn(page):
            page.goto(address)
            click(page, path, 1)
            settled_without_controls(page)
    else:
        page.goto(address)
        settled(page)
        click(page, path, 1)
    settled(page)
    first = said(page)
    click(page, path, 2)
    settled(page)
    return [*first, *said(page)]


SLOWLY = 20  # times slower than this machine


@pytest.mark.long
def test_a_click_while_a_slow_machine_draws_query(samples_url: str, open_page) -> None:
    usual = visited(open_page, samples_url, "query", slowly=False)
    page = open_page(f"{samples_url}/_stcore/health")
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setCPUThrottlingRate", {"rate": SLOWLY})
    page.goto(f"{samples_url}/query?{SETTINGS}", wait_until="commit")
    unfolds = page.get_by_test_id("stSidebar").locator("summary").nth(1)
    unfolds.wait_for(timeout=120_000)
    unfolds.dispatch_event("click")  # at once, where a click would wait until all has settled
    browser.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    settled(page)
    first = said(page)
    click(page, "query", 2)
    settled(page)
    assert [*first, *said(page)] == usual


def settled_without_controls(page: Page) -> None:
    page.wait_for_timeout(1_500)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


USUAL = ("query", "evaluate")  # the others take minutes together
EVERY = [path if path in USUAL else pytest.param(path, marks=pytest.mark.long) for path in PAGES]


@pytest.mark.parametrize("path", EVERY)
def test_a_click_before_the_controls_are_drawn(samples_url: str, open_page, path: str) -> None:
    usual = visited(open_page, samples_url, path, slowly=False)
    assert len(usual[0]) > 3
    assert visited(open_page, samples_url, path, slowly=True) == usual
