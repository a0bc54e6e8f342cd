"""`specloupe app`: the workbench in the browser."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from core.cli.ingest import follow
from core.cli.log import logged_to_stderr
from core.cli.options import effective, settings_file_option, store_option
from core.workbench import Workbench

ROOT = Path(__file__).resolve().parents[2]  # the checkout, or the folder it is installed in
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; anything but loopback opens it to others.",
)
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535))
@click.option("--headless", is_flag=True, help="Do not open a browser window.")
@settings_file_option
@store_option
def app(host: str, port: int, headless: bool, settings_file: Path | None, store: str) -> None:
    """Start the workbench; an empty store gets the sample APIs first."""
    effective(settings_file, {})  # a wrong value is said here, before a server starts
    if settings_file:
        os.environ["SPECLOUPE_SETTINGS"] = str(settings_file.absolute())
    with Workbench.open(store) as workbench:
        if workbench.is_empty:
            click.echo("The store is empty: reading the sample APIs.", err=True)
            follow(workbench.ingest([ROOT / "samples"]))
        os.environ["SPECLOUPE_STORE"] = workbench.store
    os.environ["SPECLOUPE_OPEN_TO_OTHERS"] = "" if host in LOOPBACK else "true"
    with logged_to_stderr():
        _serve(host, port, headless)


def _serve(host: str, port: int, headless: bool) -> None:
    from streamlit.web import cli  # heavy, and no other command needs it

    address = {"server.address": host, "server.port": port, "browser.serverAddress": host}
    options = {**_configured(), **address, "server.headless": headless}
    flags = [f"--{name}={_flag(value)}" for name, value in options.items()]
    cli.main(["run", str(ROOT / "app.py"), *flags], standalone_mode=False)


def _configured() -> dict[str, Any]:
    """The app's own options, passed explicitly, because Streamlit looks for them in the working
    directory only."""
    text = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    return dict(_flatten(tomllib.loads(text)))


def _flatten(section: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _flag(value: object) -> str:
    if isinstance(value, list):
        return json.dumps(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
