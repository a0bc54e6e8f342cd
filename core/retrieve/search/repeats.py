"""Which of several chunks that say much the same get a place among the results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.model import Chunk
from core.retrieve.search.mmr import alike

_SAME = 0.9  # so alike are chunks of two files that say the same
_REPLACED = 0.4  # so alike is a deprecated operation to the one that took its place

_VERSION = re.compile(r"(?<![a-z0-9])v(\d+)(?:[._](\d+))?(?![a-z0-9])", re.IGNORECASE)


def repeated(chunks: Sequence[Chunk]) -> Mapping[str, str]:
    """Id of each chunk that says the same as an earlier one of another file → that one's."""
    found: dict[str, str] = {}
    for at, chunk in enumerate(chunks):
        for earlier in chunks[:at]:
            if earlier.id not in found and _says_the_same(earlier, chunk):
                found[chunk.id] = earlier.id
                break
    return found


def current_first(chunks: Sequence[Chunk]) -> list[int]:
    """The places of the chunks, what was replaced directly behind what took its place."""
    order = list(range(len(chunks)))
    for old in range(len(chunks)):
        successors = [new for new in range(len(chunks)) if _replaces(chunks[new], chunks[old])]
        if successors and order.index(old) < (to := max(map(order.index, successors))):
            order.remove(old)
            order.insert(to, old)
    return order


def _says_the_same(one: Chunk, other: Chunk) -> bool:
    return (
        one.source_file != other.source_file
        and (one.type, one.method, one.name) == (other.type, other.method, other.name)
        and _plain(one.path) == _plain(other.path)
        and alike(one.text, other.text) >= _SAME
    )


def _replaces(new: Chunk, old: Chunk) -> bool:
    """A later version of the same path, or what is not deprecated of much the same words."""
    if not old.path or (new.method, new.deprecated) != (old.method, False) or new is old:
        return False
    if new.source_file == old.source_file and old.deprecated:
        return alike(new.text, old.text) >= _REPLACED
    return (
        _VERSION.sub("", new.source_file) == _VERSION.sub("", old.source_file)
        and _plain(new.path) == _plain(old.path)
        and _version(new) > _version(old)
    )


def _version(chunk: Chunk) -> tuple[int, int]:
    """(0, 0) where neither the path nor the file says one."""
    found = _VERSION.search(chunk.path) or _VERSION.search(chunk.source_file)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def _plain(path: str) -> str:
    """A path without its version and the names of its parameters."""
    return re.sub(r"\{[^{}]*\}", "{}", _VERSION.sub("", path)).replace("//", "/")
