"""`specloupe mcp`: the store as tools for agents."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from core.cli.shared.log import logged_to_stderr
from core.cli.shared.options import effective, profile_option, settings_file_option, store_option
from core.errors import CallError
from core.exposed.addresses import check, names, open_to_others
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
@click.option("--host", default="127.0.0.1", show_default=True, help="Of http: where to listen.")
@click.option("--port", default=8601, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--token-env",
    default="SPECLOUPE_API_TOKEN",
    show_default=True,
    metavar="NAME",
    help="Of http: environment variable with the token that every request must carry.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Of http: another host name that requests may use; may be repeated.",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Of http: a web page's origin that may ask; may be repeated.",
)
@settings_file_option
@profile_option
@store_option
def mcp(
    transport: str,
    host: str,
    port: int,
    token_env: str,
    allowed_hosts: Sequence[str],
    origins: Sequence[str],
    settings_file: Path | None,
    profile: str | None,
    store: str,
) -> None:
    """Give agents the store through the Model Context Protocol."""
    try:
        from core.service import agents
        from core.service.guard import Rules
    except ImportError as error:
        raise CallError(INSTALL) from error
    found = effective(settings_file, {"profile": profile})
    token = os.environ.get(token_env, "")
    if transport == "http":
        open_to_others(host, token, token_env)
        check(host, port)
    with (
        Workbench.open(store, settings=found.settings, create=False) as workbench,
        logged_to_stderr(found.origin["log_stats"] != "default"),
    ):
        os.environ["SPECLOUPE_STORE"] = workbench.store  # by whose name errors call it
        workbench.warm()
        server = agents.agents(workbench)
        if transport == "stdio":
            server.run("stdio")
            return
        import uvicorn

        rules = Rules(names(host, allowed_hosts), tuple(origins), token)
        click.echo(f"Specloupe answers agents at http://{host}:{port}/mcp.", err=True)
        uvicorn.run(
            agents.over_http(server, rules),
            host=host,
            port=port,
            log_level="warning",
            server_header=False,
        )
