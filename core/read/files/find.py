"""Find the specifications in what someone points at: a file, a folder, an archive or a URL."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from core.errors import SpecError, UnreadableSpec, UnsafeSpec
from core.read.document import SourceFile
from core.read.files.archive import is_archive, members
from core.read.files.filenames import ENDINGS, has_ending, joined, listed, visible
from core.read.limits import Limits

Found = SourceFile | SpecError
_SKIPPED = ("node_modules", "__pycache__")
_STORE = {"manifest.json", "lock"}  # a store of ours: its files describe nothing
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
_OPEN |= getattr(os, "O_BINARY", 0)
_URL = re.compile(r"(?<![a-zA-Z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]++://")


def discover(
    target: str,
    *,
    prefix: str = "",
    limits: Limits | None = None,
    endings: tuple[str, ...] = ENDINGS,
) -> Iterator[Found]:
    """Everything at a path or URL that may be a specification, in the order of its names.

    A file is taken whatever it is called; of a folder or an archive what has one of the `endings`,
    hidden folders, stores and node_modules left out. What cannot or must not be read comes
    as the error that says why, and the others go on. `prefix` stands before every file name.
    """
    limits = limits or Limits()
    if not target:  # which a path takes for the working directory
        return iter([UnreadableSpec("''", "it names no file, folder or URL.")])
    if is_url(target):
        return _told(_from_url(target, prefix, limits, endings))
    return _told(_from_path(Path(target), prefix, limits, endings))


def is_url(target: str) -> bool:
    """Whether `discover` fetches this, and does not look for it among the files."""
    return bool(_URL.match(target))


def from_bytes(
    name: str,
    data: bytes,
    *,
    root: str = "upload",
    prefix: str = "",
    limits: Limits | None = None,
    endings: tuple[str, ...] = ENDINGS,
) -> Iterator[Found]:
    """The same for one file whose bytes are here already: an upload, a download."""
    return _told(_from_bytes(name, data, root, prefix, limits or Limits(), endings))


def beside(
    source: SourceFile,
    name: str,
    prefix: str,
    limits: Limits,
    endings: tuple[str, ...] = ENDINGS,
) -> Iterator[Found]:
    """A file of this name in the folder of a single file that was asked for, if there is one.

    `name` is what a reference in it calls that file. One that is not there is no error here: the
    reference is reported. What leads out of the folder is refused as it is in a folder.
    """
    root = Path(source.root)
    path = root / name.removeprefix(joined(prefix) + "/" if prefix else "")
    if (
        root.is_absolute()
        and ".." not in path.parts
        and has_ending(name, endings)
        and os.path.lexists(path)
    ):
        yield from _from_entry(path, root, Path(os.path.realpath(root)), prefix, limits)


def _told(found: Iterator[Found]) -> Iterator[Found]:
    """The same, with an error that ends it as its last item."""
    try:
        yield from found
    except SpecError as error:
        yield error


def _from_bytes(
    name: str, data: bytes, root: str, prefix: str, limits: Limits, endings: tuple[str, ...]
) -> Iterator[Found]:
    if is_archive(data):
        yield from members(data, name, root, prefix, limits, endings)
    else:
        yield SourceFile(joined(prefix, name), root, lambda: data)


def _from_url(url: str, prefix: str, limits: Limits, endings: tuple[str, ...]) -> Iterator[Found]:
    from core.read.files.fetch import fetch, shown  # httpx: folders and files do without it

    data = fetch(url, limits=limits)
    parts = urlsplit(shown(url))
    root = f"{parts.scheme}://{parts.netloc}"
    yield from _from_bytes(parts.netloc + parts.path, data, root, prefix, limits, endings)


def _from_path(
    path: Path, prefix: str, limits: Limits, endings: tuple[str, ...]
) -> Iterator[Found]:
    kind = _kind(path)
    if stat.S_ISDIR(kind):
        yield from _from_folder(path, prefix, limits, endings)
    elif stat.S_ISREG(kind):
        yield from _from_file(path, prefix, limits, endings)
    else:
        raise UnreadableSpec(visible(str(path)), "it is neither a file nor a folder.")


def _kind(path: Path) -> int:
    try:
        return path.stat().st_mode
    except (OSError, ValueError) as error:
        raise _unreadable(visible(str(path)), error) from error


def _from_file(
    path: Path, prefix: str, limits: Limits, endings: tuple[str, ...]
) -> Iterator[Found]:
    whole = Path(os.path.abspath(path))
    file = joined(prefix, whole.name)
    read = partial(_read, Path(os.path.realpath(path)), file, limits)
    if is_archive(_head(path)):
        yield from members(read(), whole.name, str(whole), prefix, limits, endings)
    else:
        yield SourceFile(file, str(whole.parent), read)


def _from_folder(
    folder: Path, prefix: str, limits: Limits, endings: tuple[str, ...]
) -> Iterator[Found]:
    root = Path(os.path.abspath(folder))
    home = Path(os.path.realpath(root))
    count = 0
    for path in _walk(root, endings):
        if isinstance(path, SpecError):
            yield path
            continue
        count += 1
        if count > limits.max_files:
            yield UnsafeSpec(
                visible(str(folder)),
                f"it holds more than {limits.max_files:,} files (SPECLOUPE_MAX_FILES).",
            )
            return
        yield from _from_entry(path, root, home, prefix, limits)
    if not count:
        also = "" if {*endings} <= {*ENDINGS} else ", nor another that is read"
        yield UnreadableSpec(
            visible(str(folder)), f"the folder holds no {listed(ENDINGS)} file{also}."
        )


def _walk(root: Path, endings: tuple[str, ...]) -> Iterator[Path | SpecError]:
    """Files by name, folder by folder; links to folders are not followed."""
    failed: list[OSError] = []
    for folder, folders, files in os.walk(root, onerror=failed.append):
        if _STORE.issubset(files):
            folders[:] = files[:] = ()
        folders[:] = sorted(n for n in folders if n[:1] != "." and n not in _SKIPPED)
        yield from (Path(folder, name) for name in sorted(files) if _is_wanted(name, endings))
    yield from (_unreadable(visible(str(error.filename)), error) for error in failed)


def _is_wanted(name: str, endings: tuple[str, ...]) -> bool:
    """A hidden file sets some tool up (`.eslintrc.js`) or holds secrets, if it describes no API."""
    return has_ending(name, ENDINGS if name[:1] == "." else endings)


def _from_entry(path: Path, root: Path, home: Path, prefix: str, limits: Limits) -> Iterator[Found]:
    name = joined(prefix, path.relative_to(root).as_posix())
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(home):
        yield UnsafeSpec(name, "it is a link that leads out of the folder; it was not read.")
        return
    try:
        if stat.S_ISREG(_kind(real)):  # queues and devices are passed by
            yield SourceFile(name, str(root), partial(_read, real, name, limits))
    except SpecError as error:
        yield type(error)(name, error.reason)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(4)
    except OSError as error:
        raise _unreadable(visible(str(path)), error) from error


def _read(path: Path, name: str, limits: Limits) -> bytes:
    """The bytes of a regular file; never more of them than the limit, and never from a queue."""
    try:
        with open(os.open(path, _OPEN), "rb") as file:
            state = os.fstat(file.fileno())
            if not stat.S_ISREG(state.st_mode):
                raise UnreadableSpec(name, "it is not a file any more.")
            data = file.read(limits.max_file_bytes + 1)
    except OSError as error:
        raise _unreadable(name, error) from error
    if len(data) > limits.max_file_bytes:
        raise UnsafeSpec(
            name, f"it is larger than {limits.max_file_mb} MB (SPECLOUPE_MAX_FILE_MB)."
        )
    return data


def _unreadable(name: str, error: Exception) -> UnreadableSpec:
    if isinstance(error, FileNotFoundError):
        return UnreadableSpec(name, "there is no such file or folder.")
    if isinstance(error, PermissionError):
        return UnreadableSpec(name, "reading it is not permitted.")
    if isinstance(error, ValueError):  # a null character, or half of a pair
        return UnreadableSpec(name, "it cannot be the name of a file.")
    reason = getattr(error, "strerror", None) or str(error)
    return UnreadableSpec(name, f"it cannot be read: {reason}.")
