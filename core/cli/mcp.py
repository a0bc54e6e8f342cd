"""`specloupe mcp`: the store as tools for agents."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from core.cli.shared.listening import Listening, listening_options
from core.cli.shared.log import logged_to_stderr
from core.cli.shared.options import effective, profile_option, settings_file_option, store_option
from core.cli.shared.streams import ReaderGone
from core.errors import CallError
from core.workbench.workbench import Workbench

INSTALL = "`specloupe mcp` needs an extra: install `specloupe[mcp]`."


@click.command()
@click.option(
    "--transport",
    type=click.Choice(["stdio", "http"]),
    default="stdio",
    show_default=True,
    help="How a client talks to it: by its own standard streams, or at /mcp over HTTP.",
)
@listening_options(8601, "Of http. ")
@settings_file_option
@profile_option
@store_option
def mcp(
    transport: str,
    settings_file: Path | None,
    profile: str | None,
    store: str,
    **listening: Any,
) -> None:
    """Give agents the store through the Model Context Protocol."""
    try:
        from core.service import agents
        from core.service.guard import Rules
        from core.service.patience import UVICORN
    except ImportError as error:
        raise CallError(INSTALL) from error
    found = effective(settings_file, {"profile": profile})
    listens = Listening.of(**listening) if transport == "http" else None
    with (
        Workbench.open(
            store, settings=found.settings, create=False, apart=listens is not None
        ) as workbench,
        logged_to_stderr(found.origin["log_stats"] != "default"),
    ):
        os.environ["SPECLOUPE_STORE"] = workbench.store  # by whose name errors call it
        workbench.warm()
        server = agents.agents(workbench)
        if listens is None:
            with _ends_at_once():
                server.run("stdio")
            return
        import uvicorn

        rules = Rules(listens.hosts, listens.origins, listens.token)
        click.echo(f"Specloupe answers agents at {listens.url}/mcp.", err=True)
        uvicorn.run(
            agents.over_http(server, rules),
            host=listens.host,
            port=listens.port,
            **UVICORN,
        )


@contextmanager
def _ends_at_once() -> Iterator[None]:
    """For a server that a thread feeds from standard input, and that thread cannot be woken.

    Tools only read, so that nothing is left half done.
    """
    before = signal.signal(signal.SIGINT, _stop)
    try:
        yield
    except* ReaderGone:  # the client, and nobody else reads what it was told
        pass
    finally:
        signal.signal(signal.SIGINT, before)


def _stop(*_: object) -> None:
    os.write(2, b"specloupe: Stopped.\n")
    os._exit(130)
