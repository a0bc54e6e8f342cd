"""What `serve` and `mcp` make of the options that both have."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner
from support.ports import free_port

from core.cli.shared.listening import Listening, listening_options
from core.errors import CallError

made: list[Listening] = []


@click.command()
@listening_options(8600, "Of http. ")
def listen(**given: Any) -> None:
    made.append(Listening.of(**given))


def test_options_become_who_may_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECLOUPE_API_TOKEN", "s3cret")
    port = free_port()
    line = f"--port {port} --allowed-host api.example.org --allow-origin https://docs.example.org"
    done = CliRunner().invoke(listen, line.split())
    assert done.exit_code == 0
    found = made.pop()
    assert found.url == f"http://127.0.0.1:{port}"
    assert {"localhost", "api.example.org"} <= set(found.hosts)
    assert (found.origins, found.token) == (("https://docs.example.org",), "s3cret")


def test_others_need_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPECLOUPE_API_TOKEN", raising=False)
    with pytest.raises(CallError, match="SPECLOUPE_API_TOKEN"):
        Listening.of("0.0.0.0", free_port(), "SPECLOUPE_API_TOKEN", (), ())


def test_help_says_when_they_count() -> None:
    said = CliRunner().invoke(listen, ["--help"]).output
    assert said.count("Of http.") == 4
