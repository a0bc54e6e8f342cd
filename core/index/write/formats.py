"""Which of the files at a source are read: those of the formats that were asked for.

A folder with API descriptions gives these alone, so that what lies beside them is no surprise; one
without any gives whatever is recognised. What was chosen for a source before is what is stored of
it, and holds until another choice is made.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import CallError, SpecError
from core.index.disk.manifest import Entry
from core.read.document import SourceFile
from core.read.files.filenames import joined
from core.read.files.ignored import Ignored
from core.sources import registry
from core.sources.kind import SourceKind

Found = SourceFile | SpecError
ALL = "all"
_API = re.compile(rb"""(?m)^[ \t]*+(?:\{\s*+)?["']?(?:openapi|swagger)["']?\s*+:""")


@dataclass(frozen=True, slots=True)
class Taken:
    """What is read of a source, and the files that are left out for their format."""

    found: tuple[Found, ...]
    left_out: tuple[str, ...] = ()


def checked_formats(formats: Iterable[str]) -> frozenset[str]:
    """The names of the kinds that are meant; none for no choice. Raises CallError."""
    known = {kind.format: kind.name for kind in registry.KINDS}
    wanted = {part.strip() for each in formats for part in each.split(",") if part.strip()}
    if unknown := sorted(wanted - {*known, ALL}):
        raise CallError(f"There is no format {unknown[0]!r}: take {', '.join([*known, ALL])}.")
    return frozenset(known.values() if ALL in wanted else (known[name] for name in wanted))


def taken(found: Sequence[Found], formats: Collection[str], target: str = "") -> Taken:
    """What is read of the files found at a target; "" where each was named by itself.

    Bases are opened: each of their articles stands for itself, with the base as its root.
    `formats` are names of kinds, none for no choice.
    """
    whole = os.path.isfile(target)
    each = [(one, *_read(one)) for one in found]
    bases = [kind for _, kind, _ in each if kind and kind is not registry.KINDS[-1]]
    wanted = {*formats} or {kind.name for kind in registry.KINDS}
    others = (one for one, kind, _ in each if kind is registry.KINDS[-1])
    if bases and not formats and target and not whole and _has_api(others):
        wanted = {registry.KINDS[-1].name}
    kept: list[Found] = []
    left_out: list[str] = []
    ignored = Ignored(target if target and not whole else "")
    for one, kind, data in each:
        if kind is None or not isinstance(one, SourceFile):
            kept.append(one)
        elif kind.heeds_gitignore and ignored(one):
            continue
        elif kind.name not in wanted:
            left_out.append(one.file)
        else:
            kept += _opened(one, kind, data)
    return Taken(tuple(kept), tuple(left_out))


def _read(one: Found) -> tuple[SourceKind | None, bytes]:
    """The kind of a file, with its bytes where it stands for others; None where it is not known,
    and is refused when it is read."""
    if isinstance(one, SpecError):
        return None, b""
    try:
        data = one.read()
    except SpecError:
        return None, b""
    kind = registry.kind_for(one.file, data)
    return kind, b"" if kind is registry.KINDS[-1] else data


def _has_api(found: Iterable[Found]) -> bool:
    return any(isinstance(one, SourceFile) and _is_api(one.read) for one in found)


def _is_api(read: Callable[[], bytes]) -> bool:
    try:
        return bool(_API.search(read()))
    except SpecError:
        return False


def _opened(one: SourceFile, kind: SourceKind, data: bytes) -> Iterator[Found]:
    """The members of a file that stands for others; itself where it stands for itself, or cannot
    be opened, which it is refused for when it is cut."""
    try:
        members = list(kind.members(data, one.file)) if data else []
    except SpecError as error:
        members = [error]
    if not members:
        yield one
        return
    root = base_root(one)
    for member in members:
        if isinstance(member, SpecError):
            yield member
        else:
            yield source_of(*member, root)


def source_of(file: str, data: bytes, root: str) -> SourceFile:
    """A file whose bytes are here."""
    return SourceFile(file, root, lambda: data)


def base_root(one: SourceFile) -> str:
    """What is the root of a base's articles: the base itself, where that is a file."""
    root = Path(one.root)
    if not root.is_absolute() or not os.path.isdir(root):
        return one.root
    steps = one.file.split("/")
    inside = (root.joinpath(*steps[at:]) for at in range(len(steps)))
    return str(next((path for path in inside if os.path.isfile(path)), root))


def chosen_before(entries: Iterable[Entry], target: str) -> frozenset[str]:
    """The kinds of what is stored of a source: the choice that was made for it."""
    root = str(Path(target).absolute())
    return frozenset(entry.kind for entry in entries if is_of(entry, root))


def is_of(entry: Entry, root: str) -> bool:
    """Whether a root gave a file, by itself or within a base that lies in it.

    A base below it that was named by itself, as a sync does, has a shorter name, and is no part of
    what the root gave.
    """
    if entry.root == root:
        return True
    base = registry.known(entry.kind)
    if not (base and (home := base.home(entry.file)) and entry.root.lower().endswith(base.endings)):
        return False
    path = Path(entry.root)
    is_below = path.is_absolute() and path.is_relative_to(root)
    return is_below and joined(entry.prefix, path.relative_to(root).as_posix()) == home
