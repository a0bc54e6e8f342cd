"""Which files of a folder were read through, and have not been touched since.

Checksums of a large read index take half a second of CPU, which every new process would spend. So
whoever has compared them notes each file's size and times; who finds the same need not read it.
After a restart of the machine, which may have lost what was written, all are read once more.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import orjson

from core.errors import StoreError
from core.index.disk.files import write_whole

_LOG = logging.getLogger("specloupe.index")
NOTE = "checked.json"
_BOOT = Path("/proc/sys/kernel/random/boot_id")

Stamp = tuple[int, int, int]  # bytes; when it was written, and when anything of it changed, in ns


def stamp(path: Path) -> Stamp:
    """Differs when a file has changed; raises OSError."""
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def noted(folder: Path) -> Mapping[str, Stamp]:
    """By the name of its file, what was right when it was read; nothing where nobody noted it."""
    try:
        note = orjson.loads((folder / NOTE).read_bytes())
        return {k: tuple(v) for k, v in note["files"].items()} if note["boot"] == _boot() else {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def note(folder: Path, files: Mapping[str, Stamp]) -> None:
    """Let others know; where nothing can be written, they read for themselves."""
    try:
        write_whole(folder / NOTE, orjson.dumps({"boot": _boot(), "files": files}))
    except StoreError as error:
        _LOG.debug("What was checked is not noted: %s", error)


def _boot() -> str:
    """Which start of the machine this is; "" where the system does not tell."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""
