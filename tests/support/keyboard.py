"""A page by its keyboard alone: nothing is clicked, what has the focus is read from the page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

MOST = 120  # stops of the Tab key on a page
ROUNDS = 6
START = "Skip to main content"  # the first stop
NAME = """() => {
    const at = document.activeElement;
    if (!at || at === document.body) return '';
    const text = (node) => {
        const copy = node.cloneNode(true);
        copy.querySelectorAll('[data-testid=stIconMaterial]').forEach((icon) => icon.remove());
        return copy.textContent;
    };
    const by = (at.getAttribute('aria-labelledby') || '').split(' ').filter(Boolean)
        .map((id) => document.getElementById(id)).filter(Boolean).map(text).join(' ');
    const labels = [...(at.labels || [])].map(text).join(' ');
    return at.getAttribute('aria-label') || by || labels || text(at);
}"""


class Keyboard:
    """What a person without a mouse does."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def at(self) -> str:
        """The name of what has the focus."""
        name: str = self.page.evaluate(NAME)
        return " ".join(name.split())

    def comes_to(self, name: str) -> None:
        """Wait until what has the focus is called so."""
        for _ in range(100):
            if self.at() == name:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"The focus is not on {name!r}, but on {self.at()!r}.")

    def to(self, name: str) -> None:
        """Press Tab until what has the focus is called so, around the page more than once while
        parts of it are still being drawn."""
        for _ in range(ROUNDS):
            seen: list[str] = []
            while len(seen) < MOST and seen.count(START) < 2:
                self.page.keyboard.press("Tab")
                seen.append(self.at())
                if seen[-1] == name:
                    return
            self.page.wait_for_timeout(500)
        raise AssertionError(f"The Tab key does not come to {name!r}, but to {seen}.")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def settled(self) -> None:
        """Wait until the page has drawn what the last key asked for."""
        state = self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
        for _ in range(2):  # a key may ask for a second run
            self.page.wait_for_timeout(200)
            expect(state).to_be_visible()
