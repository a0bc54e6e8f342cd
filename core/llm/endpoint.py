"""Where a language model is asked, with which key, and within which bounds; never a setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, cast
from urllib.parse import urlsplit

from core.errors import SettingsError
from core.settings import Knob

OPENAI = "api.openai.com"


def _limit(default: Any, env: str, help: str, **more: Any) -> Any:
    return field(default=default, metadata={"env": env, "help": help, "group": "models", **more})


@dataclass(frozen=True, slots=True)
class Limits:
    """What all calls of a process are held to, and what they cost."""

    retries: int = _limit(
        1,
        "LLM_RETRIES",
        "Further tries after 429, 5xx or a lost connection, within the time of one call.",
        low=0,
        high=10,
    )
    concurrency: int = _limit(4, "LLM_CONCURRENCY", "Calls at once.", low=1, high=64)
    cache: bool = _limit(True, "LLM_CACHE", "Keep answers beside the store's runs.")
    budget_tokens: int = _limit(
        0, "LLM_BUDGET_TOKENS", "Tokens after which the rules go on; 0: no limit.", low=0
    )
    budget_usd: float = _limit(
        0.0, "LLM_BUDGET_USD", "Dollars after which the rules go on; 0: no limit.", low=0
    )
    price_in: float = _limit(
        0.0, "LLM_PRICE_IN", "Dollars for a million tokens that the model reads.", low=0
    )
    price_out: float = _limit(
        0.0, "LLM_PRICE_OUT", "Dollars for a million tokens that the model writes.", low=0
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Limits:
        """The defaults, changed by what the environment sets; raises SettingsError."""
        given = {k: environment[k.env] for k in KNOBS if environment.get(k.env, "").strip()}
        values = {k.name: k.parse(raw, f"environment {k.env}") for k, raw in given.items()}
        return cls(**values)  # type: ignore[arg-type]

    def usd(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost; 0 where no price is set."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6


KNOBS = tuple(
    Knob(name=each.name, default=cast(float, each.default), **each.metadata)
    for each in fields(Limits)
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The key stays in here: it is in no message, log line, saved value or `repr`."""

    url: str = ""  # "": that of OpenAI
    key: str = field(default="", repr=False)
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Endpoint:
        """`LLM_BASE_URL` else `OPENAI_BASE_URL`, `LLM_API_KEY` else `OPENAI_API_KEY`.

        Streamlit puts the secrets of its file there as well. Raises SettingsError.
        """

        def said(*names: str) -> str:
            return next((v for name in names if (v := environment.get(name, "").strip())), "")

        url = said("LLM_BASE_URL", "OPENAI_BASE_URL")
        if url and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname):
            raise SettingsError(
                "environment LLM_BASE_URL: it must begin with http:// or https:// and name a host, "
                "for example http://127.0.0.1:11434/v1."
            )
        limits = Limits.from_environment(environment)
        return cls(url, said("LLM_API_KEY", "OPENAI_API_KEY"), limits)

    @property
    def host(self) -> str:
        """What people are told of it; with the port where there is one, never with a password."""
        if not self.url:
            return OPENAI
        parts = urlsplit(self.url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def is_usable(self) -> bool:
        """Whether it can be asked: an endpoint of one's own may want no key."""
        return bool(self.url or self.key)
