"""Read the specifications in a zip archive, whose every header may lie."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator

from core.errors import SpecError, UnreadableSpec, UnsafeSpec
from core.read.document import SourceFile
from core.read.files.filenames import has_ending, joined, listed, visible
from core.read.limits import MB, Limits

_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for any amount of memory
_END = b"PK\x05\x06"  # end of central directory: a record of 22 bytes and a comment
_NAME_BYTES = 512  # of the directory, per member, on average
_SKIPPED = ("__MACOSX", "node_modules")


def is_archive(data: bytes) -> bool:
    return data.startswith(_SIGNATURES)


def members(
    data: bytes, name: str, root: str, prefix: str, limits: Limits, endings: tuple[str, ...]
) -> Iterator[SourceFile | SpecError]:
    """What has one of the endings in an archive, by name, as `<name>/<path inside>`.

    A member that must not be read comes as the error that says why, and the others go on.
    Raises UnreadableSpec or UnsafeSpec when it is the whole archive.
    """
    whole = joined(prefix, name)
    archive = _opened(data, whole, limits)
    inside = [info for info in archive.infolist() if _is_wanted(info, endings)]
    wanted = sorted(inside, key=lambda info: info.filename)
    if not wanted:
        raise UnreadableSpec(whole, f"the archive holds no {listed(endings)} file.")
    seen: set[str] = set()
    left = limits.max_expanded_mb * MB
    for info in wanted:
        try:
            file = joined(prefix, name, info.filename.replace("\\", "/"))
            _check(info, file, limits)
            left -= info.file_size
            _check_place(file, seen, left, limits)
        except SpecError as error:
            yield error
            continue
        yield SourceFile(file, root, _Member(archive, info, file))


def _opened(data: bytes, name: str, limits: Limits) -> zipfile.ZipFile:
    _check_directory(data, name, limits)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    # zipfile lets all of these out for a hostile directory, the last for versions it cannot read
    except (zipfile.BadZipFile, ValueError, OSError, struct.error, NotImplementedError) as error:
        raise UnreadableSpec(name, f"the archive is damaged: {error}.") from error
    return archive


def _check_directory(data: bytes, name: str, limits: Limits) -> None:
    """Refuse too many members before a list of them is made."""
    at = data.rfind(_END, -22 - 65_535 if len(data) > 22 + 65_535 else 0)
    if at < 0 or len(data) < at + 22:
        raise UnreadableSpec(name, "the archive is damaged: its central directory is missing.")
    count, size = struct.unpack("<HI", data[at + 10 : at + 16])
    if count > limits.max_files or size > limits.max_files * _NAME_BYTES:
        raise UnsafeSpec(
            name, f"the archive holds more than {limits.max_files:,} files (SPECLOUPE_MAX_FILES)."
        )


def _is_wanted(info: zipfile.ZipInfo, endings: tuple[str, ...]) -> bool:
    steps = info.filename.replace("\\", "/").split("/")
    hidden = any((s[:1] == "." and s not in (".", "..")) or s in _SKIPPED for s in steps)
    return not info.is_dir() and not hidden and has_ending(info.filename, endings)


def _check(info: zipfile.ZipInfo, file: str, limits: Limits) -> None:
    if info.filename[:1] in ("/", "\\") or info.filename[1:2] == ":":
        raise UnsafeSpec(file, "its name is an absolute path; it was not read.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UnsafeSpec(file, "it is a link; it was not read.")
    if info.flag_bits & 1:
        raise UnreadableSpec(file, "it is encrypted; pack it again without a password.")
    if info.compress_type not in _METHODS:
        raise UnreadableSpec(file, "its compression is not supported; pack it again with deflate.")
    if info.file_size > limits.max_file_bytes:
        raise UnsafeSpec(
            file, f"it is larger than {limits.max_file_mb} MB (SPECLOUPE_MAX_FILE_MB)."
        )
    if info.file_size > limits.max_ratio * max(info.compress_size, 1):
        raise UnsafeSpec(
            file,
            f"it unpacks to more than {limits.max_ratio} times its size (SPECLOUPE_MAX_RATIO).",
        )


def _check_place(file: str, seen: set[str], left: int, limits: Limits) -> None:
    if file in seen:
        raise UnreadableSpec(file, "the archive holds it more than once; the first one was read.")
    seen.add(file)
    if left < 0:
        raise UnsafeSpec(
            file,
            f"the archive unpacks to more than {limits.max_expanded_mb} MB "
            "(SPECLOUPE_MAX_EXPANDED_MB).",
        )


class _Member:
    """Reads one member when it is called; no more than its header says, which is checked."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: str) -> None:
        self._archive, self._info, self._file = archive, info, file

    def __call__(self) -> bytes:
        try:
            with self._archive.open(self._info) as file:
                return file.read(self._info.file_size)  # without a size it unpacks without end
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            reason = visible(str(error))[:200]
            raise UnreadableSpec(self._file, f"the archive is damaged: {reason}.") from error
