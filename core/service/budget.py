"""An answer within a number of tokens: what does not fit is left out, or cut, and counted."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from core.tokens import TokenCounter

_CUT = "… {} tokens were cut; ask with more tokens or for less detail.\n"
_LEFT_OUT = "{} more were left out; ask with more tokens or for less detail.\n"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text that is within its limit."""

    text: str
    taken: int  # pieces in it, a cut one included
    left_out: int  # pieces that are not
    cut_tokens: int = 0  # of the piece that alone is too long


def fit(pieces: Sequence[str], most: int, tokens: TokenCounter) -> Fitted:
    """As many whole pieces from the first on as `most` tokens hold; of the first, what they hold.

    Each piece ends in a newline. The sentence about what is missing is within the limit too.
    """

    def written(taken: int) -> str:
        rest = len(pieces) - taken
        return "".join(pieces[:taken]) + (_LEFT_OUT.format(rest) if rest else "")

    if tokens.count(whole := written(len(pieces))) <= most:
        return Fitted(whole, len(pieces), 0)
    fitting = (n for n in range(len(pieces) - 1, 0, -1) if tokens.count(written(n)) <= most)
    if taken := next(fitting, 0):
        return Fitted(written(taken), taken, len(pieces) - taken)
    return _cut(pieces, most, tokens)


def _cut(pieces: Sequence[str], most: int, tokens: TokenCounter) -> Fitted:
    """The beginning of the first piece, in whole lines where there are several, else in letters."""
    first, rest = pieces[0], len(pieces) - 1
    whole = tokens.count(first)

    def written(end: int) -> str:
        said = _CUT.format(max(0, whole - tokens.count(first[:end])))
        return f"{first[:end].rstrip()}\n{said}" + (_LEFT_OUT.format(rest) if rest else "")

    ends = [at + 1 for at, letter in enumerate(first) if letter == "\n"]
    for places in (ends, range(1, len(first) + 1)):
        at = bisect.bisect_right(places, most, key=lambda end: tokens.count(written(end)))
        if at:
            text = written(places[at - 1])
            return Fitted(text, 1, rest, max(0, whole - tokens.count(first[: places[at - 1]])))
    return Fitted("", 0, len(pieces), whole)
