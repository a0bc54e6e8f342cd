"""Addresses of servers: what is taken, and that no secret ever shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import CallError
from core.index.chroma.remote.address import is_address, parse_address

CACHE = {"SPECLOUPE_CACHE": "/cache"}


@pytest.mark.parametrize(
    ("store", "url", "port", "ssl"),
    [
        ("http://localhost:8000", "http://localhost:8000", 8000, False),
        ("http://chroma", "http://chroma:8000", 8000, False),
        ("https://chroma.example.com/", "https://chroma.example.com:443", 443, True),
        ("HTTP://[::1]:81", "http://[::1]:81", 81, False),
    ],
    ids=["whole", "port", "tls", "ipv6"],
)
def test_addresses(store: str, url: str, port: int, ssl: bool) -> None:
    address = parse_address(store, CACHE)
    assert (address.url, address.port, address.ssl) == (url, port, ssl)
    assert str(address) == url
    assert is_address(store)


@pytest.mark.parametrize("store", [".specloupe", "/srv/http", Path("http://a")])
def test_folders(store: str | Path) -> None:
    assert not is_address(store)


@pytest.mark.parametrize(
    ("store", "why"),
    [
        ("http://", "takes the address of a Chroma server alone"),
        ("http://a:8000/tenant", "CHROMA_TENANT and CHROMA_DATABASE"),
        ("http://a?token=1", "alone"),
        ("http://a:port", "is not a valid address"),
        ("http://me:secret@a", "put a token into the environment"),
    ],
)
def test_wrong_addresses(store: str, why: str) -> None:
    with pytest.raises(CallError, match=why) as caught:
        parse_address(store, CACHE)
    assert "secret" not in str(caught.value)


def test_a_token_goes_into_headers_and_nowhere_else() -> None:
    address = parse_address("https://a", {**CACHE, "CHROMA_TOKEN": "s3cret"})
    assert address.headers == {"Authorization": "Bearer s3cret", "x-chroma-token": "s3cret"}
    assert "s3cret" not in f"{address!r} {address}"
    assert parse_address("https://a", CACHE).headers == {}


def test_a_token_that_cannot_be_one_is_named_and_not_shown() -> None:
    with pytest.raises(CallError, match="CHROMA_TOKEN contains an invalid character") as caught:
        parse_address("https://a", {**CACHE, "CHROMA_TOKEN": "s3crét\n"})
    assert "s3cr" not in str(caught.value)


def test_an_address_that_cannot_be_read() -> None:
    with pytest.raises(CallError, match="is not a valid address"):
        parse_address("http://[::1", CACHE)


def test_each_database_has_a_cache_of_its_own() -> None:
    stores = [
        ("http://a", {}),
        ("http://b", {}),
        ("http://a:81", {}),
        ("http://a", {"CHROMA_TENANT": "t"}),
        ("http://a", {"CHROMA_DATABASE": "d"}),
    ]
    caches = {parse_address(store, {**CACHE, **more}).cache for store, more in stores}
    assert len(caches) == 5
    assert {cache.parent for cache in caches} == {Path("/cache")}
    one = parse_address("http://a", CACHE).cache
    assert one == parse_address("http://a:8000", {**CACHE, "CHROMA_TOKEN": "x"}).cache


def test_the_usual_cache() -> None:
    assert parse_address("http://a", {}).cache.parent == Path.home() / ".cache" / "specloupe"
    xdg = parse_address("http://a", {"XDG_CACHE_HOME": "/x"})
    assert xdg.cache.parent == Path("/x/specloupe")


def test_a_url_of_another_kind_is_no_folder() -> None:
    assert not is_address("folder/with:colon")
    with pytest.raises(CallError, match="'ftp://x' is neither a folder nor"):
        is_address("ftp://x")
