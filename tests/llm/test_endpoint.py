"""Keys and endpoints come from the environment, and go nowhere else."""

from __future__ import annotations

import dataclasses

import pytest

from core.errors import SettingsError
from core.llm.endpoint import Endpoint, Limits


def test_the_own_names_come_before_those_of_openai() -> None:
    both = {
        "LLM_BASE_URL": "http://127.0.0.1:1/v1",
        "OPENAI_BASE_URL": "http://other",
        "OPENAI_API_KEY": "one",
    }
    found = Endpoint.from_environment(both)
    assert (found.url, found.key, found.host) == ("http://127.0.0.1:1/v1", "one", "127.0.0.1:1")
    assert Endpoint.from_environment({**both, "LLM_API_KEY": "two"}).key == "two"


def test_without_a_key_it_is_usable_only_at_an_endpoint_of_ones_own() -> None:
    assert not Endpoint.from_environment({}).is_usable
    assert Endpoint.from_environment({"LLM_BASE_URL": "http://127.0.0.1/v1"}).is_usable
    assert Endpoint.from_environment({"OPENAI_API_KEY": "one"}).host == "api.openai.com"


def test_the_key_and_a_password_of_the_address_are_never_shown() -> None:
    found = Endpoint("http://user:pass@127.0.0.1:8/v1", "sk-secret")
    assert "sk-secret" not in repr(found)
    assert found.host == "127.0.0.1:8"


@pytest.mark.parametrize("url", ["127.0.0.1:11434", "ftp://host/v1", "http://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="LLM_BASE_URL"):
        Endpoint.from_environment({"LLM_BASE_URL": url})


def test_bounds_come_from_the_environment_and_are_checked() -> None:
    limits = Limits.from_environment({"LLM_RETRIES": "3", "LLM_CACHE": "false"})
    assert limits == dataclasses.replace(Limits(), retries=3, cache=False)
    with pytest.raises(SettingsError, match="LLM_CONCURRENCY"):
        Limits.from_environment({"LLM_CONCURRENCY": "0"})


def test_money_is_by_the_million_of_tokens() -> None:
    assert Limits(price_in=2.0, price_out=8.0).usd(500_000, 250_000) == 3.0
    assert Limits().usd(500_000, 250_000) == 0.0
