"""The options of commands that listen for other programs, and what they come to."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from core.exposed.addresses import address, check, names, open_to_others

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a server listens, and to whom."""

    host: str
    port: int
    hosts: tuple[str, ...]  # names by which it may be asked
    origins: tuple[str, ...]  # of web pages that may ask
    token: str  # that every request carries; "" asks for none

    @property
    def url(self) -> str:
        return address(self.host, self.port)

    @classmethod
    def of(
        cls,
        host: str,
        port: int,
        token_env: str,
        allowed_hosts: Sequence[str],
        origins: Sequence[str],
    ) -> Listening:
        """Raises CallError where others would be let in without a token, and where it cannot
        listen."""
        token = os.environ.get(token_env, "")
        open_to_others(host, token, token_env)
        check(host, port)
        return cls(host, port, names(host, allowed_hosts), tuple(origins), token)


def listening_options(port: int, when: str = "") -> Decorator:
    """`host`, `port`, `token_env`, `allowed_hosts` and `origins`; `when` begins their help."""
    options = (
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            help=f"{when}Address to listen on; any other than loopback needs a token.",
        ),
        click.option("--port", default=port, show_default=True, type=click.IntRange(1, 65535)),
        click.option(
            "--token-env",
            default="SPECLOUPE_API_TOKEN",
            show_default=True,
            metavar="NAME",
            help=f"{when}Environment variable with the token that every request must carry.",
        ),
        click.option(
            "--allowed-host",
            "allowed_hosts",
            multiple=True,
            metavar="NAME",
            help=f"{when}Another host name that requests may use, such as a proxy's; "
            "may be repeated.",
        ),
        click.option(
            "--allow-origin",
            "origins",
            multiple=True,
            metavar="ORIGIN",
            help=f"{when}A web page's origin that may ask, https://docs.example.org for example; "
            "may be repeated.",
        ),
    )

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated
