"""Copies of read indexes, for servers: the system ends whatever reads a mapped file beyond its end,
so nobody else should be able to cut short what a server has mapped."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from core.errors import StoreError
from core.index.disk.cache import cache_folder, key
from core.index.snapshot.arrays import Arrays, open_arrays
from core.index.snapshot.checked import NOTE

_LOG = logging.getLogger("specloupe.index")
_BESIDE = shutil.ignore_patterns(NOTE, ".*")  # what others may be writing


class Copies:
    """A folder of copies, shared by all servers of a store on this machine: for each folder of the
    store (`index`, `second`, …) that which was opened last. It may be removed at any time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of(cls, store: Path, environment: Mapping[str, str]) -> Copies:
        """Those of a store, by its folder on this machine."""
        return cls(cache_folder(environment) / "served" / key(store.absolute()))

    def open(self, folder: Path, *, whole: bool = False) -> Arrays:
        """Map the arrays of a copy of a finished folder, which is made first where there is none.

        Where none can be made, the folder itself is mapped, with a warning. Raises as `open_arrays`
        does.
        """
        kept = self.folder / folder.parent.name / folder.name
        try:
            return _found(kept, whole) or _copied(folder, kept)
        except OSError as error:
            arrays = open_arrays(folder, whole=whole)  # raises where it is that which is gone
            _LOG.warning(
                "Damage to %s would end this server, for it cannot be copied to %s: %s. "
                "SPECLOUPE_CACHE chooses another folder.",
                *(folder, self.folder, error),
            )
            return arrays


def _found(kept: Path, whole: bool = False) -> Arrays | None:
    try:
        return open_arrays(kept, whole=whole)
    except (FileNotFoundError, StoreError):  # a copy can be made again
        return None


def _copied(folder: Path, kept: Path) -> Arrays:
    from filelock import FileLock

    kept.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(kept.parent / "lock"):
        if found := _found(kept):  # by another process
            return found
        draft = kept.parent / "draft"
        _remove(draft)  # of a process that was killed
        try:
            shutil.copytree(folder, draft, ignore=_BESIDE, copy_function=shutil.copyfile)
            arrays = open_arrays(draft)
        except BaseException:
            _remove(draft)
            raise
        for other in kept.parent.glob("?-*"):  # what is mapped of it lives on
            _remove(other)
        draft.rename(kept)
        return arrays


def _remove(folder: Path) -> None:
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)
