"""What a server says without the key that it was sent: it may quote it in any answer."""

from __future__ import annotations

HIDDEN = "[key]"
_SECRET = 16  # characters from which on it is a key, and no word that a local server asks for


class WithoutKey:
    """A text that comes in pieces; what may be the beginning of the key waits for the next one."""

    def __init__(self, key: str) -> None:
        self._key = key if len(key) >= _SECRET else ""
        self._held = ""

    def add(self, piece: str) -> str:
        """What can be passed on now."""
        text = self._held + piece
        if not self._key:
            return text
        text = text.replace(self._key, HIDDEN)
        most = min(len(text), len(self._key) - 1)
        end = next((n for n in range(most, 0, -1) if self._key.startswith(text[-n:])), 0)
        self._held = text[len(text) - end :]
        return text[: len(text) - end]

    def rest(self) -> str:
        """What is left at the end."""
        held, self._held = self._held, ""
        return held


def without_key(text: str, key: str) -> str:
    """A whole text without it."""
    whole = WithoutKey(key)
    return whole.add(text) + whole.rest()
