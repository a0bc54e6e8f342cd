"""Results that may be given again: none too old, and the least recently used out first."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Cache(Generic[Value]):
    """A bounded map from keys to values with an age; safe to share between threads.

    A key must hold everything that the value depends on, the store's generation included: then a
    stale answer is impossible, and only memory is lost to entries that nobody asks for again.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._entries: OrderedDict[Hashable, tuple[float, Value]] = OrderedDict()
        self._clock = clock
        self._lock = Lock()
        self.hits = 0
        self.misses = 0

    def get(self, key: Hashable, *, ttl_s: float) -> Value | None:
        """The value, when it is there and younger than `ttl_s` seconds."""
        with self._lock:
            made, value = self._entries.get(key, (float("-inf"), None))
            if value is None or self._clock() - made >= ttl_s:
                self.misses += 1
                return None
            self._entries.move_to_end(key)
            self.hits += 1
            return value

    def put(self, key: Hashable, value: Value, *, size: int) -> None:
        """Keep the value, and at most `size` values altogether."""
        with self._lock:
            self._entries[key] = (self._clock(), value)
            self._entries.move_to_end(key)
            while len(self._entries) > size:
                self._entries.popitem(last=False)

    @property
    def hit_rate(self) -> float:
        """Share of the look-ups that found something, 0 to 1; 0 before the first."""
        return self.hits / max(1, self.hits + self.misses)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def __len__(self) -> int:
        return len(self._entries)
