"""`specloupe serve`: the store and its settings behind REST."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from core.cli.shared.options import effective, profile_option, settings_file_option, store_option
from core.errors import CallError
from core.exposed.addresses import check, names, open_to_others
from core.workbench.workbench import Workbench

INSTALL = "`specloupe serve` needs an extra: install `specloupe[serve]`."


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; any other than loopback needs a token.",
)
@click.option("--port", default=8600, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes that answer; they share the index in memory.",
)
@click.option(
    "--token-env",
    default="SPECLOUPE_API_TOKEN",
    show_default=True,
    metavar="NAME",
    help="Environment variable with the token that every request must carry.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Another host name that requests may use, such as a proxy's; may be repeated.",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="A web page's origin that may ask, https://docs.example.org for example; may be repeated.",
)
@click.option(
    "--max-concurrent",
    default=32,
    show_default=True,
    type=click.IntRange(1, 10_000),
    help="Requests that a process answers at a time; more are told to ask again.",
)
@settings_file_option
@profile_option
@store_option
def serve(
    host: str,
    port: int,
    workers: int,
    token_env: str,
    allowed_hosts: Sequence[str],
    origins: Sequence[str],
    max_concurrent: int,
    settings_file: Path | None,
    profile: str | None,
    store: str,
) -> None:
    """Answer questions over HTTP; /openapi.json describes how to ask."""
    try:
        from core.service import serve as service
    except ImportError as error:
        raise CallError(INSTALL) from error
    effective(settings_file, {"profile": profile})  # a wrong value is said here
    token = os.environ.get(token_env, "")
    open_to_others(host, token, token_env)
    check(host, port)
    Workbench.open(store, create=False).close()
    served = service.Served(
        store=store,
        host=host,
        port=port,
        hosts=names(host, allowed_hosts),
        origins=tuple(origins),
        workers=workers,
        most_concurrent=max_concurrent,
        settings_file=str(settings_file.absolute()) if settings_file else "",
        profile=profile or "",
    )
    click.echo(f"Specloupe answers at http://{host}:{port} (Ctrl+C stops it).", err=True)
    service.serve(served, token)
