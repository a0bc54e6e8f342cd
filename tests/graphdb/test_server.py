"""Where a database is comes from the environment; a password is never said."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from socket import socket

import pytest
from support.ports import free_port

from core.errors import CallError, GraphUnavailable
from core.graphdb.server import BoltServer, address, name_of

SECRET = "open-sesame-77"
KNOWN = {"NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_USER": "me", "NEO4J_PASSWORD": SECRET}


def test_an_address_does_not_show_its_password() -> None:
    found = address({**KNOWN, "NEO4J_DATABASE": "graph"})
    assert (found.uri, found.user, found.database) == ("bolt://127.0.0.1:1", "me", "graph")
    assert found.password == SECRET
    assert SECRET not in repr(found)
    assert address({"NEO4J_URI": "neo4j+s://host"}).user == "neo4j"


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("", "is not set"),
        (f"bolt://me:{SECRET}@host", "must not name a user"),
        (f"http://{SECRET}", "must be the address"),
        (SECRET, "must be the address"),
    ],
)
def test_a_wrong_address_is_said_without_repeating_it(uri: str, said: str) -> None:
    with pytest.raises(CallError, match=said) as error:
        address({"NEO4J_URI": uri})
    assert SECRET not in str(error.value)


def test_what_a_store_is_called(tmp_path: Path) -> None:
    assert name_of(str(tmp_path / "x" / ".." / "s"), {}) == str(tmp_path.resolve() / "s")
    assert name_of("http://host:8000/a", {}) == "http://host:8000/a"
    assert name_of("anything", {"GRAPH_STORE": " shop "}) == "shop"
    with pytest.raises(CallError, match="one line"):
        name_of("anything", {"GRAPH_STORE": "a\nb"})


def test_a_server_that_is_not_there(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server = BoltServer(address({**KNOWN, "NEO4J_URI": f"bolt://127.0.0.1:{free_port()}"}))
    with pytest.raises(GraphUnavailable, match="cannot be reached") as error:
        server.run("RETURN 1", {}, 5.0)
    server.close()
    assert SECRET not in str(error.value) + caplog.text


def test_a_server_that_never_answers_is_given_up() -> None:
    with socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        uri = f"bolt://127.0.0.1:{silent.getsockname()[1]}"
        server = BoltServer(address({**KNOWN, "NEO4J_URI": uri}))
        with pytest.raises(GraphUnavailable, match="longer than 50 ms"):
            server.run("RETURN 1", {}, 0.05)
        server.close()


def test_without_the_extra_its_name_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "neo4j", None)
    with pytest.raises(CallError, match=r"specloupe\[bolt\]"):
        BoltServer(address(KNOWN))
