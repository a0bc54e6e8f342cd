"""`specloupe app`: the workbench in the browser."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from core.cli.ingest import follow
from core.cli.shared.log import logged_to_stderr
from core.cli.shared.options import effective, settings_file_option, store_option
from core.cli.shared.streams import forgive
from core.exposed.addresses import check, checked_base, names, origins
from core.exposed.people import Admitted, check_installed, read_secrets
from core.workbench.workbench import Workbench

ROOT = Path(__file__).resolve().parents[2]  # the checkout, or the folder it is installed in


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; any other than loopback lets other machines in.",
)
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Another host name that browsers may use, such as a proxy's; may be repeated.",
)
@click.option(
    "--allow-folders",
    "folders",
    multiple=True,
    is_flag=False,
    flag_value=os.sep,
    metavar="[PATH]",
    help="Let everyone who opens the page read specifications from this folder of the server, or "
    "from any folder if no PATH is given; may be repeated. By default no folder can be read.",
)
@click.option(
    "--read-only",
    is_flag=True,
    envvar="SPECLOUPE_READ_ONLY",
    help="Only show the store: no ingesting, removing or labelling, no saved runs, and nothing "
    "that costs money. For demonstrations.",
)
@click.option(
    "--secrets",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    envvar="SPECLOUPE_SECRETS",
    metavar="FILE",
    help="Streamlit's secrets file, whose [auth] lets people log in and whose [access] says who "
    "may look and who may change; .streamlit/secrets.toml here or in the home folder by default.",
)
@click.option(
    "--base-path",
    default="",
    envvar="SPECLOUPE_BASE_PATH",
    metavar="PATH",
    help="The path below which a proxy offers the pages, such as /specs.",
)
@click.option("--headless", is_flag=True, help="Do not open a browser window.")
@settings_file_option
@store_option
def app(
    host: str,
    port: int,
    allowed_hosts: Sequence[str],
    folders: Sequence[str],
    read_only: bool,
    secrets: Path | None,
    base_path: str,
    headless: bool,
    settings_file: Path | None,
    store: str,
) -> None:
    """Start the workbench in the browser. An empty store is filled with the sample APIs first."""
    effective(settings_file, {})  # a wrong value is said here, before a server starts
    check(host, port)
    people = _login(secrets)
    base = checked_base(base_path)
    if settings_file:
        os.environ["SPECLOUPE_SETTINGS"] = str(settings_file.absolute())
    if folders:
        os.environ["SPECLOUPE_ALLOW_FOLDERS"] = os.pathsep.join(map(os.path.abspath, folders))
    os.environ["SPECLOUPE_READ_ONLY"] = "on" if read_only else ""
    with Workbench.open(store, create=not read_only) as workbench:
        if workbench.is_empty and not read_only:
            click.echo("The store is empty: reading the sample APIs.", err=True)
            follow(workbench.ingest([ROOT / "samples"]))
        os.environ["SPECLOUPE_STORE"] = workbench.store
    forgive()
    with logged_to_stderr():
        _serve(host, port, allowed_hosts, headless, {**people, "server.baseUrlPath": base})


def _login(secrets: Path | None) -> Mapping[str, Any]:
    """The options by which Streamlit finds the secrets, once it is known that they are sound: it
    would go on without a login where it cannot read them."""
    given = [str(secrets.absolute())] if secrets else _usual_secrets()
    os.environ["SPECLOUPE_LOGIN"] = ""
    if Admitted.of(read_secrets(given)):
        check_installed()
        os.environ["SPECLOUPE_LOGIN"] = "on"
    return {"secrets.files": given}


def _usual_secrets() -> list[str]:
    """Where Streamlit looks. Its options are not asked: who reads them before the server starts is
    told, when it does, that they have changed."""
    from streamlit import file_util

    places = [file_util.get_project_streamlit_file_path("secrets.toml")]
    with suppress(RuntimeError):  # nobody's home
        places.insert(0, file_util.get_streamlit_file_path("secrets.toml"))
    return places


def _serve(
    host: str,
    port: int,
    allowed_hosts: Sequence[str],
    headless: bool,
    more: Mapping[str, Any],
) -> None:
    from ui import server

    def up(url: str) -> None:
        with suppress(OSError, ValueError):  # nobody reads it: the server goes on all the same
            click.echo(f"Specloupe is at {url} (Ctrl+C stops it).")
        if not headless and server.has_desktop():
            server.open_window(url)

    options = {
        **_configured(),
        "server.address": host,
        "server.port": port,
        "server.allowedHosts": list(names(host, allowed_hosts)),
        "server.corsAllowedOrigins": list(origins(allowed_hosts)),
        "browser.serverAddress": host,
        "logger.hideWelcomeMessage": True,  # the address is said once, by us
        **more,
    }
    server.serve(ROOT / "app.py", options, up)


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
