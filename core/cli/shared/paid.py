"""What a language model will be asked for, said before it is; and whether somebody agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from core.cli.shared.out import line
from core.cli.shared.streams import can_answer
from core.text.money import and_dollars

if TYPE_CHECKING:
    from core.retrieve.by_model.estimate import Estimate


def tell_cost(found: Estimate, usd: float) -> None:
    """Say on stderr how often a model is asked, and what that takes; `usd` is 0 without a price."""
    most = f"at most {found.tokens:,} tokens{and_dollars(usd)}"
    line(f"The model is asked {found.calls:,} times: {most}.", err=True)


def agrees(yes: bool) -> bool:
    """Whether somebody agreed with `--yes`, or does now on a terminal."""
    return yes or (can_answer() and click.confirm("Go on?", err=True))
