"""`specloupe serve`: the store and its settings behind REST."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.cli.shared.listening import Listening, listening_options
from core.cli.shared.options import effective, profile_option, settings_file_option, store_option
from core.errors import CallError
from core.workbench.workbench import Workbench

INSTALL = "`specloupe serve` needs an extra: install `specloupe[serve]`."


@click.command()
@listening_options(8600)
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes that answer; they share the index in memory.",
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
    workers: int,
    max_concurrent: int,
    settings_file: Path | None,
    profile: str | None,
    store: str,
    **listening: Any,
) -> None:
    """Answer questions over HTTP; /openapi.json describes how to ask."""
    try:
        from core.service import serve as service
    except ImportError as error:
        raise CallError(INSTALL) from error
    effective(settings_file, {"profile": profile})  # a wrong value is said here
    listens = Listening.of(**listening)
    Workbench.open(store, create=False).close()
    served = service.Served(
        store=store,
        host=listens.host,
        port=listens.port,
        hosts=listens.hosts,
        origins=listens.origins,
        workers=workers,
        most_concurrent=max_concurrent,
        settings_file=str(settings_file.absolute()) if settings_file else "",
        profile=profile or "",
    )
    click.echo(f"Specloupe answers at {listens.url} (Ctrl+C stops it).", err=True)
    service.serve(served, listens.token)
