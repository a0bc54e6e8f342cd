"""What a project's `.gitignore` files name: built, downloaded, private."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from core.read.document import SourceFile

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME = ".gitignore"
_LARGEST = 1_000_000  # bytes


class Ignored:
    """Asks for the files of one folder; those of its repository above it count as well."""

    def __init__(self, folder: str) -> None:
        """ "" for no folder: then nothing is ignored."""
        self._folder = folder
        self._specs: dict[Path, GitIgnoreSpec | None] = {}

    def __call__(self, source: SourceFile) -> bool:
        """Whether a file that was found in the folder is ignored; the nearest rule decides."""
        if not self._folder:
            return False
        path = self._path(source)
        verdict: bool | None = None
        for folder in self._above(path):
            spec = self._spec(folder)
            if spec is None:
                continue
            found = spec.check_file(path.relative_to(folder).as_posix()).include
            verdict = verdict if found is None else found
        return bool(verdict)

    @cached_property
    def _root(self) -> Path:
        return Path(self._folder).absolute()

    def _path(self, source: SourceFile) -> Path:
        """A prefix stands before the name of the file."""
        steps = source.file.split("/")
        inside = (self._root.joinpath(*steps[at:]) for at in range(len(steps)))
        return next((path for path in inside if path.exists()), self._root / source.file)

    def _above(self, path: Path) -> Iterator[Path]:
        """The folders whose rules hold for a path, from the top of its repository."""
        yield from (f for f in reversed(path.parents) if f.is_relative_to(self._top))

    @cached_property
    def _top(self) -> Path:
        around = (self._root, *self._root.parents)
        return next((folder for folder in around if (folder / ".git").exists()), self._root)

    def _spec(self, folder: Path) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = _read(folder / _NAME)
        return self._specs[folder]


def _read(path: Path) -> GitIgnoreSpec | None:
    """The rules of one file; none where it cannot be read."""
    from pathspec import GitIgnoreSpec

    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return None
        return GitIgnoreSpec.from_lines(path.read_text("utf-8", "replace").splitlines())
    except (OSError, ValueError):
        return None
