"""The address of a Chroma server, and what the environment says about reaching it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from core.errors import CallError
from core.index.disk.cache import cache_folder, key

CLOUD = "api.trychroma.com"
TOKENS = ("SPECLOUPE_TOKEN", "CHROMA_TOKEN", "CHROMA_API_KEY")  # the first that is set

_SCHEME = re.compile(r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*+://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """A server, and the database on it that a store lives in."""

    host: str
    port: int
    ssl: bool
    tenant: str
    database: str
    cache: Path  # the folder on this machine for what is kept of the store
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # hold the token

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.ssl else 'http'}://{host}:{self.port}"

    @property
    def database_url(self) -> str:
        tenant, database = quote(self.tenant, safe=""), quote(self.database, safe="")
        return f"{self.url}/api/v2/tenants/{tenant}/databases/{database}"

    @property
    def is_cloud(self) -> bool:
        """Whether the quotas of Chroma Cloud hold."""
        return self.host == CLOUD

    def __str__(self) -> str:
        return self.url


def is_address(store: str | Path) -> bool:
    """Whether this names a server; raises CallError for a URL that no server has."""
    if not isinstance(store, str) or not _SCHEME.match(store):
        return False
    if not store.lower().startswith(("http://", "https://")):
        raise CallError(
            f"The store {store!r} is neither a folder nor the http:// or https:// address of a "
            "Chroma server."
        )
    return True


def parse_address(store: str, environment: Mapping[str, str]) -> Address:
    """The server of `--store`; raises CallError.

    Secrets come from the environment alone: the address is shown, logged and kept with runs.
    """
    try:
        parts = urlsplit(store)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise CallError(f"--store {store} is not a valid address: {error}.") from error
    if parts.username is not None or parts.password is not None:
        raise CallError(
            "--store takes no user name or password: put a token into the environment, as "
            "CHROMA_TOKEN."
        )
    if not host or parts.path.strip("/") or parts.query or parts.fragment:
        raise CallError(
            "--store takes the address of a Chroma server alone, like http://localhost:8000; "
            "CHROMA_TENANT and CHROMA_DATABASE choose a database on it."
        )
    ssl = parts.scheme == "https"
    tenant = environment.get("CHROMA_TENANT") or "default_tenant"
    database = environment.get("CHROMA_DATABASE") or "default_database"
    port = port or (443 if ssl else 8000)
    return Address(
        host,
        port,
        ssl,
        tenant,
        database,
        cache_folder(environment) / key(host, port, tenant, database),
        _headers(environment),
    )


def _headers(environment: Mapping[str, str]) -> dict[str, str]:
    """Both headers that Chroma and the proxies before it look at."""
    name = next((name for name in TOKENS if environment.get(name)), "")
    token = environment[name] if name else ""
    if not (token.isascii() and token.isprintable()):
        raise CallError(f"{name} contains an invalid character; check its value.")
    return {"Authorization": f"Bearer {token}", "x-chroma-token": token} if token else {}
