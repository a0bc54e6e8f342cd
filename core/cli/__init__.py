"""`specloupe …`: parse the call, ask the facade, print the answer."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import click

from core.cli.shared.out import lines
from core.cli.shared.streams import ReaderGone, hold_on
from core.errors import SpecloupeError

COMMANDS = {  # command → where in this package it is defined
    "app": "app:app",
    "serve": "serve:serve",
    "mcp": "mcp:mcp",
    "ingest": "ingest:ingest",
    "sync": "sync:sync",
    "specs": "ingest:specs",
    "reembed": "ingest:reembed",
    "index": "ingest:index",
    "store": "store:store",
    "catalog": "browse:catalog",
    "chunks": "browse:chunks",
    "show": "browse:show",
    "impact": "related:impact",
    "similar": "related:similar",
    "graph": "graph:graph",
    "agent-context": "related:agent_context",
    "query": "query:query",
    "lint": "evaluate:lint",
    "draft": "draft:draft",
    "convert": "convert:convert",
    "eval": "evaluate:evaluate",
    "sweep": "sweep:sweep",
    "advise": "advise:advise",
    "audit": "audit:audit",
    "compare": "evaluate:compare",
    "runs": "runs:runs",
    "stats": "stats:stats",
    "settings": "settings:settings",
    "doctor": "doctor:doctor",
    "completion": "completion:completion",
}


class _LazyGroup(click.Group):
    """Imports a command's module only when that command is called: `settings` needs no database."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"core.cli.{module}"), name)
        return command


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from core.version import in_a_report  # its libraries' versions take a moment

        lines(in_a_report())
        ctx.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the versions that matter for a report, and exit.",
)
def specloupe() -> None:
    """See why API retrieval found, or lost, what a language model needed.

    Exit status: 0 success; 1 some input was refused or a gate failed; 2 invalid arguments, settings
    or question set; 3 the store or standard output could not be used.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; every error is one sentence on stderr and an exit status."""
    hold_on()
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    try:
        status = specloupe.main(list(arguments), prog_name="specloupe", standalone_mode=False)
        if not sys.stdout.closed:  # the protocol's own streams close it when a client leaves
            sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except SpecloupeError as error:
        return _fail(str(error), error.exit_status)
    except click.ClickException as error:
        return _fail(_sentence(error), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("Stopped.", 130)
    except ReaderGone:
        return 0


def _sentence(error: click.ClickException) -> str:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    return f"{message} See `{context.command_path} --help`." if context else message


def _fail(sentence: str, status: int) -> int:
    lines(f"specloupe: {sentence}\n", err=True)
    return status
