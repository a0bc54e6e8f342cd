"""Which folders of the server a visitor may have read: those that whoever started it has named."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from core.errors import CallError

NONE = (
    "This server reads no folders of its machine for its visitors. "
    "`specloupe app --allow-folders PATH` lets it read one; `specloupe ingest PATH` needs no page."
)


def allowed(environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """What `--allow-folders` names, real paths; none by default.

    The address that the server listens on tells nothing: a proxy opens loopback to others too.
    """
    named = environment.get("SPECLOUPE_ALLOW_FOLDERS", "").split(os.pathsep)
    return tuple(Path(each).resolve() for each in named if each)


def checked(where: str, folders: tuple[Path, ...]) -> str:
    """The same place if it is a URL or in one of the folders; raises CallError."""
    from core.read.files.find import is_url

    if is_url(where):
        return where
    if not folders:
        raise CallError(NONE)
    if not _is_in(where, folders):
        raise CallError(
            f"{where}: this server may not read that. Its --allow-folders says what it may."
        )
    return where


def _is_in(where: str, folders: tuple[Path, ...]) -> bool:
    try:
        real = Path(where).resolve()
    except (OSError, ValueError, RuntimeError):  # a name that no file can have
        return False
    return any(real.is_relative_to(folder) for folder in folders)
