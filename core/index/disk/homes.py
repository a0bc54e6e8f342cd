"""What is chosen as a whole and a file is a part of: a base of articles, a root of documents or of
code. A home is called as its root is, or as the prefix that was put before its files."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from core.sources import registry

_Group = tuple[str, str, str]  # a kind's format, and a prefix, or else a root
_ARCHIVE = re.compile(r"\.(?:zip|tar|tgz|tar\.gz)$", re.IGNORECASE)


class Placed(Protocol):
    """What is known of a file in a store."""

    @property
    def file(self) -> str: ...
    @property
    def file_id(self) -> str: ...
    @property
    def root(self) -> str: ...
    @property
    def prefix(self) -> str: ...
    @property
    def kind(self) -> str: ...


def homes(entries: Collection[Placed]) -> Mapping[str, str]:
    """By file; "" for one that is chosen by itself. No two homes share a name, nor does one have
    that of a file: then more of the path is said, and what is in it (`docs:code`)."""
    single: dict[str, str] = {}
    groups: dict[_Group, list[str]] = defaultdict(list)
    for entry in entries:
        kind = registry.known(entry.kind)
        if kind and kind.is_of_root:
            prefix = entry.prefix.strip("/")
            groups[kind.format, prefix, "" if prefix else entry.root].append(entry.file)
        else:
            single[entry.file] = kind.home(entry.file) if kind else ""
    others = {single[e.file] or name for e in entries if e.file in single for name in _called(e)}
    named = _named(groups, {name.casefold() for name in others})
    return single | {file: named[group] for group, files in groups.items() for file in files}


def _called(entry: Placed) -> Iterable[str]:
    return entry.file_id, entry.file


def _named(groups: Iterable[_Group], others: Collection[str]) -> Mapping[_Group, str]:
    """A name for each group, in which others are told apart whatever the case of their letters."""
    groups = sorted(groups)
    short = _shortest({root for _, prefix, root in groups if not prefix})
    names = {group: group[1] or short[group[2]] for group in groups}
    used = Counter(name.casefold() for name in names.values())
    return {
        group: f"{name}:{group[0]}"
        if used[name.casefold()] > 1 or name.casefold() in others
        else name
        for group, name in names.items()
    }


def _shortest(roots: Collection[str]) -> Mapping[str, str]:
    """For each root the fewest last steps of its path that no other ends in."""
    steps = {root: _steps(root) for root in roots}
    ends: Counter[tuple[str, ...]] = Counter()
    for each in steps.values():
        ends.update({_folded(each[-n:]) for n in range(1, len(each) + 1)})
    return {root: "/".join(_own(each, ends)) for root, each in steps.items()}


def _own(steps: Sequence[str], ends: Mapping[tuple[str, ...], int]) -> Sequence[str]:
    found = (steps[-n:] for n in range(1, len(steps)) if ends[_folded(steps[-n:])] == 1)
    return next(found, steps)


def _folded(steps: Sequence[str]) -> tuple[str, ...]:
    return tuple(step.casefold() for step in steps)


def _steps(root: str) -> Sequence[str]:
    """A folder, an archive or the host of a URL as the steps of a path."""
    path = root.partition("://")[2] or root.replace("\\", "/")
    steps = [step for step in _ARCHIVE.sub("", path).split("/") if step]
    return steps or [root]
