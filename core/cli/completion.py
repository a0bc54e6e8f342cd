"""`specloupe completion`: what a shell needs in order to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from core.cli.shared.out import lines

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that makes SHELL complete commands and options.

    For Bash: `eval "$(specloupe completion bash)"` in ~/.bashrc; for zsh the same in ~/.zshrc; for
    fish: `specloupe completion fish > ~/.config/fish/completions/specloupe.fish`.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    lines(kind(ctx.find_root().command, {}, "specloupe", "_SPECLOUPE_COMPLETE").source())
