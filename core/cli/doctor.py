"""`specloupe doctor`: whether this machine has what Specloupe needs, and what to do if not."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

import click

from core.cli.shared.options import effective, json_option, settings_file_option, store_option
from core.cli.shared.out import line, print_json
from core.errors import SpecloupeError
from core.exposed.addresses import check
from core.knowledge import limits
from core.present import to_dict
from core.settings import KNOBS, Settings
from core.text.nearest import nearest
from core.version import code_version

PORT = 8501  # the app's, unless it is told another
LITTLE = 1 << 30  # bytes free on a disk
LIBRARIES = ("chromadb", "streamlit", "openai", "ragas", "tiktoken", "onnxruntime", "numpy")
EXTRAS = {"serve": ("fastapi", "uvicorn", "prometheus_client"), "mcp": ("mcp",)}
OURS = ("RETRIEVAL_", "SPECLOUPE_", "KNOWLEDGE_")
OTHERS = (  # variables that are no settings
    *("SPECLOUPE_STORE", "SPECLOUPE_SETTINGS", "SPECLOUPE_PROFILE", "SPECLOUPE_ALLOW_FOLDERS"),
    *("SPECLOUPE_TOKEN", "SPECLOUPE_API_TOKEN", "SPECLOUPE_EDITOR_URL"),
)


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


COLOURS = {State.OK: "green", State.WARNING: "yellow", State.FAILED: "red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    state: State
    said: str
    remedy: str = ""  # what to do, unless it is ok


@click.command()
@click.option(
    "--port", default=PORT, show_default=True, type=click.IntRange(1, 65535), help="The app's port."
)
@json_option
@settings_file_option
@store_option
def doctor(port: int, as_json: bool, settings_file: Path | None, store: str) -> int:
    """Check the environment, the model files, the store and the port, and say what to do.

    Exit status 1 if something that is needed fails. No key is shown.
    """
    found = list(examined(store, port, settings_file, os.environ))
    if as_json:
        print_json([to_dict(one) for one in found])
    for one in found if not as_json else ():
        line(f"{one.state:<8} {one.name:<12} {one.said}", colour=COLOURS[one.state])
        if one.remedy:
            line(f"{'':<21} {one.remedy}")
    return int(any(one.state is State.FAILED for one in found))


def examined(
    store: str, port: int, settings_file: Path | None, environment: Mapping[str, str]
) -> Iterator[Finding]:
    """Everything that is looked at, in the order in which it depends on what came before."""
    yield Finding("Specloupe", State.OK, f"{code_version()} in {Path(__file__).parents[2]}")
    yield Finding("Python", State.OK, f"{platform.python_version()} on {platform.platform()}")
    yield _tried("libraries", _libraries, "Install Specloupe again: `uv sync --locked`.")
    yield _tried("products", _products, "Install Specloupe again: `uv sync --locked`.")
    yield from _extras()
    yield _tried("tokens", _tokens, "Install Specloupe again: `uv sync --locked`.")
    for name in ("static", "minilm"):
        yield _tried(f"{name} model", partial(_model, name), "Install Specloupe again.")
    yield _tried("settings", partial(_settings, settings_file), "Correct the value.")
    yield from _misspelt(environment)
    yield _endpoint(environment)
    yield _store(store)
    yield _disk(store)
    yield _tried("port", partial(_port, port), "`specloupe app --port` takes another.")


def _tried(name: str, look: Callable[[], str], remedy: str) -> Finding:
    """What `look` says; where it raises, that, and the remedy."""
    try:
        return Finding(name, State.OK, look())
    except SpecloupeError as error:  # its sentence says what to do
        return Finding(name, State.FAILED, str(error))
    except (ImportError, OSError, ValueError) as error:
        return Finding(name, State.FAILED, str(error), remedy)


def _libraries() -> str:
    return ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError as error:
        raise ImportError(f"{name} is not installed") from error


def _products() -> str:
    from core.index.snapshot.products import instructions

    said = instructions()
    return f"vectors are multiplied with {said}" if said else "plain loops multiply vectors: slow"


def _extras() -> Iterator[Finding]:
    for extra, modules in EXTRAS.items():
        try:
            for module in modules:
                import_module(module)
        except ImportError:
            remedy = f"Only `specloupe {extra}` needs it: `uv sync --extra {extra}`."
            yield Finding(extra, State.OK, f"not installed. {remedy}")
        else:
            yield Finding(extra, State.OK, "installed")


def _tokens() -> str:
    from core.tokens import counter

    encoding = Settings().token_encoding
    counter(encoding).count("three short words")
    return f"{encoding} counts without a network"


def _model(name: str) -> str:
    from core.index.embed.embedder import open_embedder

    embedder = open_embedder(name, {})
    if not embedder.embed(["a user"]).any():
        raise ValueError("its vector of a word is empty")
    return f"loads, {embedder.dimensions} dimensions"


def _settings(file: Path | None) -> str:
    changed = [name for name, origin in effective(file, {}).origin.items() if origin != "default"]
    return f"changed: {', '.join(changed)}" if changed else "the defaults"


def _misspelt(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Variables that look like ours and that nothing reads."""
    known = {*(knob.env for knob in (*KNOBS, *limits.KNOBS)), *OTHERS}
    for name in sorted(set(environment) - known):
        if name.startswith(OURS) and (close := nearest(name, known)):
            remedy = f"Did you mean {close[0]}?"
            yield Finding("environment", State.WARNING, f"{name} is read by nothing.", remedy)


def _endpoint(environment: Mapping[str, str]) -> Finding:
    where = environment.get("OPENAI_BASE_URL", "")
    host = urlsplit(where).hostname if where else "the default address"
    if environment.get("OPENAI_API_KEY"):
        return Finding("models", State.OK, f"a key is set, for {host}")
    return Finding("models", State.OK, "no key: the models that ship do the work")


def _store(store: str) -> Finding:
    if "://" not in store and not Path(store).exists():
        remedy = f"`specloupe ingest PATH --store {store}` makes one."
        return Finding("store", State.WARNING, f"none at {store} yet", remedy)
    return _tried("store", partial(_opened, store), "`specloupe store check` says more.")


def _opened(store: str) -> str:
    from core.workbench.health import State as Index
    from core.workbench.workbench import Workbench

    with Workbench.open(store, create=False) as workbench:
        health, held = workbench.health(), workbench.figures()
    if health.state is Index.DAMAGED:
        raise health.damage or ValueError("The read index is damaged.")
    return f"{store}: {held.chunks:,} chunks of {held.specs:,} specifications, index {health.state}"


def _disk(store: str) -> Finding:
    folder = Path.cwd() if "://" in store else Path(store).absolute()
    there = next(one for one in (folder, *folder.parents) if one.exists())
    free = shutil.disk_usage(there).free
    said = f"{free / 1e9:.1f} GB free"
    if free < LITTLE:
        return Finding("disk", State.WARNING, said, "Ingestion needs some three times the input.")
    return Finding("disk", State.OK, said)


def _port(port: int) -> str:
    check("127.0.0.1", port)
    return f"{port} is free"
