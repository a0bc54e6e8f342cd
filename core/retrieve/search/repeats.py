"""Which of several chunks that say much the same get a place among the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.model import Chunk
from core.retrieve.search.current_first import plain_path
from core.retrieve.search.mmr import alike

_SAME = 0.9  # so alike are chunks of two files that say the same


def repeated(chunks: Sequence[Chunk]) -> Mapping[str, str]:
    """Id of each chunk that says the same as an earlier one of another file → that one's."""
    found: dict[str, str] = {}
    for at, chunk in enumerate(chunks):
        for earlier in chunks[:at]:
            if earlier.id not in found and _says_the_same(earlier, chunk):
                found[chunk.id] = earlier.id
                break
    return found


def _says_the_same(one: Chunk, other: Chunk) -> bool:
    return (
        one.source_file != other.source_file
        and (one.type, one.method, one.name) == (other.type, other.method, other.name)
        and plain_path(one.path) == plain_path(other.path)
        and alike(one.text, other.text) >= _SAME
    )
