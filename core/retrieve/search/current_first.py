"""Deprecated operations and older versions rank below what took their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.model import Chunk
from core.retrieve.search.mmr import alike

_REPLACED = 0.4  # so alike is a deprecated operation to the one that took its place
_KEPT = 4096  # texts: the same few come with every question
_PARAMETER = re.compile(r"\{[^{}]*\}")
_VERSION = re.compile(r"(?<![a-z0-9])v(\d+)(?:[._](\d+))?(?![a-z0-9])", re.IGNORECASE)


def current_first(chunks: Sequence[Chunk]) -> list[int]:
    """The places of the chunks, what was replaced directly behind what took its place."""
    order = list(range(len(chunks)))
    versions = [_version(chunk) for chunk in chunks]
    newest = max(versions, default=(0, 0))
    for old, chunk in enumerate(chunks):
        if not chunk.deprecated and versions[old] == newest:
            continue
        successors = [new for new in range(len(chunks)) if _replaces(chunks[new], chunks[old])]
        if successors and order.index(old) < (to := max(map(order.index, successors))):
            order.remove(old)
            order.insert(to, old)
    return order


def _replaces(new: Chunk, old: Chunk) -> bool:
    """A later version of the same path, or what is not deprecated of much the same words."""
    if not old.path or (new.method, new.deprecated) != (old.method, False) or new is old:
        return False
    if new.source_file == old.source_file and old.deprecated:
        return alike(new.text, old.text) >= _REPLACED
    return (
        _unversioned(new.source_file) == _unversioned(old.source_file)
        and plain_path(new.path) == plain_path(old.path)
        and _version(new) > _version(old)
    )


def _version(chunk: Chunk) -> tuple[int, int]:
    """(0, 0) where neither the path nor the file says one."""
    found = _VERSION.search(chunk.path) or _VERSION.search(chunk.source_file)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


@lru_cache(_KEPT)
def _unversioned(text: str) -> str:
    return _VERSION.sub("", text)


@lru_cache(_KEPT)
def plain_path(path: str) -> str:
    """A path without its version and the names of its parameters."""
    return _PARAMETER.sub("{}", _VERSION.sub("", path)).replace("//", "/")
