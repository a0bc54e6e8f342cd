"""Which folders of the server visitors may ingest: only those named when it was started."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from core.errors import CallError

NONE = (
    "This server does not ingest folders of its own machine from this page. Start it with "
    "`specloupe app --allow-folders PATH` to allow one, or run `specloupe ingest PATH`."
)


def allowed(environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """What `--allow-folders` names, real paths; none by default.

    The listening address does not matter: a proxy can expose loopback to others.
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
            f"{where} is not in a folder that this server may read. Start it with "
            "`--allow-folders` to add one."
        )
    return where


def _is_in(where: str, folders: tuple[Path, ...]) -> bool:
    try:
        real = Path(where).resolve()
    except (OSError, ValueError, RuntimeError):  # not a possible file name
        return False
    return any(real.is_relative_to(folder) for folder in folders)
