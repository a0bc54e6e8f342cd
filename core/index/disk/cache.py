"""The folder of this machine for what can be made again: copies, and what is kept of servers."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

CACHE = "SPECLOUPE_CACHE"


def cache_folder(environment: Mapping[str, str]) -> Path:
    if given := environment.get(CACHE):
        return Path(given).absolute()
    home = environment.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "specloupe"


def key(*parts: object) -> str:
    """A folder's name for what these tell apart."""
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]
