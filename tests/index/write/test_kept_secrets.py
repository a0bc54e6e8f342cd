"""Secrets: whatever way a file comes in, none is in the store, an export, an answer or a log."""

from __future__ import annotations

import json
import logging
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import zstandard
from support.apis import write
from support.secrets import FORMS
from support.stores import opened

from core import Workbench
from core.index.write.report import IngestReport
from core.model import Level
from core.present import to_dict
from core.read.files.find import from_bytes

_END = "Zq7Rt2Kx9Lm4Np8Ws3Zv6Bc1Df5Gh0Jk"
NAMED = {  # put together here, so that no scanner takes this file for a leak
    "cloud key": "AKIA" + "Z7Q2M4N6P8R0T2V4",
    "host token": "ghp_" + _END + "AbCd",
    "payment key": "sk_live_" + _END,
    "web token": "eyJhbGciOiJIUzz." + "eyJzdWIiOiIxzz." + _END,
    "password": "hunter2-" + "sunshine9",
    "connection": "s3cr3t-" + "Pa55word",
    "private key": "MIIEvQ" + "IBADANBgkq",
    "key file": b64encode(b'{"private_key": "-----BEGIN PRIVATE KEY-----MIIE"}').decode(),
    "of a container": "0range-" + "juice",
}
SECRETS = NAMED | FORMS
_LINES = """
aws_key = "{cloud key}"  # {host token}
stripe = "{payment key}"
key_file = load("{key file}")
env = [{{"name": "DB_PASSWORD", "value": "{of a container}"}}]
auth = {{"Authorization": "Bearer {web token}"}}
password = "{password}"
database = "postgres://me:{connection}@db.example/shop"
pem = '''-----BEGIN PRIVATE KEY-----
{private key}
-----END PRIVATE KEY-----'''
""" + "".join(f'form_{at} = "{{{form}}}"\n' for at, form in enumerate(FORMS))
_COMMENT = "".join(
    f"# {line}\n" for line in _LINES.replace("password =", "password:").split("\n") if line
)
_ENV = """AWS_SECRET_KEY={cloud key}
TOKEN={host token}
STRIPE_SECRET={payment key}
JWT_TOKEN={web token}
KEY_FILE={key file}
LOGIN_SECRET={of a container}
PASSWORD={password}
DATABASE_URL=postgres://me:{connection}@db.example/shop
-----BEGIN PRIVATE KEY-----
{private key}
-----END PRIVATE KEY-----
""" + "".join(f'FORM_{at}="{{{form}}}"\n' for at, form in enumerate(FORMS))


def _notebook(lines: str) -> str:
    cell = {"cell_type": "code", "source": lines.splitlines(keepends=True), "outputs": []}
    return json.dumps({"cells": [cell], "nbformat": 4})


_FILLED, _SAID = _LINES.format(**SECRETS), _COMMENT.format(**SECRETS)
FILES = {
    "app.py": f'def login():\n    """Log in."""\n{_FILLED.replace(chr(10), chr(10) + "    ")}\n',
    "top.py": _FILLED,
    "said.py": f"{_SAID}\ndef pay():\n    {_SAID.replace(chr(10), chr(10) + '    ')}    return 1\n",
    "run.sh": f"#!/bin/sh\n{_ENV.format(**SECRETS)}",
    "app.ts": f"/*\n{_FILLED}*/\nexport function go() {{}}\n",
    ".env": _ENV.format(**SECRETS),
    "prod.env": _ENV.format(**SECRETS),
    "server.pem": _ENV.format(**SECRETS),
    "id_rsa": _ENV.format(**SECRETS),
    "book.ipynb": _notebook(_FILLED),
    "notes.md": "# Notes\n\nSee [the code](app.py), [more](run.sh) and [this](.env).\n",
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("secrets") / "in", FILES)


def _uploaded(source: Path) -> list[object]:
    return [from_bytes(name, (source / name).read_bytes()) for name in FILES]


WAYS: Mapping[str, object] = {
    "the folder": lambda source: [source],
    "each file by its name": lambda source: [source / name for name in FILES],
    "a document that links to them": lambda source: [source / "notes.md"],
    "uploads": _uploaded,
}


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS)
def test_no_secret_is_kept_however_it_comes_in(
    way: str, source: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with opened(tmp_path / "store", log_stats=True) as workbench:
        *_, report = workbench.ingest(WAYS[way](source), formats=("all",))  # type: ignore[operator]
        assert isinstance(report, IngestReport)
        assert "app.py:function/login" in {chunk.id for chunk in workbench.chunks()}
        exported = _exported(workbench) if way == "the folder" else ()
        shown = [*_shown(workbench), *exported, json.dumps(to_dict(report)), caplog.text]
    shown += _files(tmp_path / "store")
    low = [text.lower() for text in shown]  # as words are kept
    leaked = {name for name, secret in SECRETS.items() if any(secret.lower() in t for t in low)}
    assert leaked == set()


def _shown(workbench: Workbench) -> Iterator[str]:
    """Every chunk at every level, its source, and the contexts of questions."""
    for chunk in workbench.chunks():
        yield json.dumps([to_dict(chunk), to_dict(workbench.look(chunk.id)[0])])
        yield from (workbench.look(chunk.id, level)[1] for level in Level)
        yield workbench.source(chunk)
    for question in ("log in", "password", "pay", *NAMED.values()):
        context = workbench.retrieve(question)
        yield from (chunk.text for chunk in context.chunks)
        said = context.to_dict()
        yield json.dumps([said["primary_chunks"], said["referenced_chunks"]])


def _exported(workbench: Workbench) -> Iterator[str]:
    """Contexts and the graph in each format, and what is written down of changes."""
    for question in ("log in", "pay", "key file"):
        context = workbench.retrieve(question)
        yield context.to_markdown()
        yield json.dumps([context.to_dict(), context.to_messages()])
        yield json.dumps(context.to_dict(style="pipeline"))
    for format in ("graphml", "cypher", "csv"):
        yield from map("".join, workbench.graph_texts(format).values())
    yield json.dumps([*map(to_dict, workbench.change_log.newest(100))])


def _files(store: Path) -> Iterator[str]:
    """What lies in the store, unpacked where it is packed."""
    for path in store.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            if data[:4] == b"\x28\xb5\x2f\xfd":
                data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
            yield data.decode("latin-1")
