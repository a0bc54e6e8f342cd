"""Cut a long section into pieces: at its paragraphs, then at lines, sentences and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

LIMIT = 2_000  # characters

# Where a block is cut, the best place first; what matches stays with the piece before it.
_CUTS = (
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?])\s+"),
    re.compile(r"\s+"),
)


def pieces(blocks: Iterable[str], limit: int = LIMIT) -> Sequence[str]:
    """The blocks in as few pieces as in turn hold `limit` characters; one at least, maybe empty."""
    return tuple(_packed((p for block in blocks for p in _small(block, limit)), limit)) or ("",)


def _small(block: str, limit: int) -> Iterator[tuple[str, str]]:
    """A block in parts that fit, each with what joins it to the one before."""
    joint = "\n\n"
    while len(block) > limit:
        at = _cut(block, limit)
        yield joint, block[:at].rstrip()
        block, joint = block[at:].lstrip("\n"), "\n"
    yield joint, block


def _cut(block: str, limit: int) -> int:
    """The last good place within the limit; half of it at least is used."""
    for cut in _CUTS:
        ends = [found.end() for found in cut.finditer(block, limit // 2, limit)]
        if ends:
            return ends[-1]
    return limit


def _packed(parts: Iterable[tuple[str, str]], limit: int) -> Iterator[str]:
    piece = ""
    for joint, part in parts:
        if piece and len(piece) + len(joint) + len(part) > limit:
            yield piece
            piece = part
        else:
            piece = f"{piece}{joint}{part}" if piece else part
    if piece:
        yield piece
