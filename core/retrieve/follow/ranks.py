"""Sets of primaries as bits of a whole number: bit 0 is the first primary, whose rank is 1.

Plain numbers, because a union is made for every reference of every question.
"""

from __future__ import annotations


def first(primaries: int) -> int:
    """The number of the best one, from 0; -1 for none."""
    return (primaries & -primaries).bit_length() - 1


def ranks(primaries: int) -> tuple[int, ...]:
    """Their ranks, from 1, in order."""
    return tuple(n for n in range(1, primaries.bit_length() + 1) if primaries >> (n - 1) & 1)
