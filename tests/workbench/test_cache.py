from __future__ import annotations

from core.workbench.cache import Cache


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_value_is_given_until_it_is_too_old() -> None:
    clock = Clock()
    cache: Cache[str] = Cache(clock=clock)
    cache.put("a", "x", size=10)
    assert cache.get("a", ttl_s=5) == "x"
    clock.now = 5
    assert cache.get("a", ttl_s=5) is None
    assert (cache.hits, cache.misses) == (1, 1)


def test_a_time_to_live_of_zero_gives_nothing() -> None:
    cache: Cache[str] = Cache(clock=Clock())
    cache.put("a", "x", size=10)
    assert cache.get("a", ttl_s=0) is None


def test_the_least_recently_used_goes_first() -> None:
    cache: Cache[str] = Cache(clock=Clock())
    for key in "abc":
        cache.put(key, key, size=3)
    cache.get("a", ttl_s=1)
    cache.put("d", "d", size=3)
    assert [cache.get(key, ttl_s=1) for key in "abcd"] == ["a", None, "c", "d"]


def test_a_size_of_zero_keeps_nothing() -> None:
    cache: Cache[str] = Cache()
    cache.put("a", "x", size=0)
    assert len(cache) == 0


def test_the_hit_rate() -> None:
    cache: Cache[str] = Cache(clock=Clock())
    assert cache.hit_rate == 0
    cache.put("a", "x", size=1)
    for key in "aaab":
        cache.get(key, ttl_s=1)
    assert cache.hit_rate == 0.75
