"""What models cost, in dollars: a little money is never told as none."""

from __future__ import annotations

from core.text.plural import Write, plainly

_LEAST = 0.0001  # that is told as a number
_CENTS = 1.0  # from here on, cents are enough


def dollars(usd: float, write: Write = plainly) -> str:
    """`$12.50`, `$0.0021` or, of less than that shows, `less than $0.0001`."""
    if usd < _LEAST:
        return f"less than ${write(_LEAST, 4)}"
    return f"${write(usd, 2 if usd >= _CENTS else 4)}"


def and_dollars(usd: float, write: Write = plainly) -> str:
    """The same to stand behind a number of tokens; "" where no price is set."""
    return f", {dollars(usd, write)}" if usd else ""
