"""What axe-core finds on each page, in both themes: nothing serious that is ours to mend."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.articles import article, base

from core import Workbench

Open = Callable[..., Page]
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
LINKS = {
    "query": "query?q=create+an+order",
    "graph": "graph?q=create+an+order",
    "compare": "compare?q=create+an+order",
    "apis": "apis",
    "api": "apis?id=shop",
    "element": "apis?id=shop.json:paths/orders/post",
    "evaluate": "evaluate",
    "tune": "tune",
    "audit": "audit",
    "label": "label",
    "ingest": "ingest",
    "present": "present?q=create+an+order",
}
# What is drawn anew is pale for a moment, and has its own colours when nothing moves any more.
SETTLED = """() => {
  const moves = document.getAnimations().some((one) => one.playState === "running");
  const isStill = !moves && !document.querySelector("[data-stale='true']");
  window.stillSince = isStill ? (window.stillSince ?? Date.now()) : undefined;
  return isStill && Date.now() - window.stillSince > 700;
}"""
THEMES = ("light", pytest.param("dark", marks=pytest.mark.long))
# What Streamlit draws and no page can change: the rule, a part of the element's HTML, and why.
STREAMLITS: tuple[tuple[str, str, str], ...] = ()


def serious(page: Page) -> list[str]:
    """The rules that are broken, with the element."""
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate(
        "axe.run(document, {resultTypes: ['violations'], runOnly: {type: 'tag', "
        "values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}})"
    )
    return [
        f"{rule['id']}: {node['html'][:300]} {node['failureSummary'][:300]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
        if not any(rule["id"] == id and part in node["html"] for id, part, _ in STREAMLITS)
    ]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", LINKS)
def test_a_page_can_be_read_by_everybody(
    open_page: Open, samples_url: str, name: str, theme: str
) -> None:
    page = open_page(f"{samples_url}/{LINKS[name]}", color_scheme=theme)
    page.locator("[data-testid='stApp'][data-test-script-state='notRunning']").wait_for()
    page.wait_for_function(SETTLED, timeout=30_000)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)
    assert serious(page) == []


@pytest.fixture
def one_article(samples_url: str, samples_store: Path, tmp_path: Path) -> Iterator[None]:
    """Beside the samples, so that Knowledge has something to tell and to ask."""
    file = tmp_path / "kb.json"
    told = article("cable", "No power", "Check the cable.", intent=["no_power"], device=["Kite"])
    file.write_text(base(told), "utf-8")
    with Workbench.open(samples_store) as workbench:
        deque(workbench.ingest([file]), maxlen=0)
        yield
        deque(workbench.remove(["kb.json/cable"]), maxlen=0)


@pytest.mark.parametrize("theme", THEMES)
def test_articles_can_be_read_by_everybody(
    open_page: Open, samples_url: str, one_article: None, theme: str
) -> None:
    page = open_page(f"{samples_url}/knowledge", color_scheme=theme)
    page.get_by_label("Support message").fill("check the cable, no power")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("Check the cable.").first).to_be_visible()
    page.wait_for_function(SETTLED, timeout=30_000)
    assert serious(page) == []
