"""Pictures in the browser: what is drawn, and where to click."""

from __future__ import annotations

from playwright.sync_api import Page


def click_node(page: Page, chunk_id: str, *, times: int = 1) -> None:
    picture = page.locator(".graph")
    at = picture.evaluate(
        """(box, id) => {
            const at = box.specloupe.canvasToDOM(box.specloupe.getPosition(id));
            return [at.x, at.y];
        }""",
        chunk_id,
    )
    picture.click(position={"x": at[0], "y": at[1]}, click_count=times)


def spread(page: Page) -> tuple[float, float]:
    """From the first column to the last and from the first row to the last, at full size."""
    width, height = page.locator(".graph").evaluate(
        """(box) => {
            const at = Object.values(box.specloupe.getPositions());
            const far = (places) => Math.max(...places) - Math.min(...places);
            return [far(at.map((place) => place.x)), far(at.map((place) => place.y))];
        }"""
    )
    return width, height


def drawn(page: Page) -> list[str]:
    page.locator(".graph canvas").wait_for()
    ids: list[str] = page.locator(".graph").evaluate(
        "(box) => box.specloupe.body.data.nodes.getIds()"
    )
    return ids
