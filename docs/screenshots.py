"""Take the pictures in `docs/images`: `uv run --locked --group dev python docs/screenshots.py`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import Browser, Page  # noqa: E402 - tests/ has just been put on the path
from support.browser import MISSING, chromium, chromium_path, served  # noqa: E402

IMAGES = ROOT / "docs" / "images"
MOST = 300_000  # bytes a picture
PATIENCE = 120_000  # milliseconds, on a busy machine
SIZE = {"width": 1440, "height": 900}
QUESTION = urlencode({"q": "How do I create a user?"})


def answered(page: Page) -> None:
    page.locator(".sl-card").first.wait_for()
    page.get_by_role("heading", name="Where the time went").wait_for()


def drawn(page: Page) -> None:
    page.locator(".graph canvas").wait_for()
    page.locator(".sl-card").first.wait_for()


def left_out(page: Page) -> None:
    page.locator(".sl-table").last.wait_for()


def measured(page: Page) -> None:
    """With the figures of a run; the first time, there is none yet."""
    figures = page.locator(".sl-heat")
    figures.or_(page.get_by_text("No runs yet")).first.wait_for()
    if not figures.count():
        page.get_by_role("button", name="Run", exact=True).click()
        figures.wait_for(timeout=120_000)
    page.get_by_test_id("stVegaLiteChart").last.locator("canvas, svg").first.wait_for()


def tried(page: Page) -> None:
    page.get_by_role("button", name="Try", exact=True).click()
    page.locator(".sl-verdict").wait_for(timeout=120_000)
    page.get_by_test_id("stVegaLiteChart").first.locator("canvas, svg").first.wait_for()
    page.locator(".sl-verdict").evaluate("at => at.scrollIntoView({block: 'start'})")


SHOTS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "query-light": (f"?{QUESTION}", answered),
    "left-out-light": (f"?{QUESTION}&view=Left+out", left_out),
    "graph-light": (f"graph?{QUESTION}", drawn),
    "evaluate-light": ("evaluate", measured),
    "tune-light": ("tune", tried),
}


def take(browser: Browser, url: str, name: str) -> Path:
    """One picture; raises ValueError when it is too heavy for a page."""
    path, ready = SHOTS[name]
    page = browser.new_page(viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    page.goto(f"{url}/{path}")
    ready(page)
    page.mouse.move(0, 0)
    page.get_by_test_id("stSkeleton").first.wait_for(state="detached")
    page.wait_for_timeout(2500)  # fades and fonts
    file = IMAGES / f"{name}.png"
    page.screenshot(path=file)
    page.close()
    if file.stat().st_size > MOST:
        raise ValueError(f"{file} has {file.stat().st_size:,} bytes, more than {MOST:,}.")
    return file


def main() -> None:
    path = chromium_path()
    if path is None:
        raise SystemExit(MISSING)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "store", Path(folder) / "log") as url,
        chromium(path) as browser,
    ):
        warm = browser.new_page()  # the first answer waits for the embedder
        warm.set_default_timeout(PATIENCE)
        warm.goto(f"{url}/?{QUESTION}")
        answered(warm)
        for name in SHOTS:
            sys.stdout.write(f"{take(browser, url, name).relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
