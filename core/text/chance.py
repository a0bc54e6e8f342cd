"""How likely chance alone is: a p-value is never told as none."""

from __future__ import annotations

from core.text.plural import Write, plainly


def p_value(p: float, write: Write = plainly, digits: int = 3) -> str:
    """`0.012`, or `<0.001` of less than so many digits show."""
    is_less, said = _told(p, write, digits)
    return f"<{said}" if is_less else said


def p_told(p: float, write: Write = plainly, digits: int = 3) -> str:
    """`p = 0.012` or `p < 0.001`, for a sentence."""
    is_less, said = _told(p, write, digits)
    return f"p {'<' if is_less else '='} {said}"


def _told(p: float, write: Write, digits: int) -> tuple[bool, str]:
    """A bound that it is less than, or itself."""
    least = 10**-digits
    return p < least, write(max(p, least), digits)
