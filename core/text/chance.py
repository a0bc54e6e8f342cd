"""How likely chance alone is: a p-value is never told as none."""

from __future__ import annotations

from core.text.plural import Write, plainly


def p_value(p: float, write: Write = plainly, digits: int = 3) -> str:
    """`0.012`, or `<0.001` of less than so many digits show."""
    least = 10**-digits
    return write(p, digits) if p >= least else f"<{write(least, digits)}"


def p_told(p: float, write: Write = plainly, digits: int = 3) -> str:
    """`p = 0.012` or `p < 0.001`, for a sentence."""
    least = 10**-digits
    return f"p = {write(p, digits)}" if p >= least else f"p < {write(least, digits)}"
