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
SIZE = {"width": 1440, "height": 900}
QUESTION = urlencode({"q": "How do I create a user?"})
ELEMENT = urlencode({"id": "shop.json:components/schemas/Address"})


def answered(page: Page) -> None:
    page.locator(".sl-card").first.wait_for()
    page.get_by_role("heading", name="Where the time went").wait_for()


def drawn(page: Page) -> None:
    page.locator(".graph canvas").wait_for()
    page.locator(".sl-card").first.wait_for()


def left_out(page: Page) -> None:
    page.locator(".sl-table").last.wait_for()


def listed(page: Page) -> None:
    page.get_by_test_id("stDataFrame").wait_for()


def judged(page: Page) -> None:
    page.locator(".sl-verdict").wait_for()
    page.locator(".sl-order").last.wait_for()
    page.get_by_role("slider", name="Min score").wait_for()


def affected(page: Page) -> None:
    page.locator(".graph canvas").wait_for()
    page.get_by_role("heading", name="Through other elements ·").wait_for()


def named(page: Page) -> None:
    page.get_by_role("link", name="Larkfield Shop API").wait_for()


def measured(page: Page) -> None:
    """With the figures of a run; the first time, there is none yet."""
    figures = page.locator(".sl-heat")
    figures.or_(page.get_by_text("No run is saved yet")).first.wait_for()
    if not figures.count():
        page.get_by_role("button", name="Run", exact=True).click()
        figures.wait_for(timeout=120_000)
    page.get_by_test_id("stVegaLiteChart").last.locator("canvas, svg").first.wait_for()


SHOTS: dict[str, tuple[str, str, Callable[[Page], None]]] = {
    "query-light": (f"?{QUESTION}", "light", answered),
    "query-dark": (f"?{QUESTION}", "dark", answered),
    "left-out-light": (f"?{QUESTION}&view=Left+out", "light", left_out),
    "graph-light": (f"graph?{QUESTION}", "light", drawn),
    "graph-dark": (f"graph?{QUESTION}", "dark", drawn),
    "compare-light": (f"compare?{QUESTION}", "light", judged),
    "compare-dark": (f"compare?{QUESTION}", "dark", judged),
    "apis-light": ("apis", "light", named),
    "apis-dark": ("apis", "dark", named),
    "impact-light": (f"apis?{ELEMENT}", "light", affected),
    "impact-dark": (f"apis?{ELEMENT}", "dark", affected),
    "evaluate-light": ("evaluate", "light", measured),
    "evaluate-dark": ("evaluate", "dark", measured),
    "ingest-light": ("ingest", "light", listed),
    "ingest-dark": ("ingest", "dark", listed),
}


def take(browser: Browser, url: str, name: str) -> Path:
    """One picture; raises ValueError when it is too heavy for a page."""
    path, scheme, ready = SHOTS[name]
    page = browser.new_page(viewport=SIZE, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{url}/{path}")
    ready(page)
    page.mouse.move(0, 0)
    page.wait_for_timeout(1500)  # fades and fonts
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
        warm.goto(f"{url}/?q=warm")
        answered(warm)
        for name in SHOTS:
            sys.stdout.write(f"{take(browser, url, name).relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
